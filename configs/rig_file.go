package configs

// rigFile is the form of configs/rigs/*.yaml. Every length is in B unless said.
type rigFile struct {
	placed
	Name       val[string]  `key:"rig" need:"yes" doc:"name of the rig; matches [a-z0-9][a-z0-9_-]*"`
	About      val[string]  `key:"about" doc:"one line for rig list"`
	Source     val[string]  `key:"source" doc:"where the numbers come from"`
	Assumed    []string     `key:"assumed" doc:"what the source does not say and the file therefore assumes; check shows it"`
	Height     val[float64] `key:"height" unit:"m" in:"(0, 100]" default:"with neutral feet: required; else chosen with them" doc:"height of the body origin above flat ground in neutral stance"`
	Mass       val[float64] `key:"mass" unit:"kg" in:"(0, 1e6]" default:"100 kg/m3 times the cube of the longest stretched leg" doc:"mass of the whole rig; what links do not take is the body's"`
	Gravity    val[float64] `key:"gravity" unit:"m/s2" in:"(0, 1000]" default:"9.81" doc:"acceleration of free fall"`
	Stretched  val[float64] `key:"stretched" unit:"m" in:"(0, 100]" default:"as written" doc:"scale the whole rig so that its longest leg, stretched, has this length; masses go with the cube, torques with the fourth power, joint speeds stay"`
	Class      val[string]  `key:"class" choices:"static|dynamic|ballistic" default:"dynamic with two legs, else static" doc:"how the rig keeps its balance while walking"`
	Groups     groupsForm   `key:"groups" default:"by neutral feet" doc:"ring, or rows: lists of one or two leg names, front to rear, the left one first"`
	Asymmetric val[bool]    `key:"asymmetric" default:"false" doc:"allow left and right legs that do not mirror each other"`
	Expect     val[string]  `key:"expect" choices:"walks|refused" default:"walks" doc:"refused: check must refuse this rig"`
	Reason     val[string]  `key:"reason" doc:"with expect refused: the reason check must give"`
	Body       bodyFile     `key:"body" doc:"the trunk"`
	Joint      jointBase    `key:"joint" doc:"defaults of every joint and link of the rig"`
	Joints     []jointFile  `key:"joints" doc:"joints of every leg that lists none itself, from the body outward"`
	Segments   *segmentFile `key:"segments" doc:"template of every leg that has no joints: hip yaw and pitch with one centre, then pitch hinges"`
	FootRadius val[float64] `key:"foot_radius" unit:"m" in:"[0, 10]" default:"0" doc:"radius of every foot"`
	Legs       []legFile    `key:"legs" doc:"legs, written left ones first; each may carry its mirror image"`
	Ring       *ringFile    `key:"ring" doc:"radial template in place of legs: equal legs round the body"`
	Servos     *servosFile  `key:"servos" doc:"what moves the joints: needed by run, not by sim"`
}

// bodyFile is the trunk.
type bodyFile struct {
	placed
	Mass   val[float64]    `key:"mass" unit:"kg" in:"(0, 1e6]" default:"what the links leave of the rig's mass" doc:"mass of the trunk"`
	CoM    val[[3]float64] `key:"com" unit:"m" in:"[-100, 100]" default:"[0, 0, 0]" doc:"centre of mass of the trunk"`
	Size   val[[3]float64] `key:"size" unit:"m" in:"[0, 100]" default:"the box of all mounts, grown by 0.1 L, 0.15 L high" doc:"full length, width and height of the box"`
	Mid    val[[3]float64] `key:"mid" unit:"m" in:"[-100, 100]" default:"the middle of all mounts" doc:"centre of the box"`
	Colour val[string]     `key:"colour" default:"#4a5568" doc:"colour when drawn, #rrggbb"`
}

// jointBase is what may be said once for all joints.
type jointBase struct {
	Speed  val[float64] `key:"speed" unit:"rad/s" in:"(0, 1000]" default:"6" doc:"highest speed of a joint"`
	Torque val[float64] `key:"torque" unit:"Nm" in:"[0, 1e6]" default:"0: unknown, not checked" doc:"highest torque of a joint"`
	Mass   val[float64] `key:"mass" unit:"kg" in:"[0, 1e6]" default:"0.4 of the rig's mass shared by length" doc:"mass of the link that moves with a joint"`
	Radius val[float64] `key:"radius" unit:"m" in:"[0, 10]" default:"0.03 of the leg's stretched length" doc:"radius of the capsule along the link"`
	Colour val[string]  `key:"colour" default:"#a0aec0" doc:"colour of a link when drawn, #rrggbb"`
}

