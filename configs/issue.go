package configs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Issue is one fault of a file. Line and Col count from 1; both are 0 when the
// fault belongs to the file as a whole.
type Issue struct {
	Line, Col int
	Path      string // such as legs[0].mount_m
	What      string // what, value, bound and what to do
	Excerpt   string // the line and a mark under the column
}

// Error lists every fault of one file, in order of line.
type Error struct {
	File   string
	Issues []Issue
}

// Error implements error: one entry a fault, each with its excerpt.
func (e *Error) Error() string {
	var b strings.Builder
	for i, s := range e.Issues {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.File)
		if s.Line > 0 {
			fmt.Fprintf(&b, ":%d:%d", s.Line, s.Col)
		}
		b.WriteString(": ")
		if s.Path != "" {
			b.WriteString(s.Path + ": ")
		}
		b.WriteString(s.What)
		if s.Excerpt != "" {
			b.WriteString("\n" + s.Excerpt)
		}
	}
	return b.String()
}

// pos is where a value stands in its file.
type pos struct {
	line, col int
	path      string
}

func (p pos) known() bool { return p.line > 0 }

// report gathers the issues of one file.
type report struct {
	file   string
	lines  []string
	issues []Issue
}

// add notes an issue at p; the same issue at the same place counts once.
func (r *report) add(p pos, format string, args ...any) {
	const most = 200 // enough to see what is wrong; a hostile file has no end
	if len(r.issues) > most {
		return
	}
	if len(r.issues) == most {
		r.issues = append(r.issues, Issue{What: "more than 200 faults, the rest is not listed"})
		return
	}
	what := fmt.Sprintf(format, args...)
	for i := range r.issues {
		if s := &r.issues[i]; s.Line == p.line && s.Col == p.col && s.What == what {
			return
		}
	}
	r.issues = append(r.issues, Issue{Line: p.line, Col: p.col, Path: p.path, What: what, Excerpt: r.excerpt(p)})
}

// excerpt shows the line of p with a mark under its column.
func (r *report) excerpt(p pos) string {
	if p.line < 1 || p.line > len(r.lines) {
		return ""
	}
	const width = 76
	runes := []rune(strings.ReplaceAll(r.lines[p.line-1], "\t", " "))
	from := 0
	if p.col > width {
		from = p.col - width/2
	}
	from = min(from, len(runes))
	text := string(runes[from:min(len(runes), from+width)])
	mark := strings.Repeat(" ", max(0, p.col-1-from)) + "^"
	return fmt.Sprintf("  %4d | %s\n       | %s", p.line, strings.TrimRight(text, "\r"), mark)
}

// err returns all issues as one error, or nil.
func (r *report) err() error {
	if len(r.issues) == 0 {
		return nil
	}
	slices.SortStableFunc(r.issues, func(a, b Issue) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return &Error{File: r.file, Issues: r.issues}
}
