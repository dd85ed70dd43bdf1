package servo

// Caps is what a protocol can do, whatever the servo. The zero value can do
// nothing but single writes without an answer.
type Caps struct {
	GroupWrite bool // one message moves many servos
	GroupRead  bool // one message asks many servos
	Start      bool // moves can be stored and begun together (reg write and action, move-wait and start)
	Feedback   bool // positions can be read; false means what is read is what was commanded, or nothing
	Status     bool // voltage, temperature or errors can be read
	Timed      bool // a move carries its duration or speed
	Watchdog   bool // the device stops by itself when the host falls silent
	TorqueOff  bool // all servos can be made limp by one message
	Echo       bool // usual adaptors hand back what they send

	MaxID       int // highest id or channel
	Bits        int // on the wire for a byte, start and stop bits included
	DefaultBaud int
}

// Line is what an owner of a port needs of it. A Read that returns 0, nil has
// run into its time-out, which is how common serial packages behave;
// ResetInputBuffer throws away what has arrived and was not read.
type Line interface {
	Read(p []byte) (int, error)
	Write(p []byte) (int, error)
	ResetInputBuffer() error
}

// Answer is what every protocol's parser is: fed until it needs no more or the
// deadline comes, then asked for its verdict.
type Answer interface {
	// Feed takes bytes as they came and reports whether the answer is complete.
	Feed(chunk []byte) bool
	// Finish says that nothing more will come and returns the verdict.
	Finish() Fault
}
