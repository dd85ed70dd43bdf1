package configs

import (
	"errors"
	"strings"

	"legctl/rig"
)

// parts notes every fault of the rig that does not depend on where its feet
// stand, so that all of them come together with faults of spelling. What only
// follows from a value that could not be read is left out.
func (b *rigBuilder) parts() {
	spelt, groups := b.issues[:len(b.issues):len(b.issues)], b.r.Groups
	defer func() { b.r.Groups = groups }()
	b.faults(func(f *rig.Fault) bool {
		switch f.Field {
		case "Limits", "Axis", "Speed", "Torque", "Link", "Length", "Joints", "Name", "Mimic", "Legs", "Mount":
		case "Rest":
			if !b.restGiven(f) {
				return false
			}
		default:
			return false
		}
		return !follows(spelt, b.locate(f).path, f.Field)
	})
}

// follows reports whether a fault at a path may only follow from what could
// not be read there; a mount that does not mirror may follow from either leg.
func follows(spelt []Issue, path, field string) bool {
	for i := range spelt {
		if strings.HasPrefix(spelt[i].Path, path) || field == "Mount" && strings.Contains(spelt[i].Path, "mount") {
			return true
		}
	}
	return false
}

// restGiven reports whether the file gave the rest angle a fault is about.
func (b *rigBuilder) restGiven(f *rig.Fault) bool {
	from := &b.from[f.Leg]
	j := from.joints[f.Joint]
	return j.Rest.Set || from.legs.Rest[j.Name.V].Set
}

// faults runs rig.Validate and notes those of its faults that count, each once
// even where several legs share the joint it is about.
func (b *rigBuilder) faults(count func(*rig.Fault) bool) {
	var bad *rig.InvalidError
	if err := b.r.Validate(); !errors.As(err, &bad) {
		return
	}
	type place struct {
		at   pos
		what string
	}
	seen := make(map[place]bool)
	for i := range bad.Faults {
		f := &bad.Faults[i]
		if !count(f) {
			continue
		}
		k := place{b.locate(f), f.What}
		if seen[k] {
			continue
		}
		seen[k] = true
		text := f.Name + ": " + f.What
		if f.Value != "" {
			text += ": " + f.Value
		}
		if f.Bound != "" {
			text += ", " + f.Bound
		}
		b.add(k.at, "%s", text)
	}
}

// locate returns where in the file a fault of rig.Validate belongs.
func (b *rigBuilder) locate(f *rig.Fault) pos {
	if f.Leg < 0 || f.Leg >= len(b.from) {
		return b.locateRig(f)
	}
	from := &b.from[f.Leg]
	p := from.at
	if f.Joint >= 0 && f.Joint < len(from.joints) {
		j := from.joints[f.Joint]
		p = j.at
		name := j.Name.V
		switch f.Field {
		case "Limits":
			p = first(from.legs.Limits[name].at, j.Limits.at, p)
		case "Rest":
			p = first(from.legs.Rest[name].at, j.Rest.at, p)
		case "Speed":
			p = first(j.Speed.at, b.f.Joint.Speed.at, p)
		case "Link":
			p = first(j.Link.at, p)
		case "Name":
			p = first(j.Name.at, p)
		}
	}
	switch f.Field {
	case "Mount":
		p = first(from.mount, p)
	case "Neutral":
		p = first(from.neutral, p)
	case "Name":
		if f.Joint < 0 {
			p = first(from.legs.Name.at, p)
		}
	}
	return p
}

func (b *rigBuilder) locateRig(f *rig.Fault) pos {
	switch f.Field {
	case "Name":
		return first(b.f.Name.at, b.f.at)
	case "Height":
		return first(b.f.Height.at, b.f.at)
	case "Groups":
		return first(b.f.Groups.at, b.f.at)
	case "Body.Mass":
		return first(b.f.Body.Mass.at, b.f.Mass.at, b.f.at)
	}
	return b.f.at
}

// first returns the first known place.
func first(ps ...pos) pos {
	for _, p := range ps {
		if p.known() {
			return p
		}
	}
	return pos{}
}
