package maestro

import (
	"fmt"
	"testing"

	"legctl/drivers/servo/servotest"
)

func FuzzParser(f *testing.F) {
	servotest.FuzzChunks(f, func(t *testing.T, b []byte, chunks ...[]byte) string {
		var where, moves, errs Parser
		where.ExpectPosition()
		moves.ExpectMoving()
		errs.ExpectErrors()
		for _, c := range chunks {
			where.Feed(c)
			moves.Feed(c)
			errs.Feed(c)
		}
		verdict := fmt.Sprint(where.Finish(), moves.Finish(), errs.Finish())
		if len(b) != 2 && (where.Quarters() != 0 || errs.Errors() != 0) || len(b) != 1 && moves.Moving() {
			t.Errorf("an answer from %d bytes", len(b))
		}
		return verdict + fmt.Sprint(where.Quarters(), moves.Moving(), errs.Errors(), where.Counts, moves.Counts, errs.Counts)
	})
}