// jointFile is one joint and the link that moves with it.
type jointFile struct {
	placed
	Name   val[string]     `key:"name" need:"yes" doc:"name within the leg; leg lf and joint coxa make lf_coxa"`
	Axis   val[axisForm]   `key:"axis" need:"yes" doc:"yaw (z), pitch (y), roll (x), or a vector, in the leg's frame"`
	Link   val[linkForm]   `key:"link" unit:"m" in:"[-100, 100]" need:"yes" doc:"from this joint to the next or the foot at zero angles: a length along x, or a vector, in the leg's frame"`
	Limits val[[2]float64] `key:"limits" unit:"deg" in:"[-720, 720]" need:"yes" doc:"least and greatest angle"`
	Rest   val[float64]    `key:"rest" unit:"deg" in:"[-720, 720]" default:"found; knees up" doc:"angle from which the neutral stance is solved; fixes the bend"`
	Speed  val[float64]    `key:"speed" unit:"rad/s" in:"(0, 1000]" default:"that of joint" doc:"highest speed"`
	Torque val[float64]    `key:"torque" unit:"Nm" in:"[0, 1e6]" default:"that of joint" doc:"highest torque"`
	Mimic  *mimicFile      `key:"mimic" doc:"this joint copies another of the same leg"`
	Mass   val[float64]    `key:"mass" unit:"kg" in:"[0, 1e6]" default:"that of joint" doc:"mass of the link"`
	CoM    val[[3]float64] `key:"com" unit:"m" in:"[-100, 100]" default:"half way along the link" doc:"centre of mass of the link from this joint, in the leg's frame at zero angles"`
	Radius val[float64]    `key:"radius" unit:"m" in:"[0, 10]" default:"that of joint" doc:"radius of the capsule along the link"`
	Colour val[string]     `key:"colour" default:"that of joint" doc:"colour when drawn, #rrggbb"`
}

// mimicFile couples a joint: angle = factor times the other plus offset.
type mimicFile struct {
	placed
	Joint  val[string]  `key:"joint" need:"yes" doc:"name of the copied joint, which must not be a copy itself"`
	Factor val[float64] `key:"factor" in:"[-100, 100]" default:"1" doc:"angle for one of the copied joint"`
	Offset val[float64] `key:"offset" unit:"deg" in:"[-720, 720]" default:"0" doc:"angle when the copied joint is at zero"`
}

// segmentFile is a leg as segments of a line.
type segmentFile struct {
	placed
	Count   val[int]        `key:"count" in:"[1, 11]" default:"3" doc:"number of segments; the leg has one joint more"`
	Length  val[float64]    `key:"length" unit:"m" in:"(0, 100]" need:"yes" doc:"length of a segment of ratio 1"`
	Ratios  []float64       `key:"ratios" in:"(0, 100]" default:"[1]" doc:"length of each segment in lengths; the last one repeats"`
	Yaw     val[[2]float64] `key:"yaw_limits" unit:"deg" in:"[-180, 180]" default:"[-100, 100]" doc:"limits of the hip yaw"`
	Hip     val[[2]float64] `key:"hip_limits" unit:"deg" in:"[-180, 180]" default:"[-110, 110]" doc:"limits of the hip pitch, positive down"`
	Colours []string        `key:"colours" default:"that of joint" doc:"colour of each segment when drawn, #rrggbb; the last one repeats"`
	Hinge   val[[2]float64] `key:"hinge_limits" unit:"deg" in:"[-180, 180]" default:"[-30, 160]" doc:"limits of the hinges between segments, positive down"`
}

// legFile is one leg and perhaps its mirror image.
type legFile struct {
	placed
	Name     val[string]                `key:"name" need:"yes" doc:"name such as lf; matches [a-z0-9][a-z0-9_-]*"`
	Mirror   val[string]                `key:"mirror" default:"no second leg" doc:"name of the mirror image to generate on the other side"`
	Mount    val[[3]float64]            `key:"mount" unit:"m" in:"[-100, 100]" need:"yes" doc:"first joint, in B"`
	Yaw      val[float64]               `key:"yaw" unit:"deg" in:"[-360, 360]" default:"the heading of the neutral foot from the mount for segments, else 0" doc:"turn of the leg's frame about z against B"`
	Neutral  val[[2]float64]            `key:"neutral" unit:"m" in:"[-100, 100]" default:"where the comfort radius is largest" doc:"neutral foot, x and y in B; z is minus the height"`
	Joints   []jointFile                `key:"joints" default:"those of the rig" doc:"joints from the body outward"`
	Segments *segmentFile               `key:"segments" default:"those of the rig" doc:"template in place of joints"`
	Limits   map[string]val[[2]float64] `key:"limits" unit:"deg" in:"[-720, 720]" doc:"limits of single joints of this leg, by joint name"`
	Rest     map[string]val[float64]    `key:"rest" unit:"deg" in:"[-720, 720]" doc:"rest of single joints of this leg, by joint name"`
}

// ringFile is a radial rig.
type ringFile struct {
	placed
	Count   val[int]     `key:"count" in:"[2, 64]" need:"yes" doc:"number of legs: leg1 is the first, counter-clockwise"`
	Radius  val[float64] `key:"radius" unit:"m" in:"[0, 100]" need:"yes" doc:"distance of the mounts from the body's axis"`
	Z       val[float64] `key:"z" unit:"m" in:"[-100, 100]" default:"0" doc:"height of the mounts in B"`
	First   val[float64] `key:"first" unit:"deg" in:"[-360, 360]" default:"0" doc:"azimuth of the first leg"`
	Neutral val[float64] `key:"neutral" unit:"m" in:"(0, 100]" default:"where the comfort radius is largest" doc:"distance of the neutral feet from the body's axis"`
}
