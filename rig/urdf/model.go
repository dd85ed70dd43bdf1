package urdf

import "encoding/xml"

// The elements of the file.
type (
	robot struct {
		XMLName xml.Name `xml:"robot"`
		Name    string   `xml:"name,attr"`
		Links   []link   `xml:"link"`
		Joints  []joint  `xml:"joint"`
	}
	link struct {
		Name      string    `xml:"name,attr"`
		Inertial  *inertial `xml:"inertial"`
		Visual    []shape   `xml:"visual"`
		Collision []shape   `xml:"collision"`
	}
	inertial struct {
		Origin  origin  `xml:"origin"`
		Mass    value   `xml:"mass"`
		Inertia inertia `xml:"inertia"`
	}
	origin struct {
		XYZ string `xml:"xyz,attr"`
		RPY string `xml:"rpy,attr"`
	}
	value struct {
		Value string `xml:"value,attr"`
	}
	inertia struct {
		XX string `xml:"ixx,attr"`
		XY string `xml:"ixy,attr"`
		XZ string `xml:"ixz,attr"`
		YY string `xml:"iyy,attr"`
		YZ string `xml:"iyz,attr"`
		ZZ string `xml:"izz,attr"`
	}
	shape struct {
		Origin   origin   `xml:"origin"`
		Geometry geometry `xml:"geometry"`
	}
	geometry struct {
		Box      *box      `xml:"box"`
		Cylinder *cylinder `xml:"cylinder"`
		Sphere   *sphere   `xml:"sphere"`
	}
	box struct {
		Size string `xml:"size,attr"`
	}
	cylinder struct {
		Radius string `xml:"radius,attr"`
		Length string `xml:"length,attr"`
	}
	sphere struct {
		Radius string `xml:"radius,attr"`
	}
	joint struct {
		Name   string `xml:"name,attr"`
		Type   string `xml:"type,attr"`
		Origin origin `xml:"origin"`
		Parent other  `xml:"parent"`
		Child  other  `xml:"child"`
		Axis   *axis  `xml:"axis"`
		Limit  *limit `xml:"limit"`
		Mimic  *mimic `xml:"mimic"`
	}
	other struct {
		Link string `xml:"link,attr"`
	}
	axis struct {
		XYZ string `xml:"xyz,attr"`
	}
	limit struct {
		Lower    string `xml:"lower,attr"`
		Upper    string `xml:"upper,attr"`
		Effort   string `xml:"effort,attr"`
		Velocity string `xml:"velocity,attr"`
	}
	mimic struct {
		Joint      string `xml:"joint,attr"`
		Multiplier string `xml:"multiplier,attr"`
		Offset     string `xml:"offset,attr"`
	}
)
