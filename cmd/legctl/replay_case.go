package main

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"legctl/control"
	"legctl/record"
	"legctl/rollout"
	"legctl/telemetry"
)

// signWords are the signs that are no event of the controller, in the order in
// which they are looked for when nobody says which.
var signWords = []struct {
	word string
	sign rollout.Sign
}{{"fall", rollout.Sign{Fall: true}}, {"fault", rollout.Sign{Fault: true}}, {"limit", rollout.Sign{Limit: true}}}

// signOf returns the sign of a word.
func signOf(word string) (rollout.Sign, error) {
	var known []string
	for _, s := range signWords {
		if s.word == word {
			return s.sign, nil
		}
		known = append(known, s.word)
	}
	for bit := range 32 {
		e := control.Event(1) << bit
		for _, name := range telemetry.EventNames(e) {
			if name == word {
				return rollout.Sign{Events: e}, nil
			}
			if name != "?" {
				known = append(known, name)
			}
		}
	}
	return rollout.Sign{}, fmt.Errorf("--event %q, want one of %s", word, strings.Join(known, ", "))
}

// writeTest writes a test of the first event and the piece of the recording it
// needs.
func (o *replayFlags) writeTest(talk io.Writer, file string) error {
	if !strings.HasSuffix(o.asTest, "_test.go") {
		return fmt.Errorf("--as-test %q: want a name that ends in _test.go", o.asTest)
	}
	c := &rollout.TestCase{Sim: o.sim}
	dt, err := o.find(c, file)
	if err != nil {
		return err
	}
	if !c.Sim {
		c.First = c.Tick - min(c.Tick, max(1, ticksOf(o.before, dt)))
	}
	dir, base := filepath.Split(o.asTest)
	base = strings.TrimSuffix(base, "_test.go")
	c.Package, c.Name = packageIn(dir), "Test"+camel(base)
	c.Data = "testdata/" + base + ".mcap"
	data := filepath.Join(dir, filepath.FromSlash(c.Data))
	if err := os.MkdirAll(filepath.Dir(data), 0o755); err != nil {
		return err
	}
	w, h, err := cutTicks(file, data, record.Piece{First: c.First, Last: c.Tick, Bare: true})
	if err != nil {
		return err
	}
	c.First = w.First
	src, err := c.Source(h)
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.asTest, src, 0o644); err != nil {
		return err
	}
	fmt.Fprintf(talk, "%s: %s at tick %d, ticks %d to %d in %s (%d bytes)\n", o.asTest, c.Word, c.Tick, w.First, w.Last, data, fileSize(data))
	return nil
}

// find fills in the sign and its tick: the one that is asked for, or the first
// kind that the recording shows.
func (o *replayFlags) find(c *rollout.TestCase, file string) (dt float64, err error) {
	words := []string{o.event}
	if o.event == "" {
		words = words[:0]
		for _, s := range signWords {
			words = append(words, s.word)
		}
	}
	for _, c.Word = range words {
		if c.Sign, err = signOf(c.Word); err != nil {
			return 0, err
		}
		from, bad := record.Open(file)
		if bad != nil {
			return 0, bad
		}
		dt = from.Header().Dt
		c.Tick, err = rollout.Find(from, c.Sign, ticksOf(o.from, dt))
		if err = errors.Join(err, from.Close()); err == nil {
			return dt, nil
		}
		if !errors.Is(err, rollout.ErrNoSign) {
			return 0, fmt.Errorf("%s: %w", file, err)
		}
	}
	return 0, fmt.Errorf("%s: no %s: %w", file, strings.Join(words, ", no "), rollout.ErrNoSign)
}

// cutTicks writes a piece of a recording.
func cutTicks(file, out string, p record.Piece) (w record.Window, h *record.Header, err error) {
	from, err := record.Open(file)
	if err != nil {
		return w, nil, err
	}
	err = replaceFile(out, func(to io.Writer) (bool, error) {
		w, err = record.Cut(to, from, p)
		return true, err
	}, nil)
	return w, from.Header(), errors.Join(err, from.Close())
}

// packageIn returns the name of the package of tests in a folder: that of the
// tests which are there, else one of the folder's name.
func packageIn(dir string) string {
	if dir == "" {
		dir = "."
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	slices.Sort(files)
	for _, f := range files {
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.PackageClauseOnly)
		if err == nil {
			return strings.TrimSuffix(file.Name.Name, "_test") + "_test"
		}
	}
	full, err := filepath.Abs(dir)
	if err != nil {
		return "recorded_test"
	}
	word := strings.ToLower(strings.Map(letter, filepath.Base(full)))
	if word == "" || unicode.IsDigit(rune(word[0])) {
		word = "recorded"
	}
	return word + "_test"
}

// letter drops what may not stand in a name.
func letter(r rune) rune {
	if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return r
	}
	return -1
}

// camel makes the name of a function of that of a file.
func camel(s string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return letter(r) < 0 }) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}
