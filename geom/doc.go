// Package geom holds the little geometry that gonum lacks: rigid poses, body
// twists, rotations as matrices for the hot path, planar hulls and polygons
// with exact predicates, and the Ground that everything stands on.
//
// Units are SI; frames follow REP-103 (x forward, y left, z up, yaw counter-
// clockwise). A pose named poseAB gives frame B in frame A, so that
// poseAB.Apply(vB) is vA and poseAB.Mul(poseBC) is poseAC: the letters cancel.
//
// Sources: quaternion and Euler conventions after Diebel, "Representing
// Attitude" (2006); robust orientation predicate after Shewchuk (1997).
package geom
