// Package rig describes a legged body plan: legs, joints, limits, masses and
// shapes, the groups its legs fall into, its kinematics, and what is observed
// of it and asked of it each tick.
//
// A Rig never changes after Validate; everything else reads it. A leg is an
// index into Rig.Legs. All joint angles of a rig live in one flat slice q: the
// angles of leg i are q[leg.First : leg.First+len(leg.Joints)].
//
// Frames: W world, B body (x forward, y left, z up), H the hip of a leg, F
// foot, G the origin of B with z against gravity. Units are SI and radians.
//
// Sources: leg names and phase conventions after Hildebrand (1965); frames
// after REP-103; leg groups after the design, section 5.
package rig
