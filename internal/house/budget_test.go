package house

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// The budget of the design, section 8, and of the style guide's measured models.
const (
	fileMedian = 150
	fileMax    = 500
	funcMedian = 10
	funcP90    = 35
	funcMax    = 80
)

func TestFileBudget(t *testing.T) {
	var sizes []int
	for _, s := range repository(t).product() {
		n := strings.Count(s.text, "\n")
		if n > fileMax {
			t.Errorf("%s: %d lines, at most %d: split it by what changes together", s.path, n, fileMax)
		}
		sizes = append(sizes, n)
	}
	slices.Sort(sizes)
	if m := sizes[len(sizes)/2]; m > fileMedian {
		t.Errorf("median file has %d lines, at most %d", m, fileMedian)
	} else {
		t.Logf("%d files, median %d, largest %d lines", len(sizes), m, sizes[len(sizes)-1])
	}
}

func TestFunctionBudget(t *testing.T) {
	r := repository(t)
	var sizes []int
	for _, s := range r.product() {
		for _, d := range s.file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil {
				continue
			}
			n := r.fset.Position(fd.End()).Line - r.fset.Position(fd.Pos()).Line + 1
			if n > funcMax {
				t.Errorf("%s: %s has %d lines, at most %d", r.at(fd), fd.Name.Name, n, funcMax)
			}
			sizes = append(sizes, n)
		}
	}
	slices.Sort(sizes)
	median, p90 := sizes[len(sizes)/2], sizes[len(sizes)*9/10]
	if median > funcMedian {
		t.Errorf("median function has %d lines, at most %d", median, funcMedian)
	}
	if p90 > funcP90 {
		t.Errorf("one function in ten has more than %d lines, at most %d", p90, funcP90)
	}
	t.Logf("%d functions, median %d, 90%% within %d, largest %d lines", len(sizes), median, p90, sizes[len(sizes)-1])
}
