package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"legctl/control"
	"legctl/record"
	"legctl/rollout"
	"legctl/telemetry"

	"github.com/spf13/cobra"
)

// newRecord groups what can be done with a recording besides replaying it.
func newRecord() *cobra.Command {
	return group("record", "Look into recordings, mend, cut and convert them",
		newRecordInfo(), newRecordRepair(), newRecordCut(), newRecordCSV(), newRecordExport())
}

func newRecordInfo() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "info FILE", Short: "Say what a recording holds: what, when, how long, what happened, whether it is whole",
		Args: exactly(1, "FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			return recordInfo(c.OutOrStdout(), args[0], asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return c
}

// about is what info says.
type about struct {
	File     string            `json:"file"`
	Bytes    int64             `json:"bytes"`
	Names    map[string]string `json:"names"`
	Dt       float64           `json:"dt"`
	Seed     uint64            `json:"seed"`
	Readable bool              `json:"readable"` // its layout is that of this program
	Ticks    uint64            `json:"ticks"`
	First    uint64            `json:"first"`
	Last     uint64            `json:"last"`
	Seconds  float64           `json:"seconds"`
	States   uint64            `json:"states"`
	World    uint64            `json:"world_events"`
	Params   uint64            `json:"parameter_records"`
	Lost     uint64            `json:"lost_records"`
	Falls    uint32            `json:"falls"`
	Limits   uint64            `json:"limit_ticks"`
	Faults   uint64            `json:"fault_ticks"`
	Faulty   []string          `json:"faulty_legs,omitempty"`
	Refused  uint64            `json:"refused"`
	Events   map[string]uint64 `json:"events"`
	Modes    []string          `json:"modes"`
	Whole    bool              `json:"whole"`
	Wrong    string            `json:"wrong,omitempty"`
}

func recordInfo(out io.Writer, file string, asJSON bool) (err error) {
	from, err := record.Open(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	s, err := record.Look(from)
	if err != nil {
		return err
	}
	a := aboutOf(from.Header(), &s)
	a.File = file
	if st, err := os.Stat(file); err == nil {
		a.Bytes = st.Size()
	}
	if asJSON {
		return writeJSON(out, a)
	}
	return a.write(out)
}

// aboutOf gives a survey names.
func aboutOf(h *record.Header, s *record.Survey) *about {
	a := &about{
		Names: map[string]string{}, Dt: h.Dt, Seed: h.Seed, Readable: s.Unreadable == 0, Ticks: s.Ticks, First: s.First, Last: s.Last,
		Seconds: float64(s.Ticks) * h.Dt, States: s.States, World: s.World, Params: s.Params, Lost: s.Lost, Falls: s.Falls,
		Limits: s.LimitTicks, Faults: s.FaultTicks, Refused: s.Refused, Events: map[string]uint64{}, Modes: []string{}, Whole: true,
	}
	for _, n := range h.Names {
		a.Names[n.Key] = n.Value
	}
	for bit, n := range s.Events {
		if n > 0 {
			for _, name := range telemetry.EventNames(control.Event(1) << bit) {
				a.Events[name] += n
			}
		}
	}
	for _, m := range s.Modes {
		a.Modes = append(a.Modes, m.String())
	}
	if c, err := rollout.Restore(h); err == nil {
		for i := range c.Rig.Legs {
			if s.Faults>>i&1 != 0 {
				a.Faulty = append(a.Faulty, c.Rig.Legs[i].Name)
			}
		}
	}
	if wrong := errors.Join(s.Damage, cutError(s.Cut)); wrong != nil {
		a.Whole, a.Wrong = false, wrong.Error()
	}
	return a
}

// cutError is c as an error, nil for none.
func cutError(c *record.CutError) error {
	if c == nil {
		return nil
	}
	return c
}

// write is info for people.
func (a *about) write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, gait %s, terrain %s, seed %d\n", a.File, a.Names["rig"], a.Names["gait"], a.Names["terrain"], a.Seed)
	fmt.Fprintf(&b, "  begun     %s by %s on %s\n", orUnknown(a.Names[startedKey]), orUnknown(a.Names["program"]), orUnknown(a.Names[archKey]))
	fmt.Fprintf(&b, "  lasts     %.2f s: %d ticks of %g ms, %d to %d; %d states; %d bytes\n", a.Seconds, a.Ticks, a.Dt*1e3, a.First, a.Last, a.States, a.Bytes)
	fmt.Fprintf(&b, "  modes     %s\n", strings.Join(a.Modes, " "))
	fmt.Fprintf(&b, "  inputs    %d world events, %d records of new parameters, %d commands refused\n", a.World, a.Params, a.Refused)
	fmt.Fprintf(&b, "  happened  %d falls, %d ticks at a limit, %d ticks with a fault %s\n", a.Falls, a.Limits, a.Faults, strings.Join(a.Faulty, " "))
	for _, name := range slices.Sorted(maps.Keys(a.Events)) {
		fmt.Fprintf(&b, "            %s %d times\n", name, a.Events[name])
	}
	if a.Lost > 0 {
		fmt.Fprintf(&b, "  lost      %d records did not reach the recorder in time\n", a.Lost)
	}
	if !a.Readable {
		fmt.Fprintln(&b, "  layout    of another version of the program: it can be looked at in a viewer, and replayed by the program that wrote it")
	}
	if !a.Whole {
		fmt.Fprintf(&b, "  broken    %s\n            mend it with \"legctl record repair %s\"\n", a.Wrong, a.File)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// ticksOf returns the tick at a time of a run.
func ticksOf(d time.Duration, dt float64) uint64 { return uint64(math.Round(d.Seconds() / dt)) }
