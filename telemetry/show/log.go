package show

import (
	"math/bits"
	"strings"

	"legctl/control"
	"legctl/telemetry"
)

// log writes a line for everything that began in this tick: the events of the
// controller, falls, clamps and faults.
func (s *Maker) log(tick uint64) {
	f := s.frame
	now := mark{
		events: f.Out.Events, fell: f.Obs.FellSince, limit: f.Out.AngleLimit | f.Out.SpeedLimit, faults: f.Obs.Faults, known: true,
	}
	was := s.prev
	s.prev = now
	if !was.known {
		was.fell = now.fell // what came before the recording is not its news
	}
	for _, e := range s.o.Names.Events(&f.Out, was.events, s.o.Header.Dt) {
		level := LevelInfo
		if _, bad := warned[e.Event]; bad {
			level = LevelWarning
		}
		s.line(tick, level, e.Event, e.Event+", "+e.Mode+", "+e.Gait)
	}
	if now.fell != was.fell {
		s.line(tick, LevelError, "fall", "fall: the body or a link touched the ground")
	}
	if fresh := now.limit &^ was.limit; fresh != 0 {
		s.line(tick, LevelWarning, "limit", "limit: a joint was clamped, "+s.legs(fresh))
	}
	if fresh := now.faults &^ was.faults; fresh != 0 {
		s.line(tick, LevelError, "fault", "fault: reported by the driver, "+s.legs(fresh))
	}
	if r := &f.Out.Reply; r.Kind != control.KindNone && r.Reason != control.Accepted {
		s.line(tick, LevelWarning, "refused", telemetry.KindName(r.Kind)+" refused: "+telemetry.ReasonName(r.Reason))
	}
}

// warned are the events of the controller that are bad news.
var warned = map[string]struct{}{
	"foot_lost": {}, "off_ground": {}, "wall": {}, "tilt": {}, "observation_refused": {},
}

// legs names the legs of a set.
func (s *Maker) legs(set uint64) string {
	var names []string
	for ; set != 0; set &= set - 1 {
		names = append(names, s.o.Names.Leg(bits.TrailingZeros64(set)))
	}
	return strings.Join(names, " ")
}

func (s *Maker) line(tick uint64, level int, name, message string) {
	s.sendAny(channelLog, tick, Log{Timestamp: s.now(tick), Level: level, Message: message, Name: name})
}
