package terrain

import (
	"bytes"
	_ "embed" // hills
	"fmt"
	"image"
	"image/color"
	"image/png"
)

// hills is the picture of the default: 48 x 48 pixels of gentle hills.
//
//go:embed hills.png
var hills []byte

var imageDefault = Spec{Start: 2, Height: 0.5, Cell: 0.5, Image: hills}

// buildImage makes a field from the grey values of a PNG file: black is 0,
// white Height, Cell a pixel, the middle of the picture at the origin and its
// top towards +y. Beyond the border the last pixels go on for ever.
func buildImage(t *Terrain, s *Spec) error {
	c, err := png.DecodeConfig(bytes.NewReader(s.Image))
	if err != nil {
		return fmt.Errorf("terrain: image is not a PNG file: %w", err)
	}
	if c.Width < 1 || c.Height < 1 || c.Width > MaxPixel || c.Height > MaxPixel {
		return fmt.Errorf("terrain: image is %d x %d pixels, at most %d a side", c.Width, c.Height, MaxPixel)
	}
	img, err := png.Decode(bytes.NewReader(s.Image))
	if err != nil {
		return fmt.Errorf("terrain: image: %w", err)
	}
	f := newField(s)
	f.readPixels(img, s.Height)
	t.field = f
	return nil
}

func (f *field) readPixels(img image.Image, height float64) {
	b := img.Bounds()
	f.nx, f.ny = b.Dx(), b.Dy()
	f.ox, f.oy = f.nx/2, f.ny/2
	f.pixels = make([]float64, 0, f.nx*f.ny)
	for y := b.Max.Y - 1; y >= b.Min.Y; y-- {
		for x := b.Min.X; x < b.Max.X; x++ {
			g := color.GrayModel.Convert(img.At(x, y)).(color.Gray)
			f.pixels = append(f.pixels, height*float64(g.Y)/255)
		}
	}
	f.lo, f.hi = min(0, height), max(0, height)
}
