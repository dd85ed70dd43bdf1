package emulator

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is what goes wrong.
type Kind string

// The faults of replies, then those of servos, then those of the line.
const (
	Lost       Kind = "lost"       // a reply does not come
	Late       Kind = "late"       // it comes By seconds later
	Corrupted  Kind = "corrupted"  // one bit of it is flipped
	Duplicated Kind = "duplicated" // it comes twice
	Foreign    Kind = "foreign"    // another servo's reply comes before it
	Cut        Kind = "cut"        // its second half is missing

	Stuck      Kind = "stuck"      // the horn cannot turn
	Overheated Kind = "overheated" // the temperature is By, at once
	Unplugged  Kind = "unplugged"  // one servo, or with no id the whole line, is gone
	Overloaded Kind = "overloaded" // a load of By is put on the horn
	BrownOut   Kind = "brownout"   // power fails for a moment: settings in RAM are forgotten
	Sag        Kind = "sag"        // the supply falls to By volts

	Echo Kind = "echo" // the adaptor hands back what it sends
	Slow Kind = "slow" // the adaptor holds each reply By seconds
)

// kinds lists them all, with what By means and its default.
var kinds = []struct {
	kind Kind
	by   float64
}{
	{Lost, 0}, {Late, 0.03}, {Corrupted, 0}, {Duplicated, 0}, {Foreign, 0}, {Cut, 0},
	{Stuck, 0}, {Overheated, 90}, {Unplugged, 0}, {Overloaded, 0.9}, {BrownOut, 0.3}, {Sag, 5},
	{Echo, 0}, {Slow, 0.016},
}

// Kinds returns the names of all faults.
func Kinds() []string {
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = string(kinds[i].kind)
	}
	return names
}

// Fault is something that goes wrong from At on, for a while. The zero For is
// for ever; the zero Chance, for faults of replies, is each reply.
type Fault struct {
	Kind   Kind
	ID     int           // servo; -1: all
	At     time.Duration // on the bank's clock
	For    time.Duration
	Chance float64 // 0 to 1
	By     float64 // see Kind
	begun  bool
	ended  bool
}

// Reply reports whether the fault is one of replies.
func (f *Fault) reply() bool {
	return slices.Contains([]Kind{Lost, Late, Corrupted, Duplicated, Foreign, Cut}, f.Kind)
}

// active reports whether the fault is on at a time.
func (f *Fault) active(now time.Duration) bool {
	return now >= f.At && (f.For == 0 || now < f.At+f.For)
}

// ParseFault reads kind,id=N,at=SECONDS,for=SECONDS,chance=SHARE,by=NUMBER, all
// but the kind left out at will, such as lost,chance=0.01 or stuck,id=3,at=5.
func ParseFault(s string) (Fault, error) {
	parts := strings.Split(s, ",")
	f := Fault{Kind: Kind(parts[0]), ID: -1}
	at := slices.IndexFunc(kinds, func(k struct {
		kind Kind
		by   float64
	}) bool {
		return k.kind == f.Kind
	})
	if at < 0 {
		return f, fmt.Errorf("emulator: fault %q, want one of %s", parts[0], strings.Join(Kinds(), ", "))
	}
	f.By = kinds[at].by
	for _, part := range parts[1:] {
		if err := f.set(part); err != nil {
			return f, err
		}
	}
	return f, nil
}

// set reads one key=number of a fault.
func (f *Fault) set(part string) error {
	key, text, _ := strings.Cut(part, "=")
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v < 1e6) {
		return fmt.Errorf("emulator: %s of fault %s is %q, want a number from 0 to 1000000", key, f.Kind, text)
	}
	switch key {
	case "id":
		f.ID = int(v)
	case "at":
		f.At = seconds(v)
	case "for":
		f.For = seconds(v)
	case "chance":
		f.Chance = min(v, 1)
	case "by":
		f.By = v
	default:
		return fmt.Errorf("emulator: %q of fault %s, want id, at, for, chance or by", key, f.Kind)
	}
	return nil
}

func seconds(v float64) time.Duration { return time.Duration(v * float64(time.Second)) }

// dice is a stream of chance (SplitMix64).
type dice uint64

func (d *dice) next() uint64 {
	*d += 0x9e3779b97f4a7c15
	z := uint64(*d)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1.
func (d *dice) below(n int) int { return int(d.next() % uint64(n)) }

// hit is true with a chance of p; 0 means always.
func (d *dice) hit(p float64) bool {
	return p == 0 || float64(d.next()>>11)/(1<<53) < p
}
