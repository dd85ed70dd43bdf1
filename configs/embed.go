package configs

import (
	"embed"
	"strings"
)

//go:embed rigs gaits terrains worlds scripts users calibrations answers styles clips bones spaces
var files embed.FS

// shipped returns the names of the embedded files of one kind, sorted.
func shipped(kind string) []string {
	entries, err := files.ReadDir(kind)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".yaml"); ok {
			names = append(names, name)
		}
	}
	return names
}
