package drivers

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// whoMay says which group owns a device, and how to become one of it.
func whoMay(device string) string {
	var st syscall.Stat_t
	if syscall.Stat(device, &st) != nil {
		return "this user may not open it"
	}
	group := strconv.Itoa(int(st.Gid))
	if g, err := user.LookupGroupId(group); err == nil {
		group = g.Name
	}
	if st.Mode&0o060 != 0o060 {
		return fmt.Sprintf("only its owner may open it: the device has mode %03o", st.Mode&0o777)
	}
	return fmt.Sprintf("the device belongs to group %s: run \"sudo usermod -aG %s $USER\" and log in again", group, group)
}

// latencyFile is where an FTDI driver keeps its latency timer in milliseconds.
const latencyFile = "/sys/class/tty/%s/device/latency_timer"

// adaptorLatency returns how long the adaptor of a device holds what it has
// received. False for adaptors that have no such setting.
func adaptorLatency(device string) (seconds float64, known bool) {
	real, err := filepath.EvalSymlinks(device)
	if err != nil {
		return 0, false
	}
	text, err := os.ReadFile(fmt.Sprintf(latencyFile, filepath.Base(real)))
	if err != nil {
		return 0, false
	}
	ms, err := strconv.Atoi(strings.TrimSpace(string(text)))
	return float64(ms) / 1000, err == nil && ms > 0
}
