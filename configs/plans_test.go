package configs_test

import (
	"reflect"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/gait"
)

// TestGaitFilesArePlans holds the shipped gait files to what the controller
// offers a rig without any file: one name, one gait.
func TestGaitFilesArePlans(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range configs.Rigs() {
		r, err := configs.LoadRig(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, plan := range control.Plans(r) {
			file, err := configs.LoadGait(plan.Name, r)
			if err != nil {
				t.Errorf("rig %s, gait %s: %v", name, plan.Name, err)
				continue
			}
			seen[plan.Name] = true
			if !reflect.DeepEqual(file, plan) {
				t.Errorf("rig %s, gait %s: file gives\n%+v, controller offers\n%+v", name, plan.Name, file, plan)
			}
		}
	}
	for _, c := range gait.Catalogue() {
		seen[c.Name] = true // compared with its file by TestGaitFilesAreTheCatalogue
	}
	for _, name := range configs.Gaits() {
		if !seen[name] {
			t.Errorf("gait %s: shipped as a file, offered to no shipped rig", name)
		}
	}
}
