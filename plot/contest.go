package plot

import (
	"fmt"
	"image/color"
	"math"

	"legctl/gait"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Contest is a table of gaits of one rig, drawn: a row a gait with who stands
// when, the margin meanwhile, and bars for what it costs and brings.
type Contest struct {
	Title string
	Side  []int8 // of each leg, as in rig.Groups; may be nil
	Floor float64
	Rows  []ContestRow
}

// ContestRow is one gait. Values that are NaN or infinite are drawn as a dash.
type ContestRow struct {
	Name    string
	Under   string // a second line under the name
	Refused string // not empty: drawn in place of everything else

	Diagram gait.Diagram
	Margins []float64 // metres, one a moment of Diagram

	Speed       float64 // m/s
	MarginLeast float64 // metres
	MarginMean  float64 // metres
	Rate        float64 // share of joint speed
	Torque      float64 // share of joint torque
	Cost        float64 // cost of transport
}

// Columns of a contest, points from the left.
const (
	contestName  = 10
	contestTime  = 128
	contestTimeW = 210
	contestBars  = 356
	contestBarW  = 76
	contestStep  = 92
	contestHead  = 46
)

// contestColumn is one column of bars.
type contestColumn struct {
	title, unit string
	places      int
	full        float64 // 0: the largest of the rows
	value       func(*ContestRow) float64
	under       func(*ContestRow) float64 // a second, fainter bar behind; may be nil
}

func contestColumns() []contestColumn {
	return []contestColumn{
		{"speed", "m/s", 3, 0, func(r *ContestRow) float64 { return r.Speed }, nil},
		{"margin, least", "mm (mean behind)", 0, 0, func(r *ContestRow) float64 { return 1e3 * r.MarginLeast }, func(r *ContestRow) float64 { return 1e3 * r.MarginMean }},
		{"joint speed", "% of limit", 0, 100, func(r *ContestRow) float64 { return 100 * r.Rate }, nil},
		{"torque", "% of limit", 0, 100, func(r *ContestRow) float64 { return 100 * r.Torque }, nil},
		{"cost of transport", "J/(N m)", 1, 0, func(r *ContestRow) float64 { return r.Cost }, nil},
	}
}

// rowHeight follows the number of legs.
func (t *Contest) rowHeight() vg.Length {
	legs := 0
	for i := range t.Rows {
		legs = max(legs, len(t.Rows[i].Diagram.Names))
	}
	return vg.Points(float64(max(34, 6*legs+22)))
}

func (t *Contest) tall(i int) vg.Length {
	if t.Rows[i].Refused != "" {
		return vg.Points(22)
	}
	return t.rowHeight()
}

// Size implements Picture: the height follows the rows.
func (t *Contest) Size() (width, height vg.Length) {
	h := vg.Points(contestHead + 14)
	for i := range t.Rows {
		h += t.tall(i)
	}
	return vg.Points(contestBars + 5*contestStep + 8), h
}

// Draw implements Picture. A contest without rows is an error.
func (t *Contest) Draw(c draw.Canvas) error {
	if len(t.Rows) == 0 {
		return errNothing
	}
	for i := range t.Rows {
		if d := &t.Rows[i].Diagram; len(d.Names) > 64 || len(t.Rows[i].Margins) != 0 && len(t.Rows[i].Margins) != len(d.Bits) {
			return fmt.Errorf("plot: gait %s has %d legs, %d moments and %d margins, want at most 64 legs and as many margins as moments", t.Rows[i].Name, len(d.Names), len(d.Bits), len(t.Rows[i].Margins))
		}
	}
	at := func(x float64) vg.Length { return c.Min.X + vg.Points(x) }
	c.FillText(words(12, ink(), 0, 0), vg.Point{X: at(contestName), Y: c.Max.Y - vg.Points(18)}, t.Title)
	head := c.Max.Y - vg.Points(contestHead-10)
	c.FillText(words(8, ink(), 0, 0), vg.Point{X: at(contestTime), Y: head}, "feet down, and the margin below (red line: floor)")
	columns := contestColumns()
	for k, col := range columns {
		x := at(float64(contestBars + k*contestStep))
		c.FillText(words(8, ink(), 0, 0), vg.Point{X: x, Y: head + vg.Points(9)}, col.title)
		c.FillText(words(7, centre(), 0, 0), vg.Point{X: x, Y: head}, col.unit)
	}
	top := c.Max.Y - vg.Points(contestHead)
	for i := range t.Rows {
		h := t.tall(i)
		t.row(&c, i, columns, top, h)
		top -= h
	}
	return nil
}

// row draws one gait between top and top - h.
func (t *Contest) row(c *draw.Canvas, i int, columns []contestColumn, top, h vg.Length) {
	r := &t.Rows[i]
	at := func(x float64) vg.Length { return c.Min.X + vg.Points(x) }
	c.StrokeLine2(line(quiet(), 0.5), at(contestName), top, c.Max.X-vg.Points(8), top)
	c.FillText(words(10, ink(), 0, 0), vg.Point{X: at(contestName), Y: top - vg.Points(15)}, r.Name)
	if r.Refused != "" {
		c.FillText(words(8, bad(), 0, 0), vg.Point{X: at(contestTime), Y: top - vg.Points(15)}, short(r.Refused, 118))
		return
	}
	c.FillText(words(7, centre(), 0, 0), vg.Point{X: at(contestName), Y: top - vg.Points(26)}, r.Under)
	t.times(c, r, at(contestTime), top-vg.Points(5), h-vg.Points(9))
	for k := range columns {
		t.bar(c, &columns[k], r, at(float64(contestBars+k*contestStep)), top-h/2)
	}
}

// times draws stances and margins over time.
func (t *Contest) times(c *draw.Canvas, r *ContestRow, x, top, h vg.Length) {
	d := &r.Diagram
	if len(d.Bits) == 0 {
		return
	}
	w := vg.Points(contestTimeW)
	moment := func(k int) vg.Length { return x + w*vg.Length(k)/vg.Length(len(d.Bits)) }
	strip := vg.Points(6)
	for leg := range d.Names {
		y := top - strip*vg.Length(leg)
		hue := sideColour(t.Side, leg)
		runs(len(d.Bits), func(k int) uint64 { return d.Bits[k] >> leg & 1 }, func(from, to int, down uint64) {
			if down == 1 {
				c.FillPolygon(hue, rectangle(moment(from), y-strip+vg.Points(1.5), moment(to), y))
			}
		})
	}
	t.marginLine(c, r, moment, top-strip*vg.Length(len(d.Names))-vg.Points(1), top-h)
}

// marginLine draws the margin between two heights, the largest of all rows on
// top; where it is below 0, or no foot stands, the line is red at the bottom.
func (t *Contest) marginLine(c *draw.Canvas, r *ContestRow, moment func(int) vg.Length, top, bottom vg.Length) {
	most := t.Floor
	for i := range t.Rows {
		for _, m := range t.Rows[i].Margins {
			if finite(m) {
				most = math.Max(most, m)
			}
		}
	}
	if !(most > 0) || len(r.Margins) == 0 {
		return
	}
	y := func(m float64) vg.Length {
		if !finite(m) {
			m = 0
		}
		return bottom + (top-bottom)*vg.Length(math.Min(1, math.Max(0, m/most)))
	}
	c.StrokeLine2(line(quiet(), 0.5), moment(0), bottom, moment(len(r.Margins)), bottom)
	c.StrokeLine2(line(bad(), 0.5), moment(0), y(t.Floor), moment(len(r.Margins)), y(t.Floor))
	under := func(k int) uint64 {
		if r.Margins[k] < 0 {
			return 1
		}
		return 0
	}
	runs(len(r.Margins), under, func(from, to int, low uint64) {
		tint := good()
		if low == 1 {
			tint = bad()
		}
		path := make([]vg.Point, 0, to-from+1)
		for k := from; k < to; k++ {
			path = append(path, vg.Point{X: moment(k), Y: y(r.Margins[k])})
		}
		path = append(path, vg.Point{X: moment(to), Y: y(r.Margins[to-1])})
		c.StrokeLines(line(tint, 1), path)
	})
}

// bar draws one value with its number.
func (t *Contest) bar(c *draw.Canvas, col *contestColumn, r *ContestRow, x, mid vg.Length) {
	full := col.full
	if full == 0 {
		for i := range t.Rows {
			for _, v := range []func(*ContestRow) float64{col.value, col.under} {
				if v != nil && t.Rows[i].Refused == "" && finite(v(&t.Rows[i])) {
					full = math.Max(full, v(&t.Rows[i]))
				}
			}
		}
	}
	fill := func(v float64, tint color.Color, half float64) {
		if finite(v) && v > 0 && full > 0 {
			w := vg.Points(contestBarW * math.Min(1, v/full))
			c.FillPolygon(tint, rectangle(x, mid-vg.Points(half), x+w, mid+vg.Points(half)))
		}
	}
	if col.under != nil {
		fill(col.under(r), faded(centre(), 0x50), 5)
	}
	v := col.value(r)
	tint := left()
	if col.full > 0 && v > col.full {
		tint = bad()
	}
	fill(v, tint, 3)
	text, colour := "-", ink()
	if finite(v) {
		if text = number(v, col.places); v < 0 {
			colour = bad()
		}
	}
	c.FillText(words(8, colour, 0, 0), vg.Point{X: x, Y: mid + vg.Points(7)}, text)
}

// short cuts text to a number of characters.
func short(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
