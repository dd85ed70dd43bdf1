package loop

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"legctl/control"
	"legctl/control/mode"
)

// Options say how Run runs a cell. The zero value is not enough: Dt is needed.
type Options struct {
	Dt       float64       // seconds a tick, in (0, 1]; the same the controller was made with
	Ticks    uint64        // ends after so many; 0: when the context does
	Mailbox  *Mailbox      // nil: nobody commands
	World    World         // nil: nothing changes
	Sinks    []Sink        // closed by Run
	Swap     *Swap         // nil: the controller stays the same
	Snapshot uint64        // ticks between two TagState records; 0: one second's worth
	Ring     int           // records a sink's ring holds; 0: four seconds' worth
	Clock    Clock         // nil: Monotonic(0)
	Stats    *Stats        // nil: only the returned error is left; else filled while running
	Patience time.Duration // how long a sink may take to close; 0: 2 s
	Watchdog time.Duration // how long a tick may last before the plant is halted; 0: 1 s
	Care     *Care         // nil: alarms have no consequences, and the run ends where it is
}

// ErrPanic is in the error of a Run that a panic ended.
var ErrPanic = errors.New("panic in the tick")

// Run opens the plant and runs the cell tick by tick, at absolute deadlines Dt
// apart, until the context ends, Ticks are done or something breaks. A tick
// that would begin more than half a period late is skipped and counted, never
// caught up; the cell does not notice. It takes over the thread it runs on.
//
// A limp rig whose plant may arm itself (rig.Caps.SelfArm) is armed before the
// first command of the mailbox. A plant that fails in a tick does not end Run: the
// controller is told (see Cycle), and Stats counts it.
//
// A tick that lasts longer than Watchdog is not waited for: the plant is halted
// beside it, its context ends, and so does Run when the tick comes back.
//
// On every way out, a panic of controller or plant included, the plant is
// halted, then closed, then the sinks get what is left and are closed. The
// error joins all that went wrong; the end of the context is not an error.
func Run(ctx context.Context, c *Cell, o Options) (err error) {
	o, err = o.filled()
	if err != nil {
		return err
	}
	undo := punctual()
	defer undo()
	out := &fan{}
	for _, s := range o.Sinks {
		out.feeders = append(out.feeders, feed(NewRing(o.Ring, RecordSize(c)), s))
	}
	o.Stats.out.Store(out)
	defer func() { err = errors.Join(err, out.end(o.Patience)) }()
	defer func() { err = errors.Join(err, safely("close the plant", c.Plant.Close)) }()
	defer func() { err = errors.Join(err, safely("halt the plant", c.Plant.Halt)) }()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("loop: %w %d: %v\n%s", ErrPanic, c.Tick, p, debug.Stack())
		}
	}()
	ctx, dog := guard(ctx, c, &o)
	defer dog.stop()
	caps, err := c.Plant.Open(ctx)
	if err != nil {
		return fmt.Errorf("loop: open the plant: %w", err)
	}
	if rate := 1 / o.Dt; caps.MaxRate > 0 && rate > caps.MaxRate*(1+1e-9) {
		return fmt.Errorf("loop: rate is %g Hz, the plant takes at most %g: lower the rate", rate, caps.MaxRate)
	}
	if caps.SelfArm && c.State.Mode == mode.Limp {
		o.Mailbox.first(control.Command{Kind: control.KindMode, Mode: mode.Arm})
	}
	t := NewTicker(c, o.Dt, o.Snapshot)
	if t.Care = o.Care; o.Care != nil {
		o.Care.Dt = o.Dt
	}
	t.World, t.Mailbox, t.Out, t.Swap = o.World, o.Mailbox, out, o.Swap
	pace(ctx, t, &o, dog)
	return stalled(ctx)
}

// filled returns o with its defaults, or what is wrong with it.
func (o Options) filled() (Options, error) {
	if !(o.Dt > 0 && o.Dt <= 1) {
		return o, fmt.Errorf("loop: dt is %g s, must be in (0, 1]", o.Dt)
	}
	second := uint64(1/o.Dt + 0.5)
	if o.Snapshot == 0 {
		o.Snapshot = max(1, second)
	}
	if o.Ring == 0 {
		o.Ring = int(max(64, 4*(second+second/o.Snapshot))) // frames and states
	}
	if o.Clock == nil {
		o.Clock = Monotonic(0)
	}
	if o.Stats == nil {
		o.Stats = new(Stats)
	}
	if o.Mailbox == nil {
		o.Mailbox = new(Mailbox)
	}
	if o.Patience == 0 {
		o.Patience = 2 * time.Second
	}
	if o.Watchdog <= 0 {
		o.Watchdog = time.Second
	}
	return o, nil
}

// pace is the loop itself.
func pace(ctx context.Context, t *Ticker, o *Options, dog *watchdog) {
	c := t.Cell
	period := time.Duration(o.Dt*1e9 + 0.5)
	next, skipped := o.Clock.Now(), false
	for end := c.Tick + o.Ticks; o.Ticks == 0 || c.Tick < end; next += period {
		o.Clock.Until(next)
		if ctx.Err() != nil {
			if o.Care == nil || stalled(ctx) != nil || o.Care.Left(c.State.Mode) {
				return
			}
			o.Care.Leave()
		}
		now := o.Clock.Now()
		// Never twice in a row: a system whose sleeps are all long still gets ticks.
		if late := now - next; late > period/2 && !skipped {
			gone := max(1, (late+period/2)/period) // deadlines, this one included
			o.Stats.Skipped.Add(uint64(gone))
			next += (gone - 1) * period
			skipped = true
			continue
		}
		skipped = false
		o.Stats.Lateness.Add(now - next)
		dog.begin()
		if err := t.Do(ticking(ctx, o)); err != nil {
			o.Stats.fail(err)
		}
		dog.end()
		o.Stats.Ticks.Add(1)
		o.Stats.Work.Add(o.Clock.Now() - now)
	}
}

// ticking is the context of a tick: on the way out, which the plant must still
// walk, the run's has ended.
func ticking(ctx context.Context, o *Options) context.Context {
	if o.Care != nil && ctx.Err() != nil && stalled(ctx) == nil {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// safely calls f and makes an error of a panic.
func safely(what string, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("loop: %s: panic: %v", what, p)
		}
	}()
	if err = f(); err != nil {
		return fmt.Errorf("loop: %s: %w", what, err)
	}
	return nil
}
