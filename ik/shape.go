package ik

type shape uint8

const (
	general shape = iota
)

type plane struct{}

func (m *model) detect()      {}
func (m *model) settleShape() {}
