package loop

import (
	"sync/atomic"

	"legctl/control"
)

// Swap hands a running loop another controller: parameters change between
// ticks, as a whole. The zero value is ready; any goroutine may Put.
type Swap struct{ next atomic.Pointer[exchange] }

// exchange is a controller that waits for its tick.
type exchange struct {
	controller Stepper
	pieces     [][]byte
	taken      func(tick uint64)
}

// Put leaves a controller for the next tick, in place of one that still waits.
// It must be for the rig of the cell, with as many gaits as the one before.
// params are its control.Params as JSON: they are recorded with the tick. taken
// is called with that tick, in the goroutine of the loop; nil: nobody is told.
func (s *Swap) Put(c Stepper, params []byte, taken func(tick uint64)) {
	x := &exchange{controller: c, taken: taken}
	for len(params) > pieceSize {
		x.pieces = append(x.pieces, append([]byte{0}, params[:pieceSize]...))
		params = params[pieceSize:]
	}
	x.pieces = append(x.pieces, append([]byte{1}, params...))
	s.next.Store(x)
}

// pieceSize is how many bytes of parameters one record holds: rings have room
// for the frames of the smallest rig.
const pieceSize = 256

// exchange goes on with another controller.
func (t *Ticker) exchange(x *exchange) {
	if x == nil {
		return
	}
	t.Cell.Controller = x.controller
	if t.Out != nil {
		for _, p := range x.pieces {
			t.Out.Put(control.TagParams, t.Cell.Tick, p)
		}
	}
	if x.taken != nil {
		x.taken(t.Cell.Tick)
	}
}
