package configs

import "testing"

func TestShippedRigs(t *testing.T) {
	for _, name := range Rigs() {
		t.Run(name, func(t *testing.T) {
			if _, err := LoadRig(name); err != nil {
				t.Fatal(err)
			}
		})
	}
}
