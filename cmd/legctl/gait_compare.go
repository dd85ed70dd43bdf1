package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"legctl/configs"
	"legctl/control"
	"legctl/gait"
	"legctl/plot"
	"legctl/preflight"
	"legctl/rig"
	"legctl/telemetry"

	"github.com/spf13/cobra"
)

// compareFlags are the flags of gait compare.
type compareFlags struct {
	rig, svg string
	json     bool
	gaits    []string
	rate     float64
}

func newGaitCompare() *cobra.Command {
	f := compareFlags{rate: defaultRate}
	c := &cobra.Command{
		Use: "compare", Short: "Walk all gaits of a rig and put their figures side by side", Args: exactly(0, "no arguments"),
		Long: `Compare works out how fast a rig may go forward by every gait, walks it there
over ideal flat ground, and lists duty factor, period, speed and what sets it,
stability margin, the joint speed and torque used, and the cost of transport.

Cost of transport is power over weight and speed, J/(N m). Power is that of a
plain servo model, from static torque t and joint speed w and their limits t0,
w0: max(0, t w) + t^2 w0/t0; the second part is the heat of a motor that holds.`,
		Example: "  legctl gait compare --rig phantomx\n  legctl gait compare --rig a1 --svg a1.svg",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := rateInRange(c, f.rate); err != nil {
				return err
			}
			return f.run(c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&f.rig, "rig", defaultRig, "rig that walks")
	c.Flags().StringVar(&f.svg, "svg", "", "file for a drawing as well; .svg or .png")
	c.Flags().BoolVar(&f.json, "json", false, "as JSON, SI units")
	c.Flags().StringSliceVar(&f.gaits, "gait", nil, "gaits by name or file, in this order (default all of the rig)")
	c.Flags().Float64Var(&f.rate, "rate", defaultRate, "ticks a second")
	return c
}

func (f *compareFlags) run(w io.Writer) error {
	r, err := configs.LoadRig(f.rig)
	if err != nil {
		return err
	}
	p := control.DefaultParams(r)
	p.Dt = 1 / f.rate
	if f.gaits != nil {
		p.Gaits = nil
		for _, name := range f.gaits {
			plan, err := configs.LoadGait(name, r)
			if err != nil {
				return err
			}
			p.Gaits = append(p.Gaits, plan)
		}
	}
	all, err := preflight.Compare(r, p)
	if err != nil {
		return err
	}
	if f.json {
		err = writeComparedJSON(w, r, all)
	} else {
		err = writeCompared(w, r, all)
	}
	if err != nil || f.svg == "" {
		return err
	}
	return drawFile(f.svg, contest(r, all))
}

// drawFile writes a picture in the form its file's name says.
func drawFile(file string, p plot.Picture) error {
	form := strings.TrimPrefix(filepath.Ext(file), ".")
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := plot.Write(out, p, form); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

func writeCompared(w io.Writer, r *rig.Rig, all []preflight.Compared) error {
	fmt.Fprintf(w, "rig %s, forward at the highest allowed speed, ideal flat ground\n", r.Name)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "gait\tclass\tduty\tperiod\tflight\tspeed\tset by\tturn\tleast margin\tmean margin\tjoint speed\ttorque\tpower\tcost of\t")
	fmt.Fprintln(t, "\t\t\ts\t%\tm/s\t\trad/s\tmm\tmm\t%\t%\tW\ttransport\t")
	for i := range all {
		g := &all[i]
		if g.Refused != "" {
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%.3g\t%.0f\t%.3f\t%s\t%.2f\t%s\t%s\t%.0f\t%s\t%s\t%s\t\n", g.Name, classWord(g.Class), duties(g), g.Period, 100*g.Flown,
			g.Speed, telemetry.BindingName(g.Bind), g.Turn, orDash(1e3*g.MarginLeast, 1), orDash(1e3*g.MarginMean, 1),
			100*g.Rate, orDash(100*g.Torque, 0), orDash(g.Watts, 1), orDash(g.CostOfTransport, 2))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i := range all {
		switch g := &all[i]; {
		case g.Refused != "":
			fmt.Fprintf(w, "%s: refused: %s\n", g.Name, g.Refused)
		case g.RaisedBy != 0:
			fmt.Fprintf(w, "%s: %s\n", g.Name, shortened(g))
		}
		if warn := gait.Warning(all[i].Name); warn != "" && len(r.Legs) == 4 && all[i].Refused == "" {
			fmt.Fprintf(w, "%s: did not hold in independent physics: %s (docs/physics.md)\n", all[i].Name, warn)
		}
	}
	return nil
}

// shortened says why a flight is not as written.
func shortened(g *preflight.Compared) string {
	return fmt.Sprintf("flight shortened: it asks for %.3g of %v, the rig gives %.3g; %.0f %% of each swing became stance", g.Asked, g.RaisedBy, g.Gives, 100*g.Raised)
}

func classWord(c rig.Class) string {
	switch c {
	case rig.Static:
		return "static"
	case rig.Dynamic:
		return "dynamic"
	}
	return "ballistic"
}

func duties(g *preflight.Compared) string {
	if g.DutyMost-g.DutyLeast < 0.005 {
		return fmt.Sprintf("%.2f", g.DutyMost)
	}
	return fmt.Sprintf("%.2f-%.2f", g.DutyLeast, g.DutyMost)
}

func orDash(v float64, places int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	return fmt.Sprintf("%.*f", places, v)
}

// comparedJSON is one gait as gait compare --json writes it; what is not known
// is left out.
type comparedJSON struct {
	Gait            string   `json:"gait"`
	Refused         string   `json:"refused,omitempty"`
	Class           string   `json:"class,omitempty"`
	Clocked         bool     `json:"clocked"`
	DutyLeast       float64  `json:"duty_least,omitempty"`
	DutyMost        float64  `json:"duty_most,omitempty"`
	Period          float64  `json:"period,omitempty"`
	Flight          float64  `json:"flight,omitempty"`
	Raised          float64  `json:"raised,omitempty"`
	Speed           float64  `json:"speed,omitempty"`
	Heading         float64  `json:"heading,omitempty"`
	Bind            string   `json:"bind,omitempty"`
	Turn            float64  `json:"turn,omitempty"`
	MarginLeast     *float64 `json:"margin_least,omitempty"`
	MarginMean      *float64 `json:"margin_mean,omitempty"`
	JointSpeed      *float64 `json:"joint_speed,omitempty"`
	Torque          *float64 `json:"torque,omitempty"`
	Power           *float64 `json:"power,omitempty"`
	CostOfTransport *float64 `json:"cost_of_transport,omitempty"`
}

func writeComparedJSON(w io.Writer, r *rig.Rig, all []preflight.Compared) error {
	out := struct {
		Rig   string         `json:"rig"`
		Gaits []comparedJSON `json:"gaits"`
	}{Rig: r.Name}
	for i := range all {
		g := &all[i]
		if g.Refused != "" {
			out.Gaits = append(out.Gaits, comparedJSON{Gait: g.Name, Clocked: g.Clocked, Refused: g.Refused})
			continue
		}
		out.Gaits = append(out.Gaits, comparedJSON{
			Gait: g.Name, Class: classWord(g.Class), Clocked: g.Clocked, DutyLeast: g.DutyLeast, DutyMost: g.DutyMost, Period: g.Period,
			Flight: g.Flown, Raised: g.Raised, Speed: g.Speed, Heading: g.Heading, Bind: telemetry.BindingName(g.Bind), Turn: g.Turn,
			MarginLeast: known(g.MarginLeast), MarginMean: known(g.MarginMean), JointSpeed: known(g.Rate), Torque: known(g.Torque),
			Power: known(g.Watts), CostOfTransport: known(g.CostOfTransport),
		})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// known is v, or nil where it is not a finite number.
func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// contest is the drawing of a comparison.
func contest(r *rig.Rig, all []preflight.Compared) *plot.Contest {
	t := &plot.Contest{Title: r.Name + ": gaits forward at their highest allowed speed", Side: r.Groups.Side, Floor: 0.02 * r.L()}
	for i := range all {
		g := &all[i]
		under := fmt.Sprintf("%s, duty %s, %.2f s", classWord(g.Class), duties(g), g.Period)
		t.Rows = append(t.Rows, plot.ContestRow{
			Name: g.Name, Under: under, Refused: g.Refused, Diagram: g.Diagram, Margins: g.Margins, Speed: g.Speed,
			MarginLeast: g.MarginLeast, MarginMean: g.MarginMean, Rate: g.Rate, Torque: g.Torque, Cost: g.CostOfTransport,
		})
	}
	return t
}
