package drivers

import (
	"fmt"
	"math"
	"strings"

	"legctl/drivers/servo"
)

// share is the most of a tick that the wire may be busy.
const share = 0.7

// Budget is what a tick takes of a bus.
type Budget struct {
	Rate    float64 // ticks a second it was reckoned for
	Baud    int     // or the bits a second of an I2C bus
	Write   float64 // seconds on the wire for one group write
	Read    float64 // seconds for the feedback of one tick, waiting included; 0: none
	Servos  int     // all of them
	Asked   int     // servos whose feedback fits a tick
	Bytes   int     // written in a tick; bits on an I2C bus
	Most    float64 // highest rate with at least one servo read a tick, ticks a second
	Refresh float64 // seconds until every servo was read once; 0: no feedback
}

// NewBudget reckons what the servos of a config take of their bus at a rate, and
// refuses a rate the bus cannot carry with the baud that could and the highest
// rate that it can. latency is what the adaptor adds to an answer, seconds.
func NewBudget(p *Protocol, c *servo.Config, rate, latency float64) (Budget, error) {
	if !(rate > 0) {
		return Budget{}, fmt.Errorf("drivers: rate is %g Hz, want more than 0", rate)
	}
	d := p.Demand(c, ids(c))
	bits := d.Bits
	if bits == 0 {
		bits = 10
	}
	b := Budget{Rate: rate, Baud: baudOf(p, c), Servos: len(c.Servos), Bytes: d.Write.Bytes()}
	b.Write = d.Write.Wire(bits, b.Baud)
	ask := func(n int) float64 { return d.Read(n).Seconds(bits, b.Baud, c.ReturnDelay, latency) }
	b.Most = share / (b.Write + ask(min(1, d.Most)))
	if d.MostRate > 0 {
		b.Most = min(b.Most, d.MostRate)
	}
	if rate > b.Most*(1+1e-9) {
		return b, b.refuse(p, c, &d, bits, latency)
	}
	for n := 1; n <= d.Most && b.Write+ask(n) <= share/rate; n++ {
		b.Asked, b.Read = n, ask(n)
	}
	if b.Asked > 0 && p.Caps.Feedback {
		b.Refresh = math.Ceil(float64(b.Servos)/float64(b.Asked)) / rate
	}
	return b, nil
}

// BudgetOf is the budget of a config at a rate, with what the adaptor of its port
// adds, as far as that is known.
func BudgetOf(c *servo.Config, rate float64) (Budget, error) {
	p, err := ProtocolOf(c.Protocol)
	if err != nil {
		return Budget{}, err
	}
	return NewBudget(p, c, rate, latencyOf(c, c.Port))
}

// refuse says what would do.
func (b *Budget) refuse(p *Protocol, c *servo.Config, d *servo.Demand, bits int, latency float64) error {
	left := share/b.Rate - d.Read(min(1, d.Most)).Seconds(bits, math.MaxInt32, c.ReturnDelay, latency)
	what := "no baud is enough"
	if all := d.Write.Add(d.Read(min(1, d.Most))); left > 0 && (d.MostRate == 0 || b.Rate <= d.MostRate) {
		what = fmt.Sprintf("at least %d baud", int(math.Ceil(float64(all.Bytes()*bits)/left)))
		if p.I2C() {
			what = fmt.Sprintf("an I2C bus of %d bits a second", int(math.Ceil(float64(all.Bytes()*bits)/left)))
		}
	}
	return fmt.Errorf("drivers: %s with %d servos: %g ticks a second need %s (%.2f ms of the wire a tick, at most %.0f %% of %.1f ms); "+
		"at %d the highest rate is %.0f", p.Name, b.Servos, b.Rate, what, 1000*(b.Write+b.readOne(d, bits, c, latency)), 100*share, 1000/b.Rate, b.Baud, math.Floor(b.Most))
}

func (b *Budget) readOne(d *servo.Demand, bits int, c *servo.Config, latency float64) float64 {
	return d.Read(min(1, d.Most)).Seconds(bits, b.Baud, c.ReturnDelay, latency)
}

// String is the budget in a sentence.
func (b Budget) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%d servos at %g Hz: %.2f ms of the wire a tick to write", b.Servos, b.Rate, 1000*b.Write)
	if b.Refresh > 0 {
		fmt.Fprintf(&s, ", %.2f ms to read %d of them, each every %.0f ms", 1000*b.Read, b.Asked, 1000*b.Refresh)
	}
	fmt.Fprintf(&s, "; highest rate %.0f Hz", math.Floor(b.Most))
	return s.String()
}

// ids of all servos, in the order of the config.
func ids(c *servo.Config) []int {
	out := make([]int, len(c.Servos))
	for i := range c.Servos {
		out[i] = c.Servos[i].ID
	}
	return out
}

// baudOf is the speed of the bus: a config's or the protocol's usual one.
func baudOf(p *Protocol, c *servo.Config) int {
	switch {
	case p.I2C() && c.Pulses.BitRate > 0:
		return c.Pulses.BitRate
	case p.I2C():
		return servo.DefaultBitRate
	case c.Baud > 0:
		return c.Baud
	}
	return p.Caps.DefaultBaud
}
