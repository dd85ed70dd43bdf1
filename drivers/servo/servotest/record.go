package servotest

import (
	"fmt"

	"legctl/drivers/servo"
)

// Step is one thing that happened on a line: bytes written by the host, or
// bytes read by it.
type Step struct {
	Sent  bool
	Bytes []byte
}

// Recorder passes everything on to a line and writes it down. Use NewRecorder.
type Recorder struct {
	line  servo.Line
	steps []Step
}

// NewRecorder records a line.
func NewRecorder(line servo.Line) *Recorder { return &Recorder{line: line} }

// Read reads from the line and records what came. Time-outs are not recorded.
func (r *Recorder) Read(p []byte) (int, error) {
	n, err := r.line.Read(p)
	if n > 0 {
		r.steps = append(r.steps, Step{Bytes: append([]byte(nil), p[:n]...)})
	}
	return n, err
}

// Write records p and writes it to the line.
func (r *Recorder) Write(p []byte) (int, error) {
	n, err := r.line.Write(p)
	if n > 0 {
		r.steps = append(r.steps, Step{Sent: true, Bytes: append([]byte(nil), p[:n]...)})
	}
	return n, err
}

// ResetInputBuffer passes on to the line.
func (r *Recorder) ResetInputBuffer() error { return r.line.ResetInputBuffer() }

// Steps returns what was recorded so far; the slice is the recorder's.
func (r *Recorder) Steps() []Step { return r.steps }

// Playback is the far end of a recording: it demands the writes that were
// recorded, in order and byte for byte, and hands out the reads between them.
// Use NewPlayback.
type Playback struct {
	steps []Step
	at    int
	taken int // bytes of the step at that are done
}

// NewPlayback plays steps, which it borrows.
func NewPlayback(steps []Step) *Playback { return &Playback{steps: steps} }

// Write compares p with the recording. What differs, or comes while recorded
// reads are not yet read, is an error and is not consumed.
func (l *Playback) Write(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		if l.at == len(l.steps) || !l.steps[l.at].Sent {
			return done, fmt.Errorf("servotest: write of %x, the recording has none here (step %d)", p[done:], l.at)
		}
		if want := l.steps[l.at].Bytes[l.taken]; p[done] != want {
			return done, fmt.Errorf("servotest: write of %#02x, recorded %#02x (step %d, byte %d)", p[done], want, l.at, l.taken)
		}
		l.pass(1)
		done++
	}
	return done, nil
}

// Read returns recorded bytes up to the next recorded write, 0 and nil there
// and at the end, as a line does that stays silent until its time-out.
func (l *Playback) Read(p []byte) (int, error) {
	if l.at == len(l.steps) || l.steps[l.at].Sent {
		return 0, nil
	}
	n := copy(p, l.steps[l.at].Bytes[l.taken:])
	l.pass(n)
	return n, nil
}

// pass moves on by n bytes of the current step.
func (l *Playback) pass(n int) {
	l.taken += n
	if l.taken == len(l.steps[l.at].Bytes) {
		l.at, l.taken = l.at+1, 0
	}
}

// ResetInputBuffer skips recorded reads that have not been read.
func (l *Playback) ResetInputBuffer() error {
	for l.at < len(l.steps) && !l.steps[l.at].Sent {
		l.at, l.taken = l.at+1, 0
	}
	return nil
}

// Rest is the number of steps not yet played in full.
func (l *Playback) Rest() int { return len(l.steps) - l.at }
