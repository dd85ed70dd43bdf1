package plot

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Picture is something that can be drawn. Draw must not keep the canvas.
type Picture interface {
	Size() (width, height vg.Length)
	Draw(c draw.Canvas) error
}

// DPI is the resolution of PNG files, dots an inch.
const DPI = 144

// Formats returns the names of the formats that Write knows.
func Formats() []string { return []string{"svg", "png"} }

// Write draws a picture to w as "svg" or "png". The text of an SVG is drawn in
// whatever sans-serif font its viewer has.
func Write(w io.Writer, p Picture, format string) error {
	width, height := p.Size()
	if !(width > 0 && height > 0) {
		return fmt.Errorf("plot: picture of %.4g x %.4g points, want both more than 0", width, height)
	}
	switch format {
	case "svg":
		c := vgsvg.New(width, height)
		return finish(w, p, c)
	case "png":
		c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(DPI), vgimg.UseBackgroundColor(color.White))
		return finish(w, p, vgimg.PngCanvas{Canvas: c})
	}
	return fmt.Errorf("plot: format %q, want one of %v", format, Formats())
}

func finish(w io.Writer, p Picture, c vg.CanvasWriterTo) error {
	dc := draw.New(c)
	dc.FillPolygon(color.White, []vg.Point{dc.Min, {X: dc.Max.X, Y: dc.Min.Y}, dc.Max, {X: dc.Min.X, Y: dc.Max.Y}})
	if err := p.Draw(dc); err != nil {
		return err
	}
	if _, err := c.WriteTo(w); err != nil {
		return fmt.Errorf("plot: writing the picture: %w", err)
	}
	return nil
}
