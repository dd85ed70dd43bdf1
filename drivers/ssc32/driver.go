package ssc32

import (
	"fmt"
	"math"
	"strings"

	"legctl/drivers/servo"
)

// ReplyDelay is the longest a board takes to answer, seconds.
const ReplyDelay = 5e-3

// maxTries is how often a question is repeated outside the tick.
const maxTries = 3

// Driver is one board. Use New.
type Driver struct {
	bus     *servo.Bus
	p       Parser
	tx      []byte
	moves   []Move
	q       servo.Question
	live    [Channels]bool // has had pulses since the board started, as far as we know
	reset   bool           // the board forgot them
	ids     []int          // opened
	turn    int
	version string
}

// New returns a driver on a bus. It sends nothing.
func New(bus *servo.Bus) *Driver { return &Driver{bus: bus} }

// Demand is what a tick asks of the bus: one line with a time of two digits, and
// the pulse of one channel to see whether the board was reset. ids are the
// channels used.
func Demand(ids []int) servo.Demand {
	d := servo.Demand{Write: MoveCost(0, 2), Fixed: servo.Cost{Tx: 5, Rx: 1, Replies: 1, Turns: 1}}
	for _, id := range ids {
		d.Write.Tx += 7 // #1P1500
		if id > 9 {
			d.Write.Tx++
		}
	}
	d.Most = 1
	return d
}

// Caps implements servo.Driver.
func (d *Driver) Caps() servo.Caps { return Caps }

// Ping implements servo.Driver: it asks the board for its version.
func (d *Driver) Ping(id int) (servo.Identity, error) {
	if err := channel(id); err != nil {
		return servo.Identity{}, err
	}
	d.tx = AppendVersion(d.tx[:0])
	err := d.ask(d.p.ExpectText, maxTries, 32)
	if err != nil {
		return servo.Identity{}, fmt.Errorf("ssc32: the board does not say its version: %w: not connected, another baud, or no logic power", err)
	}
	d.version = strings.TrimSpace(string(d.p.Text()))
	if !strings.HasPrefix(strings.ToUpper(d.version), "SSC32") {
		return servo.Identity{}, fmt.Errorf("ssc32: the answer to VER is %q, want SSC32...: another board is on this port", d.version)
	}
	return servo.Identity{ID: id}, nil
}

// Version is what the board said of itself when it was last asked.
func (d *Driver) Version() string { return d.version }

// ask sends tx and waits for an answer of at most so many bytes.
func (d *Driver) ask(expect func(), tries, most int) error {
	d.q = servo.Question{Request: d.tx, Answer: &d.p, Cost: servo.Cost{Rx: most, Replies: 1}}
	f, err := d.bus.AskAgain(&d.q, expect, tries)
	if err != nil {
		return err
	}
	return f.Err()
}

// Open implements servo.Driver: a half line in the board is cancelled, and the
// board asked who it is. Nothing else is sent, for nothing can be read.
func (d *Driver) Open(ids []int) (found []servo.Identity, err error) {
	d.tx = AppendResync(d.tx[:0])
	if err := d.bus.Send(d.tx); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if err := channel(id); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	if _, err := d.Ping(ids[0]); err != nil {
		return nil, err
	}
	for _, id := range ids {
		found = append(found, servo.Identity{ID: id})
	}
	d.moves, d.ids = make([]Move, 0, len(ids)), append([]int(nil), ids...)
	d.live, d.reset = [Channels]bool{}, false
	return found, nil
}

// Enable implements servo.Driver. The first move of a channel has no ramp, so it
// should be where the servo rests.
func (d *Driver) Enable(goals []servo.Goal) error {
	if err := d.move(goals, 0); err != nil {
		return err
	}
	for _, g := range goals {
		d.live[g.ID] = true
	}
	d.reset = false
	return nil
}

