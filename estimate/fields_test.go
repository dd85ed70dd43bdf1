package estimate_test

import (
	"testing"

	"legctl/configs"
	"legctl/estimate"
	"legctl/geom"
	"legctl/internal/codertest"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// whole is every state of the package in one record.
type whole struct {
	Attitude estimate.Attitude
	Contact  estimate.Contact
	Press    estimate.Press
	Track    estimate.Track
	Odometry estimate.Odometry
	Plane    estimate.Plane
	Posture  estimate.Posture
}

func (w *whole) Fields(c *rig.Coder) {
	c.Open("attitude")
	w.Attitude.Fields(c)
	c.Close()
	c.Open("contact")
	w.Contact.Fields(c)
	c.Close()
	c.Open("press")
	w.Press.Fields(c)
	c.Close()
	c.Open("track")
	w.Track.Fields(c)
	c.Close()
	c.Open("odometry")
	w.Odometry.Fields(c)
	c.Close()
	c.Open("plane")
	w.Plane.Fields(c)
	c.Close()
	c.Open("posture")
	w.Posture.Fields(c)
	c.Close()
}

func (w *whole) AppendBinary(dst []byte) ([]byte, error) {
	var c rig.Coder
	w.Fields(&c)
	c.Write(dst)
	w.Fields(&c)
	return c.Bytes(), nil
}

func (w *whole) UnmarshalBinary(b []byte) error {
	var c rig.Coder
	w.Fields(&c)
	if c.Read(b) {
		w.Fields(&c)
	}
	return c.Err("estimate: whole")
}

func TestEveryFieldIsCoded(t *testing.T) {
	codertest.Check(t, func() codertest.Record { return new(whole) })
}

// TestNoAllocation runs everything the tick may call.
func TestNoAllocation(t *testing.T) {
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	l := r.L()
	ap, cp, op, pp, fp := estimate.DefaultAttitude(), estimate.DefaultContact(l), estimate.DefaultOdometry(l), estimate.DefaultPlane(l), estimate.DefaultPosture()
	var w whole
	w.Odometry = estimate.NewOdometry(geom.Identity())
	tracks := make([]estimate.Track, 6)
	feet := make([]r3.Vec, 6)
	q := r.RestPose(nil)
	var ground geom.Plane
	n := testing.AllocsPerRun(100, func() {
		w.Attitude.Update(&ap, &estimate.Motion{Accel: r3.Vec{Z: 9.81}, Has: true, Count: w.Attitude.Watch.Count + 1}, 0.01)
		for i := range feet {
			feet[i] = rig.Foot(r, i, q)
			w.Press.Update(&cp, &r.Legs[i], r.Slice(q, i), r.Slice(q, i), r3.Vec{Z: 1}, 0.01)
			w.Contact.Update(&cp, estimate.Step{Feels: true, Known: true}, 0.01)
		}
		feet[2].Z += 0.1
		w.Odometry.Update(&op, tracks, &estimate.Standing{FeetB: feet, Down: all(6), HasGyro: true}, 0.01)
		w.Plane.Update(&pp, feet, all(6), 0.01)
		w.Plane.Fill(&ground)
		w.Posture.Update(&fp, &w.Attitude, 0.01)
	})
	if n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
}
