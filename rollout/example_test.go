package rollout_test

import (
	"bytes"
	"context"
	"fmt"

	"legctl/configs"
	"legctl/control"
	"legctl/loop"
	"legctl/record"
	"legctl/rollout"
)

// A rig walks ahead for ten seconds of its own time.
func ExampleRun() {
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		fmt.Println(err)
		return
	}
	ahead := control.Command{Kind: control.KindTwist, Vx: 0.05, TTL: 10}
	s, err := rollout.Run(context.Background(), rollout.Config{
		Rig: r, Gait: "walk", Ticks: 1000, Commands: []rollout.Order{{At: 0, Command: ahead}},
	})
	fmt.Printf("%.1f m in %.0f s, %d falls, %d limit hits, %v\n", s.Distance, s.Seconds, s.Falls, s.LimitHits(), err)
	// Output: 0.5 m in 10 s, 0 falls, 0 limit hits, <nil>
}

// A run is recorded and computed once more, simulator included.
func ExampleReplay() {
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		fmt.Println(err)
		return
	}
	run, _ := rollout.New(rollout.Config{Rig: r, Ticks: 200})
	header, _ := run.Header()
	var file bytes.Buffer
	w, _ := record.NewWriter(&file, header)
	run.Config.Sinks = []loop.Sink{w}
	if _, err := run.Run(context.Background()); err != nil {
		fmt.Println(err)
		return
	}

	from, _ := record.NewReader(&file)
	again, err := rollout.Replay(context.Background(), from, rollout.ReplayOptions{Sim: true})
	fmt.Println(again.Ticks, "ticks:", again.First, err)
	// Output: 200 ticks: same <nil>
}
