//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"legctl/configs"
	"legctl/drivers"
	"legctl/drivers/servo"
	"legctl/rig"

	"github.com/spf13/cobra"
)

func newServo() *cobra.Command {
	return group("servo", "Find, test and calibrate servos; try them out without any",
		newServoPorts(), newServoModels(), newServoScan(), newServoPing(), newServoRead(), newServoSet(),
		newServoMonitor(), newServoWave(), newServoCalibrate(), newServoEmulate(), newServoImport())
}

// servoFlags say how servos are reached: by a rig's file, or by the flags.
type servoFlags struct {
	rig, protocol, device string
	baud                  int
	echo                  bool
	latency               float64
	osc                   []float64 // of boards, as a calibration knows them
	calibrated            bool      // use the calibration that is kept, if it is this rig's
}

func (o *servoFlags) bind(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.protocol, "protocol", "", "how the servos are spoken to, one of "+strings.Join(servo.Protocols(), ", ")+" (default: the rig's file)")
	f.StringVar(&o.device, "device", "", "serial port: a /dev/serial/by-id link, \"serial:\" and a USB serial number, or a device; I2C: number of the bus; or what \"legctl servo emulate\" makes (default: the rig's file)")
	f.IntVar(&o.baud, "baud", 0, "bits a second (default: the rig's file, else the protocol's)")
	f.BoolVar(&o.echo, "echo", false, "the adaptor hands back what it sends")
	f.Float64Var(&o.latency, "latency", 0, "seconds the adaptor, or a busy computer, adds to a reply (default: the rig's file, else the system's)")
}

// bindRig adds the flag that names a rig, for commands whose arguments are ids.
func (o *servoFlags) bindRig(c *cobra.Command) {
	o.bind(c)
	c.Flags().StringVar(&o.rig, "rig", "", "rig whose servos they are, by name or file")
}

// servos are an open bus with the driver of its protocol. rig is nil when no rig
// was named; then the config has no servos but those added.
type servos struct {
	rig   *rig.Rig
	cfg   *servo.Config
	proto *drivers.Protocol
	link  *drivers.Link
	drv   servo.Driver
	close func() error
}

// config returns what the flags and the rig say, with nothing opened.
func (o *servoFlags) config(c *cobra.Command) (*servos, error) {
	s := &servos{cfg: &servo.Config{}}
	if o.rig != "" {
		r, cfg, err := configs.LoadRobot(o.rig)
		if err != nil {
			return nil, err
		}
		if cfg == nil {
			return nil, fmt.Errorf("rig %s has no servos section: see docs/hardware.md for how to write one", r.Name)
		}
		s.rig, s.cfg = r, cfg
		if o.calibrated {
			if err := applyCalibration(cfg, r.Name); err != nil {
				fmt.Fprintf(c.ErrOrStderr(), "note: %v; taken to be as the rig's file says\n", err)
			}
		}
	}
	if o.protocol != "" {
		s.cfg.Protocol = o.protocol
	}
	if o.device != "" {
		s.cfg.Port = o.device
	}
	if o.baud != 0 {
		s.cfg.Baud = o.baud
	}
	s.cfg.Echo = s.cfg.Echo || o.echo
	if !(o.latency >= 0 && o.latency <= 1) {
		return nil, wrongUsage(c, fmt.Errorf("--latency %g, want 0 to 1 second", o.latency))
	}
	if o.latency > 0 {
		s.cfg.Latency = o.latency
	}
	if s.cfg.Protocol == "" {
		return nil, wrongUsage(c, errors.New("which protocol? name a rig, or give --protocol"))
	}
	if len(o.osc) > 0 && len(o.osc) == len(s.cfg.Pulses.Addresses) {
		s.cfg.Pulses.OscHz = o.osc
	}
	var err error
	if s.proto, err = drivers.ProtocolOf(s.cfg.Protocol); err != nil {
		return nil, wrongUsage(c, err)
	}
	if s.proto.I2C() && s.cfg.Board == "" {
		s.cfg.Board = "raspi"
	}
	if s.proto.I2C() && len(s.cfg.Pulses.Addresses) == 0 {
		s.cfg.Pulses = servo.Pulses{Addresses: []byte{0x40}, Hz: servo.DefaultPulseHz}
	}
	return s, nil
}

