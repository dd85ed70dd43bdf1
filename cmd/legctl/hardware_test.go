package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestErrorsOfTheHardwarePageExist: what docs/hardware.md explains is what some
// program text says, word for word between the dots.
func TestErrorsOfTheHardwarePageExist(t *testing.T) {
	var text strings.Builder
	for _, dir := range []string{"../../drivers", "../../configs", "."} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			data, err := os.ReadFile(path)
			text.WriteString(strings.ReplaceAll(string(data), `\"`, `"`))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile("../../docs/hardware.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| it says | it means |\n| --- | --- |\n")
	rows := 0
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| ") {
			break
		}
		rows++
		says := strings.Split(line, " | ")[0][2:]
		for part := range strings.SplitSeq(says, "...") {
			part = strings.Trim(part, " ")
			if strings.Contains(text.String(), part) {
				continue
			}
			for word := range strings.SplitSeq(part, ", ") {
				if !strings.Contains(text.String(), strings.Trim(word, " :,")) {
					t.Errorf("%s: nothing says %q", says, word)
				}
			}
		}
	}
	if rows < 20 {
		t.Errorf("%d rows", rows)
	}
}
