package configs

import (
	"errors"
	"math"
	"testing"
	"time"

	"legctl/geom"
	"legctl/rig"
)

// refused checks what every refusal must be: an *Error with at least one issue
// that says something, in bounds of the file.
func refused(t *testing.T, err error, data []byte) {
	t.Helper()
	var bad *Error
	if !errors.As(err, &bad) {
		t.Fatalf("error %T %v, want *Error", err, err)
	}
	if len(bad.Issues) == 0 {
		t.Fatal("an error without an issue")
	}
	for _, s := range bad.Issues {
		if s.What == "" || s.Line < 0 || s.Line > len(data)+1 {
			t.Fatalf("issue %+v", s)
		}
	}
	if len(bad.Error()) > 200_000 {
		t.Fatalf("message of %d bytes", len(bad.Error()))
	}
}

// FuzzRig: any bytes give a rig that is sound or an *Error, soon, without a
// panic.
func FuzzRig(f *testing.F) {
	for _, name := range Rigs() {
		data, err := files.ReadFile("rigs/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(good))
	f.Fuzz(func(t *testing.T, data []byte) {
		start := time.Now()
		r, err := ParseRig("fuzz.yaml", data)
		if took := time.Since(start); took > 20*time.Second {
			t.Fatalf("took %v", took)
		}
		if err != nil {
			refused(t, err, data)
			return
		}
		q := r.RestPose(nil)
		for i := range r.Legs {
			l := &r.Legs[i]
			foot := rig.Foot(r, i, q)
			d := math.Hypot(math.Hypot(foot.X-l.Neutral.X, foot.Y-l.Neutral.Y), foot.Z-l.Neutral.Z)
			if !geom.FiniteVec(foot) || d > rig.RestTolerance*l.Length {
				t.Fatalf("leg %s rests at %v, its neutral foot is %v", l.Name, foot, l.Neutral)
			}
		}
		if err := r.Validate(); err != nil {
			t.Fatalf("accepted, but %v", err)
		}
	})
}

// FuzzOthers does the same for gaits, terrains, worlds and scripts.
func FuzzOthers(f *testing.F) {
	for _, k := range kinds[1:] {
		for _, name := range shipped(k.folder) {
			data, err := files.ReadFile(k.folder + "/" + name + ".yaml")
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	r, err := LoadRig("phantomx")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := ParseGait("fuzz.yaml", data, r); err != nil {
			refused(t, err, data)
		} else if err := p.Rules.Validate(); err != nil {
			t.Fatalf("accepted, but %v", err)
		}
		if s, err := ParseTerrain("fuzz.yaml", data, 0.05); err != nil {
			refused(t, err, data)
		} else if err := s.Validate(); err != nil {
			t.Fatalf("accepted, but %v", err)
		}
		if w, err := ParseWorld("fuzz.yaml", data); err != nil {
			refused(t, err, data)
		} else if err := w.Sim.Validate(); err != nil {
			t.Fatalf("accepted, but %v", err)
		}
		if s, err := ParseScript("fuzz.yaml", data, r, []string{"walk"}, nil); err != nil {
			refused(t, err, data)
		} else {
			ordered(t, &s)
		}
	})
}

func ordered(t *testing.T, s *Script) {
	t.Helper()
	for i := range s.Commands {
		if i > 0 && s.Commands[i].At < s.Commands[i-1].At {
			t.Fatal("commands out of order")
		}
		if ttl := s.Commands[i].Command.TTL; ttl < 0 || ttl > MaxHold {
			t.Fatalf("time to live %g", ttl)
		}
	}
}
