package urdf_test

import (
	"encoding/xml"
	"fmt"
	"math"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/geom"
	"legctl/rig"
	"legctl/rig/urdf"

	"gonum.org/v1/gonum/spatial/r3"
)

// parsed is a URDF file as another program would read it.
type parsed struct {
	Name  string `xml:"name,attr"`
	Links []struct {
		Name string `xml:"name,attr"`
		Mass struct {
			Value float64 `xml:"value,attr"`
		} `xml:"inertial>mass"`
		Inertia struct {
			XX float64 `xml:"ixx,attr"`
			YY float64 `xml:"iyy,attr"`
			ZZ float64 `xml:"izz,attr"`
		} `xml:"inertial>inertia"`
	} `xml:"link"`
	Joints []struct {
		Name   string `xml:"name,attr"`
		Type   string `xml:"type,attr"`
		Origin struct {
			XYZ string `xml:"xyz,attr"`
			RPY string `xml:"rpy,attr"`
		} `xml:"origin"`
		Parent struct {
			Link string `xml:"link,attr"`
		} `xml:"parent"`
		Child struct {
			Link string `xml:"link,attr"`
		} `xml:"child"`
		Axis struct {
			XYZ string `xml:"xyz,attr"`
		} `xml:"axis"`
		Limit struct {
			Lower    float64 `xml:"lower,attr"`
			Upper    float64 `xml:"upper,attr"`
			Effort   float64 `xml:"effort,attr"`
			Velocity float64 `xml:"velocity,attr"`
		} `xml:"limit"`
	} `xml:"joint"`
}

func three(t *testing.T, s string) r3.Vec {
	t.Helper()
	f := strings.Fields(s)
	if len(f) != 3 {
		t.Fatalf("%q are not three numbers", s)
	}
	var v [3]float64
	for i := range f {
		x, err := strconv.ParseFloat(f[i], 64)
		if err != nil {
			t.Fatal(err)
		}
		v[i] = x
	}
	return r3.Vec{X: v[0], Y: v[1], Z: v[2]}
}

func written(t *testing.T, r *rig.Rig) *parsed {
	t.Helper()
	var b strings.Builder
	if err := urdf.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	p := new(parsed)
	if err := xml.Unmarshal([]byte(b.String()), p); err != nil {
		t.Fatal(err)
	}
	return p
}

// foot walks the tree from a link up to the body.
func (p *parsed) foot(t *testing.T, name string, q map[string]float64) r3.Vec {
	t.Helper()
	at, link := r3.Vec{}, name
	for range 100 {
		if link == "body" {
			return at
		}
		for i := range p.Joints {
			j := &p.Joints[i]
			if j.Child.Link != link {
				continue
			}
			if j.Type == "revolute" {
				at = geom.Rotate(geom.AxisAngle(three(t, j.Axis.XYZ), q[j.Name]), at)
			}
			a := three(t, j.Origin.RPY)
			at = r3.Add(three(t, j.Origin.XYZ), geom.Rotate(geom.FromRPY(a.X, a.Y, a.Z), at))
			link = j.Parent.Link
			break
		}
	}
	t.Fatalf("link %s hangs on nothing", name)
	return at
}

// TestEveryRig writes every shipped rig and reads it back as a tree: the same
// names, limits, mass and feet.
func TestEveryRig(t *testing.T) {
	draw := rand.New(rand.NewSource(9))
	for _, name := range configs.Rigs() {
		r, err := configs.LoadRig(name)
		if err != nil {
			t.Fatal(err)
		}
		p := written(t, r)
		if p.Name != r.Name || len(p.Links) != len(p.Joints)+1 || len(p.Joints) != r.Joints()+len(r.Legs) {
			t.Errorf("%s: %s has %d links and %d joints", name, p.Name, len(p.Links), len(p.Joints))
		}
		mass := 0.0
		for _, l := range p.Links {
			mass += l.Mass.Value
			i := l.Inertia
			if l.Mass.Value > 0 && !(i.XX > 0 && i.YY > 0 && i.ZZ > 0 && i.XX+i.YY >= i.ZZ && i.YY+i.ZZ >= i.XX && i.XX+i.ZZ >= i.YY) {
				t.Errorf("%s: inertia of %s is no body's: %+v", name, l.Name, i)
			}
		}
		if math.Abs(mass-r.Mass()) > 1e-6 {
			t.Errorf("%s: weighs %v kg, want %v", name, mass, r.Mass())
		}
		feet(t, r, p, draw)
	}
}

func feet(t *testing.T, r *rig.Rig, p *parsed, draw *rand.Rand) {
	t.Helper()
	q, named := r.RestPose(nil), map[string]float64{}
	for i := range r.Legs {
		for j := range r.Legs[i].Joints {
			k := &r.Legs[i].Joints[j]
			v := k.Min + draw.Float64()*(k.Max-k.Min)
			q[r.Legs[i].First+j], named[k.Name] = v, v
		}
	}
	for i := range r.Legs {
		l := &r.Legs[i]
		radius := max(l.FootRadius, 1e-3*r.L())
		off := r3.Norm(r3.Sub(p.foot(t, l.Name+"_foot", named), rig.Foot(r, i, q)))
		if math.Abs(off-radius) > 1e-6 {
			t.Errorf("%s: foot %s is %v m off, want its radius %v", r.Name, l.Name, off, radius)
		}
	}
	for _, j := range p.Joints {
		if j.Type == "revolute" && !(j.Limit.Lower < j.Limit.Upper && j.Limit.Effort > 0 && j.Limit.Velocity > 0) {
			t.Errorf("%s: joint %s has limits %+v", r.Name, j.Name, j.Limit)
		}
	}
}

// TestNamesAreEscaped writes a rig whose name would break the file.
func TestNamesAreEscaped(t *testing.T) {
	r, err := configs.LoadRig("a1")
	if err != nil {
		t.Fatal(err)
	}
	odd := *r
	odd.Name = `a<b> & "c"`
	if p := written(t, &odd); p.Name != odd.Name {
		t.Errorf("came back as %q", p.Name)
	}
}

type full struct{ left int }

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, fmt.Errorf("disk full")
	}
	return len(b), nil
}

func TestRefusals(t *testing.T) {
	if urdf.Write(&strings.Builder{}, nil) == nil || urdf.Write(&strings.Builder{}, new(rig.Rig)) == nil {
		t.Error("no rig: accepted")
	}
	r, _ := configs.LoadRig("a1")
	for _, room := range []int{0, 100} {
		if urdf.Write(&full{room}, r) == nil {
			t.Errorf("a full disk after %d bytes: accepted", room)
		}
	}
}
