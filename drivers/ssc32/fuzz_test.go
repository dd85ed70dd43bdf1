package ssc32

import (
	"fmt"
	"testing"

	"legctl/drivers/servo/servotest"
)

func FuzzParser(f *testing.F) {
	servotest.FuzzChunks(f, func(t *testing.T, b []byte, chunks ...[]byte) string {
		var q, qp, line Parser
		q.ExpectMoving()
		qp.ExpectPulse()
		line.ExpectText()
		for _, c := range chunks {
			q.Feed(c)
			qp.Feed(c)
			line.Feed(c)
		}
		verdict := fmt.Sprint(q.Finish(), qp.Finish(), line.Finish())
		if text := string(line.Text()); text != "" && text+"\r" != string(b) {
			t.Errorf("%q was never sent", text)
		}
		n, ok := line.Number()
		return verdict + fmt.Sprint(q.Moving(), qp.PulseUS(), line.Text(), n, ok, q.Counts, qp.Counts, line.Counts)
	})
}
