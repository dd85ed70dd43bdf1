package sim_test

import (
	"testing"

	"legctl/internal/codertest"
	"legctl/sim"
)

func TestEveryEventFieldIsCoded(t *testing.T) {
	codertest.Check(t, func() codertest.Record { return &sim.Event{} })
}
