package foxglove_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestTheirClientUnderstandsIt: the protocol's own JavaScript client connects,
// subscribes to everything and gets it.
func TestTheirClientUnderstandsIt(t *testing.T) {
	missing := t.Skip
	if os.Getenv("CI") != "" {
		missing = t.Fatal
	}
	if _, err := exec.LookPath("node"); err != nil {
		missing("node is not installed (make test installs it)")
	}
	if out, err := exec.Command("../../scripts/npm.sh", "../../tools/recording").CombinedOutput(); err != nil {
		missing("npm: " + string(out))
	}
	noLeaks(t)
	st := newStage(t)
	var out, bad bytes.Buffer
	c := exec.Command("node", "../../tools/recording/live.mjs", "ws://"+st.s.Addr(), "60")
	c.Stdout, c.Stderr = &out, &bad
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for end := time.Now().Add(40 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			_ = c.Process.Kill()
			t.Fatalf("the client does not end: %s", &bad)
		}
		st.step(2)
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v: %s", err, &bad)
			}
		default:
			continue
		}
		break
	}
	var got struct {
		Info struct {
			Name         string
			Capabilities []string
		}
		Topics map[string]int
		Wrong  []string
		Clock  uint64
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	if got.Info.Name != "legctl phantomx" || len(got.Wrong) > 0 || got.Clock == 0 {
		t.Errorf("%+v", got)
	}
	for _, topic := range []string{"/tf", "/scene/rig", "/scene/support", "/legctl/frame", "/legctl/run"} {
		if got.Topics[topic] == 0 {
			t.Errorf("nothing on %s: %v", topic, got.Topics)
		}
	}
}
