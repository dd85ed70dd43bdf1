package telemetry

// Topic describes a word after cmd/ for documents and command lines.
type Topic struct {
	Name string
	Doc  string // a sentence without its full stop
	Free bool   // needs no lease
	Keys []Key
}

// Key is one key of a command's payload.
type Key struct {
	Name, Unit, Doc string
	Type            KeyType
	Required        bool
	Words           func(n *Names) []string // what a text may be; nil: anything
}

// KeyType is what a key takes.
type KeyType uint8

// The types of keys.
const (
	KeyNumber KeyType = iota
	KeyText
	KeyFlag
	KeyVector // an object of numbers x, y, z
	KeyShares // an object of names and numbers
)

// Describe returns the table of commands in its order. The keys id and lease,
// which every topic takes, are left out: see CommonKeys.
func Describe() []Topic {
	list := make([]Topic, 0, len(topics))
	for i := range topics {
		t := &topics[i]
		d := Topic{Name: t.name, Doc: t.doc, Free: t.free}
		for j := range t.fields {
			f := &t.fields[j]
			d.Keys = append(d.Keys, Key{Name: f.key, Unit: f.unit, Doc: f.doc, Type: f.kind(), Required: f.required, Words: f.words})
		}
		list = append(list, d)
	}
	return list
}

func (f *field) kind() KeyType {
	switch {
	case f.text != nil:
		return KeyText
	case f.flag != nil:
		return KeyFlag
	case f.vec != nil:
		return KeyVector
	case f.shares != nil:
		return KeyShares
	}
	return KeyNumber
}

// CommonKeys are the keys every command takes.
func CommonKeys() []Key {
	return []Key{
		{Name: "id", Doc: "a text or a number of at most 128 bytes, echoed in the reply", Type: KeyText},
		{Name: "lease", Doc: "name of the lease's holder, where somebody holds it", Type: KeyText},
	}
}
