package servotest

import (
	"testing"

	"legctl/drivers/servo"
)

// Exchange is how the cases of one protocol are run. A is what its arguments are
// read into.
type Exchange[A any] struct {
	Protocol string
	// Encode builds the request of an operation.
	Encode func(t *testing.T, op string, a A) ([]byte, error)
	// Expect returns an answer that waits for the reply to the request tx.
	Expect func(t *testing.T, v Vector, a A, tx []byte) servo.Answer
	// Check looks at what was decoded, after the fault was found right.
	Check func(t *testing.T, v Vector, a A, f servo.Fault)
}

// Run runs every case: what is sent, and what is received, cut in every way.
func (x Exchange[A]) Run(t *testing.T) {
	t.Helper()
	for _, v := range Vectors(t, x.Protocol) {
		t.Run(v.ID, func(t *testing.T) {
			var a A
			Decode(t, v.Args, &a)
			tx, err := x.Encode(t, v.Operation, a)
			WantTx(t, v, tx, err)
			if v.Rx == nil {
				return
			}
			Splits(v.Rx, func(chunks ...[]byte) {
				p := x.Expect(t, v, a, tx)
				for _, c := range chunks {
					p.Feed(c)
				}
				f := p.Finish()
				WantFault(t, v, f)
				x.Check(t, v, a, f)
			})
		})
	}
}

// EchoOf is what an adaptor hands back of tx in a case that says so.
func EchoOf(echo bool, tx []byte) []byte {
	if echo {
		return tx
	}
	return nil
}
