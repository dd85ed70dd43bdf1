package gait

import "strconv"

// Diagram is a gait diagram after Hildebrand: which legs stand at each of a row
// of moments, as bit sets by leg index. Sample makes one from a phase table; a
// recording is one already.
type Diagram struct {
	Names []string // one a leg, drawn in this order
	Bits  []uint64 // one a moment: bit i is set while leg i stands
	From  float64  // the first moment: cycle phase, or seconds
	Step  float64  // between moments, same unit; 0 leaves the scale out
	Unit  string   // of From and Step: "cycle", "s"
}

// Sample returns the diagram of one cycle of a valid gait in n moments, each at
// the middle of its part of the cycle.
func (g *Gait) Sample(names []string, n int) Diagram {
	d := Diagram{Names: names, Bits: make([]uint64, max(n, 0)), Unit: "cycle"}
	for k := range d.Bits {
		d.Bits[k] = g.Stance((float64(k) + 0.5) / float64(n))
	}
	if n > 0 {
		d.Step = 1 / float64(n)
	}
	return d
}

// Marks of a text diagram: a column of which the leg stands all, some, or none.
const (
	markStance = "█"
	markPart   = "▒"
	markSwing  = "·"
)

// AppendText appends the diagram as UTF-8 text to dst and returns it: one line
// a leg with its name, its bar of at most width columns and its duty factor,
// then a line with the number of feet down and one with the scale. A bar with
// fewer moments than columns has one column a moment; with more, a column
// covers several. width below 1 counts as 1. A leg beyond bit 63 never stands.
func (d *Diagram) AppendText(dst []byte, width int) []byte {
	cols := min(max(width, 1), len(d.Bits))
	pad := len("feet")
	for _, n := range d.Names {
		pad = max(pad, runes(n))
	}
	for leg, n := range d.Names {
		dst = padded(dst, n, pad)
		dst = append(dst, " |"...)
		for c := range cols {
			dst = append(dst, d.mark(leg, c, cols)...)
		}
		dst = append(dst, "| "...)
		dst = strconv.AppendFloat(dst, d.DutyFactor(leg), 'f', 2, 64)
		dst = append(dst, '\n')
	}
	dst = d.feetLine(dst, pad, cols)
	return d.scaleLine(dst, pad, cols)
}

// DutyFactor returns the share of the moments in which a leg stands, [0, 1]; 0
// for an empty diagram.
func (d *Diagram) DutyFactor(leg int) float64 {
	if len(d.Bits) == 0 {
		return 0
	}
	return float64(d.down(leg, 0, len(d.Bits))) / float64(len(d.Bits))
}

// span returns the moments that column c of cols covers.
func (d *Diagram) span(c, cols int) (from, to int) {
	n := len(d.Bits)
	return c * n / cols, (c + 1) * n / cols
}

// down counts the moments from, ..., to-1 in which a leg stands.
func (d *Diagram) down(leg, from, to int) int {
	n := 0
	for _, b := range d.Bits[from:to] {
		n += int(b >> leg & 1)
	}
	return n
}

func (d *Diagram) mark(leg, c, cols int) string {
	from, to := d.span(c, cols)
	switch d.down(leg, from, to) {
	case 0:
		return markSwing
	case to - from:
		return markStance
	}
	return markPart
}

// feetLine appends the least number of feet down within each column, in base 36
// so that it takes one place ("+" beyond 35).
func (d *Diagram) feetLine(dst []byte, pad, cols int) []byte {
	dst = padded(dst, "feet", pad)
	dst = append(dst, " |"...)
	for c := range cols {
		from, to := d.span(c, cols)
		least := len(d.Names)
		for k := from; k < to; k++ {
			n := 0
			for leg := range d.Names {
				n += d.down(leg, k, k+1)
			}
			least = min(least, n)
		}
		if least > 35 {
			dst = append(dst, '+')
		} else {
			dst = strconv.AppendInt(dst, int64(least), 36)
		}
	}
	return append(dst, "|\n"...)
}

// scaleLine appends the first and last moment under the bar.
func (d *Diagram) scaleLine(dst []byte, pad, cols int) []byte {
	if d.Step == 0 || cols == 0 {
		return dst
	}
	first := strconv.FormatFloat(d.From, 'f', -1, 64)
	last := strconv.FormatFloat(rounded(d.From+d.Step*float64(len(d.Bits))), 'f', -1, 64)
	dst = padded(dst, "", pad+2)
	dst = append(dst, first...)
	for range max(cols-len(first)-len(last), 1) {
		dst = append(dst, ' ')
	}
	dst = append(dst, last...)
	dst = append(dst, ' ')
	dst = append(dst, d.Unit...)
	return append(dst, '\n')
}

// rounded drops the noise that sums of steps leave beyond the sixth decimal.
func rounded(x float64) float64 {
	const places = 1e6
	n := int64(x*places + 0.5)
	if x < 0 {
		n = int64(x*places - 0.5)
	}
	return float64(n) / places
}

func padded(dst []byte, s string, n int) []byte {
	dst = append(dst, s...)
	for k := runes(s); k < n; k++ {
		dst = append(dst, ' ')
	}
	return dst
}

// runes counts the characters of s, each taken to be one column wide.
func runes(s string) int { return len([]rune(s)) }
