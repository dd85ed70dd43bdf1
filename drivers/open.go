package drivers

import (
	"context"
	"errors"
	"time"

	"legctl/drivers/servo"
)

// SerialOpener opens the port of a config by its stable name, with OpenSerial or
// whatever opens ports instead. What the adaptor adds is asked of the system each
// time, since it is set back when it is plugged in.
func SerialOpener(c *servo.Config, clock servo.Clock, open func(name string, baud int) (servo.Port, error)) Opener {
	if clock == nil {
		clock = servo.SystemClock()
	}
	return func() (*Link, func() error, error) {
		proto, err := ProtocolOf(c.Protocol)
		if err != nil {
			return nil, nil, err
		}
		if c.Port == "" {
			return nil, nil, errNoPort
		}
		baud := baudOf(proto, c)
		port, err := open(c.Port, baud)
		if err != nil {
			return nil, nil, err
		}
		return LinkOf(port, clock, proto, c), port.Close, nil
	}
}

// LinkOf joins an open port to what a driver needs of it.
func LinkOf(port servo.Port, clock servo.Clock, proto *Protocol, c *servo.Config) *Link {
	delay := seconds(c.ReturnDelay)
	if proto.Name == "ssc32" {
		delay = max(delay, 5*time.Millisecond) // the board's own pace
	}
	timing := servo.Timing{
		Baud: baudOf(proto, c), Echo: c.Echo, ReturnDelay: delay, Latency: seconds(latencyOf(c, c.Port)),
	}
	return &Link{Port: port, Bus: servo.NewBus(port, clock, timing), Clock: clock}
}

// BoardOpener opens the board of a config that is driven over I2C, with BoardOf or
// whatever opens boards instead.
func BoardOpener(c *servo.Config, clock servo.Clock, open func(c *servo.Config) (Board, error)) Opener {
	if clock == nil {
		clock = servo.SystemClock()
	}
	return func() (*Link, func() error, error) {
		b, err := open(c)
		if err != nil {
			return nil, nil, err
		}
		n, err := I2CBus(c.Port, b)
		if err != nil {
			return nil, nil, errors.Join(err, b.Finalize())
		}
		return &Link{Board: b, I2C: n, Clock: clock}, b.Finalize, nil
	}
}

// A board that was just plugged in may be starting still, or be probed by other
// programs, for some seconds: until then silence is no answer.
const (
	settleTime = 15 * time.Second
	settleStep = 500 * time.Millisecond
)

// greet asks all servos who they are, again and again while their adaptor is
// plugged in since less than settleTime.
func (p *Plant) greet(ctx context.Context, c *connection) (found []servo.Identity, err error) {
	for {
		found, err = c.drv.Open(ids(p.cfg))
		var silence servo.Fault
		if !errors.As(err, &silence) || errors.Is(err, servo.ErrGone) || ctx.Err() != nil || p.o.Plugged() > settleTime {
			return found, err
		}
		p.clock.Sleep(settleStep)
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