// open opens the bus. Close it again.
func (o *servoFlags) open(c *cobra.Command) (*servos, error) {
	s, err := o.config(c)
	if err != nil {
		return nil, err
	}
	opener := drivers.SerialOpener(s.cfg, nil, drivers.OpenSerial)
	if s.proto.I2C() {
		opener = drivers.BoardOpener(s.cfg, nil, drivers.BoardOf)
	}
	if s.link, s.close, err = opener(); err != nil {
		return nil, err
	}
	if s.drv, err = s.proto.Driver(s.link, s.cfg); err != nil {
		return nil, errors.Join(err, s.close())
	}
	end := s.close
	s.close = func() error {
		if s.link.Bus != nil && s.link.Bus.Stats.EchoFound {
			fmt.Fprintln(c.ErrOrStderr(), "note: the adaptor hands back what it sends: give --echo, or echo: true in the rig's file")
		}
		if d, ok := s.drv.(io.Closer); ok {
			return errors.Join(d.Close(), end())
		}
		return end()
	}
	return s, nil
}

// meet opens servos; those that do not answer are named in one sentence.
func (s *servos) meet(ids []int) ([]servo.Identity, error) {
	found, err := s.drv.Open(ids)
	return found, drivers.Missing(s.proto, s.cfg, ids, found, err)
}

// name is that of a servo by its id, "-" when no rig was named.
func (s *servos) name(id int) string {
	for i := range s.cfg.Servos {
		if s.cfg.Servos[i].ID == id {
			return s.cfg.Servos[i].Name
		}
	}
	return "-"
}

// ids reads lists such as 1-6,9 and the names of a rig's servos; none are all of
// the rig.
func (s *servos) ids(c *cobra.Command, words []string) ([]int, error) {
	if len(words) == 0 {
		var all []int
		for i := range s.cfg.Servos {
			all = append(all, s.cfg.Servos[i].ID)
		}
		if len(all) == 0 {
			return nil, wrongUsage(c, errors.New("which servos? give ids such as 1-6, or --rig"))
		}
		return all, nil
	}
	var out []int
	for _, w := range words {
		if i := s.cfg.Index(w); i >= 0 {
			out = append(out, s.cfg.Servos[i].ID)
			continue
		}
		some, err := idList(w)
		if err != nil {
			return nil, wrongUsage(c, err)
		}
		out = append(out, some...)
	}
	return out, nil
}

// idList reads 1-6,9.
func idList(s string) ([]int, error) {
	var out []int
	for _, part := range strings.Split(s, ",") {
		lo, hi, span := strings.Cut(part, "-")
		a, err := strconv.Atoi(lo)
		b := a
		if span && err == nil {
			b, err = strconv.Atoi(hi)
		}
		if err != nil || a < 0 || b < a || b > 991 {
			return nil, fmt.Errorf("ids %q, want numbers from 0 to 991 such as 1-6,9", s)
		}
		for id := a; id <= b; id++ {
			out = append(out, id)
		}
	}
	return out, nil
}

func newServoPorts() *cobra.Command {
	return &cobra.Command{
		Use: "ports", Short: "List the serial ports of this computer by stable names", Args: exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			ports, err := drivers.Ports()
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			if len(ports) == 0 {
				fmt.Fprintln(out, "no serial port: is the adaptor plugged in? dmesg says what the system made of it")
				return nil
			}
			w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
			fmt.Fprintln(w, "NAME\tDEVICE\tUSB\tPRODUCT\tNOTE")
			for _, p := range ports {
				note := p.Trouble
				if slow := drivers.SlowAdaptor(p.Device); note == "" {
					note = slow
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", p.Name, p.Device, dash(p.USB), dash(p.Product), note)
			}
			return w.Flush()
		},
	}
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func newServoModels() *cobra.Command {
	return &cobra.Command{
		Use: "models", Short: "List the types of servo that rigs may name", Args: exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 8, 2, ' ', 0)
			fmt.Fprintln(w, "MODEL\tPROTOCOLS\tNUMBER\tPOSITIONS\tTRAVEL deg\tVOLTS\tOFF AT C")
			for _, m := range servo.Models() {
				travel := (m.Max - m.Min) / m.PerTurn * 360
				fmt.Fprintf(w, "%s\t%s\t%d\t%.0f to %.0f\t%.0f\t%g to %g\t%g\n", m.Name, strings.Join(m.Protocols, " "), m.Number, m.Min, m.Max, travel, m.Volts[0], m.Volts[1], m.Celsius)
			}
			return w.Flush()
		},
	}
}