// Write implements servo.Driver: one line.
func (d *Driver) Write(goals []servo.Goal, within float64) error {
	if len(goals) == 0 {
		return nil
	}
	return d.move(goals, max(1, int(math.Ceil(min(max(within, 0), 65)*1000))))
}

func (d *Driver) move(goals []servo.Goal, ms int) (err error) {
	d.moves = d.moves[:0]
	for _, g := range goals {
		us, err := servo.Whole("ssc32", g.Pos, LeastUS, MostUS)
		if err != nil {
			return err
		}
		d.moves = append(d.moves, Move{Channel: g.ID, US: us})
	}
	if d.tx, err = AppendMove(d.tx[:0], d.moves, ms); err != nil {
		return err
	}
	return d.bus.Send(d.tx)
}

// Read implements servo.Driver. There is no feedback: one of the channels is
// asked for its commanded pulse, and none where there should be one means that
// the board was reset.
func (d *Driver) Read(dst []servo.Feedback) (err error) {
	for i := range dst {
		servo.Judge(&dst[i], servo.Fault{})
	}
	if len(dst) == 0 {
		return nil
	}
	d.turn++
	f := &dst[d.turn%len(dst)]
	if !d.live[f.ID] {
		return nil
	}
	if d.tx, err = AppendQueryPulse(d.tx[:0], f.ID); err != nil {
		return err
	}
	d.p.ExpectPulse()
	d.q = servo.Question{Request: d.tx, Answer: &d.p, Cost: servo.Cost{Rx: 1, Replies: 1}}
	if f.Fault, err = d.bus.Ask(&d.q); err != nil {
		return err
	}
	if f.Fault.Class == servo.None && d.p.PulseUS() == 0 {
		d.reset = true
	}
	for i := range dst {
		if d.reset {
			dst[i].Alarms |= servo.AlarmReset
		}
	}
	return nil
}

// Relax implements servo.Driver: it ends the pulses of channels.
func (d *Driver) Relax(ids []int) (err error) {
	if len(ids) == 0 {
		return nil
	}
	if d.tx, err = AppendOff(d.tx[:0], ids); err != nil {
		return err
	}
	for _, id := range ids {
		d.live[id] = false
	}
	return d.bus.Send(d.tx)
}

// Off implements servo.Driver.
func (d *Driver) Off() (err error) {
	if d.tx, err = Off(d.tx[:0], d.ids); err != nil {
		return err
	}
	d.live = [Channels]bool{}
	return d.bus.Send(d.tx)
}

// Off appends what ends the pulses of channels, behind what makes the board
// forget a line that was begun.
func Off(dst []byte, ids []int) ([]byte, error) {
	if len(ids) == 0 {
		return AppendResync(dst), nil
	}
	return AppendOff(AppendResync(dst), ids)
}

// Arm implements servo.Driver: there is no watchdog.
func (d *Driver) Arm(float64) error {
	return fmt.Errorf("ssc32: watchdog: %w: the board holds its last pulses when the host is gone", servo.ErrUnsupported)
}

// Reboot implements servo.Driver: a board has no such message.
func (d *Driver) Reboot(int) error { return fmt.Errorf("ssc32: reboot: %w", servo.ErrUnsupported) }

// SetID implements servo.Driver: channels have no ids.
func (d *Driver) SetID(int, int) error { return fmt.Errorf("ssc32: set id: %w", servo.ErrUnsupported) }

// Bauds are the rates a board is searched at.
func Bauds() []int { return []int{9600, 115_200, 38_400, 2400} }

// SetBaud implements servo.Driver: register 4 of an SSC-32U, a tenth of the baud.
func (d *Driver) SetBaud(_, baud int) error {
	if baud < 2400 || baud > 921_600 || baud%10 != 0 {
		return servo.Refuse("ssc32", "baud", float64(baud), "2400 to 921600, a multiple of 10")
	}
	d.tx = append(number(append(d.tx[:0], 'R', '4', '='), "", min(baud/10, 99_999)), '\r')
	return d.bus.Send(d.tx)
}
