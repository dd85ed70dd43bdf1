package clip

import (
	"strconv"
	"strings"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// motion reads everything after MOTION.
func (r *bvhReader) motion() error {
	frames, step, err := r.motionHead()
	if err != nil {
		return err
	}
	if r.opts.FrameTime > 0 {
		step = r.opts.FrameTime
	}
	if r.opts.Skip >= frames {
		return r.fail(0, "%d frames of which %d are skipped, want at least one left", frames, r.opts.Skip)
	}
	rows, err := r.rows(frames)
	if err != nil {
		return err
	}
	r.tracks(rows[r.opts.Skip*r.total:], frames-r.opts.Skip, step)
	return nil
}

// motionHead reads the number of frames and the time between them.
func (r *bvhReader) motionHead() (frames int, step float64, err error) {
	if len(r.clip.Bones) == 0 || r.total == 0 {
		return 0, 0, r.fail(0, "%d joints with %d channels, want at least one", len(r.clip.Bones), r.total)
	}
	word, rest, _ := r.next()
	rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), ":"))
	if frames, err = strconv.Atoi(rest); !strings.EqualFold(strings.TrimSuffix(word, ":"), "Frames") || err != nil {
		return 0, 0, r.fail(0, "%q %q, want Frames: and a number", word, rest)
	}
	// A value takes two bytes at least, so a count beyond that is a lie.
	left := 0
	for _, l := range r.lines[r.at:] {
		left += len(l) + 1
	}
	if frames < 1 || frames > left || frames*r.total > (left+2)/2 {
		return 0, 0, r.fail(0, "%d frames of %d channels in %d bytes, want at least 1 and as many as there are", frames, r.total, left)
	}
	word, rest, _ = r.next()
	label, value, ok := strings.Cut(word+" "+rest, ":")
	if !ok || !strings.EqualFold(strings.Join(strings.Fields(label), " "), "Frame Time") {
		return 0, 0, r.fail(0, "%q, want Frame Time: and seconds", word+" "+rest)
	}
	step, err = r.number(strings.TrimSpace(value), 0)
	if err != nil {
		return 0, 0, err
	}
	if !(step > 0 && step < MaxTime) && r.opts.FrameTime == 0 {
		return 0, 0, r.fail(0, "frame time %v s, want more than 0 (or give one)", step)
	}
	return frames, step, nil
}

// rows reads the numbers of all frames.
func (r *bvhReader) rows(frames int) ([]float64, error) {
	want := frames * r.total
	rows := make([]float64, 0, want)
	for r.at < len(r.lines) {
		line := r.lines[r.at]
		r.at++
		for at := 0; at < len(line); {
			if line[at] == ' ' || line[at] == '\t' {
				at++
				continue
			}
			end := at
			for end < len(line) && line[end] != ' ' && line[end] != '\t' {
				end++
			}
			v, err := r.number(line[at:end], at)
			if err != nil {
				return nil, err
			}
			if len(rows) == want {
				return nil, r.fail(at, "more numbers than %d frames of %d channels", frames, r.total)
			}
			rows, at = append(rows, v), end
		}
	}
	if len(rows) != want {
		return nil, r.fail(0, "the file ends within frame %d of %d", len(rows)/r.total+1, frames)
	}
	return rows, nil
}

// tracks makes a track of each joint's rotations, and of its positions where
// it has any.
func (r *bvhReader) tracks(rows []float64, frames int, step float64) {
	times := make([]float64, frames)
	for i := range times {
		times[i] = float64(i) * step
	}
	for b, k := range r.channels {
		turn, move := Track{Bone: b, Part: Turn, Times: times}, Track{Bone: b, Part: Move, Times: times}
		moves, turns := false, false
		for _, c := range k.kinds {
			moves, turns = moves || !c.turn, turns || c.turn
		}
		for f := range frames {
			row := rows[f*r.total+k.first:]
			q, v := quat.Number{Real: 1}, [3]float64{}
			for i, c := range k.kinds {
				if c.turn {
					q = quat.Mul(q, c.about(row[i]))
				} else {
					v[c.axis-'X'] += row[i] * r.opts.Scale
				}
			}
			if turns {
				turn.Turns = append(turn.Turns, q)
			}
			if moves {
				move.Vecs = append(move.Vecs, r3.Add(r.clip.Bones[b].Rest.Move, fromYUp(v)))
			}
		}
		if moves {
			r.clip.Tracks = append(r.clip.Tracks, move)
		}
		if turns {
			r.clip.Tracks = append(r.clip.Tracks, turn)
		}
	}
}
