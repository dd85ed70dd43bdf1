package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestReportsHaveTests: docs/reports.md has a row for each report, and the tests it
// names are where it says.
func TestReportsHaveTests(t *testing.T) {
	const reports = 75
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "reports.md"))
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile("\\[`(\\w+)`\\]\\(\\.\\./([^)]+)\\)")
	next := 1
	for _, row := range strings.Split(string(text), "\n") {
		cells := strings.Split(row, " | ")
		n, err := strconv.Atoi(strings.TrimPrefix(cells[0], "| "))
		if err != nil {
			continue
		}
		if n != next {
			t.Errorf("row %d comes where %d should", n, next)
		}
		next = n + 1
		tests := link.FindAllStringSubmatch(row, -1)
		if len(tests) == 0 && !strings.Contains(row, "not software") {
			t.Errorf("report %d has no test", n)
		}
		for _, m := range tests {
			code, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(m[2])))
			if err != nil || !strings.Contains(string(code), "func "+m[1]+"(t *testing.T)") {
				t.Errorf("report %d: there is no %s in %s (%v)", n, m[1], m[2], err)
			}
		}
	}
	if next != reports+1 {
		t.Errorf("%d reports have rows, want %d", next-1, reports)
	}
}
