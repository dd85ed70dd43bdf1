package mjcf

import "encoding/xml"

// The elements of the file, in its order.
type (
	model struct {
		XMLName  xml.Name  `xml:"mujoco"`
		Name     string    `xml:"model,attr"`
		Compiler compiler  `xml:"compiler"`
		Option   option    `xml:"option"`
		World    world     `xml:"worldbody"`
		Mimic    []couple  `xml:"equality>joint,omitempty"`
		Actuator []drive   `xml:"actuator>position"`
		Sensors  sensors   `xml:"sensor"`
		Keys     []keyPose `xml:"keyframe>key"`
	}
	compiler struct {
		Angle      string `xml:"angle,attr"`
		AutoLimits bool   `xml:"autolimits,attr"`
	}
	option struct {
		Step       string `xml:"timestep,attr"`
		Gravity    string `xml:"gravity,attr"`
		Integrator string `xml:"integrator,attr"`
	}
	world struct {
		Light  light  `xml:"light"`
		Ground geom   `xml:"geom"`
		Body   entity `xml:"body"`
	}
	light struct {
		Pos string `xml:"pos,attr"`
		Dir string `xml:"dir,attr"`
	}
	entity struct {
		Name    string    `xml:"name,attr"`
		Pos     string    `xml:"pos,attr"`
		Quat    string    `xml:"quat,attr,omitempty"`
		Free    *struct{} `xml:"freejoint"`
		Hinge   *hinge    `xml:"joint"`
		Inertia inertia   `xml:"inertial"`
		Geoms   []geom    `xml:"geom"`
		Sites   []site    `xml:"site"`
		Bodies  []entity  `xml:"body"`
	}
	hinge struct {
		Name     string `xml:"name,attr"`
		Type     string `xml:"type,attr"`
		Axis     string `xml:"axis,attr"`
		Range    string `xml:"range,attr"`
		Damping  string `xml:"damping,attr"`
		Armature string `xml:"armature,attr"`
	}
	inertia struct {
		Pos  string `xml:"pos,attr"`
		Quat string `xml:"quat,attr,omitempty"`
		Mass string `xml:"mass,attr"`
		Diag string `xml:"diaginertia,attr"`
	}
	geom struct {
		Name     string `xml:"name,attr,omitempty"`
		Type     string `xml:"type,attr"`
		Size     string `xml:"size,attr"`
		Pos      string `xml:"pos,attr,omitempty"`
		FromTo   string `xml:"fromto,attr,omitempty"`
		Friction string `xml:"friction,attr"`
		Type2    int    `xml:"contype,attr"`
		With     int    `xml:"conaffinity,attr"`
		RGBA     string `xml:"rgba,attr,omitempty"`
	}
	site struct {
		Name string `xml:"name,attr"`
		Pos  string `xml:"pos,attr"`
		Size string `xml:"size,attr"`
	}
	couple struct {
		Joint string `xml:"joint1,attr"`
		Of    string `xml:"joint2,attr"`
		Coef  string `xml:"polycoef,attr"`
	}
	drive struct {
		Name  string `xml:"name,attr"`
		Joint string `xml:"joint,attr"`
		KP    string `xml:"kp,attr"`
		Force string `xml:"forcerange,attr,omitempty"`
		Ctrl  string `xml:"ctrlrange,attr"`
	}
	sensors struct {
		Gyro  []sensor `xml:"gyro"`
		Accel []sensor `xml:"accelerometer"`
		Touch []sensor `xml:"touch"`
	}
	sensor struct {
		Name string `xml:"name,attr"`
		Site string `xml:"site,attr"`
	}
	keyPose struct {
		Name string `xml:"name,attr"`
		QPos string `xml:"qpos,attr"`
		Ctrl string `xml:"ctrl,attr"`
	}
)
