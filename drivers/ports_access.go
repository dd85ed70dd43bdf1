package drivers

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
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

// plugged is how long ago the node of a device was made: an hour when it is not
// known.
func plugged(name string) time.Duration {
	device, err := FindPort(name)
	if err != nil {
		return time.Hour
	}
	var st syscall.Stat_t
	if syscall.Stat(device, &st) != nil {
		return time.Hour
	}
	return time.Since(time.Unix(st.Ctim.Unix())) // reading and writing leave it as it is
}

// adaptor is what the system knows of the USB adaptor behind a device.
type adaptor struct {
	sys    string                    // folder with the settings of each terminal
	device string                    // or a link to it
	set    func(timer string) error  // writes the least latency into its file
	ask    func(device string) error // asks its driver to be quick
}

func adaptorOf(device string) adaptor {
	least := func(timer string) error { return os.WriteFile(timer, []byte("1"), 0) }
	return adaptor{"/sys/class/tty", device, least, askLowLatency}
}

// timer is the file where an FTDI driver keeps its latency timer in milliseconds.
func (a adaptor) timer() (string, error) {
	real, err := filepath.EvalSymlinks(a.device)
	return filepath.Join(a.sys, filepath.Base(real), "device", "latency_timer"), err
}

// latency returns how long the adaptor holds what it has received. False for
// adaptors that have no such setting.
func (a adaptor) latency() (seconds float64, known bool) {
	timer, err := a.timer()
	if err != nil {
		return 0, false
	}
	text, err := os.ReadFile(timer)
	if err != nil {
		return 0, false
	}
	ms, err := strconv.Atoi(strings.TrimSpace(string(text)))
	return float64(ms) / 1000, err == nil && ms > 0
}

// quicken sets the latency timer to its least, by its file, which belongs to
// root, or by asking the driver, which anybody may who may open the device and
// which some drivers ignore. Whoever wants to know what came of it reads latency
// again.
func (a adaptor) quicken() {
	if s, ok := a.latency(); !ok || s <= 1e-3 {
		return
	}
	timer, err := a.timer()
	if err != nil || a.set(timer) != nil {
		_ = a.ask(a.device)
	}
}

// lowLatency is ASYNC_LOW_LATENCY of linux/tty_flags.h.
const lowLatency = 1 << 13

// askLowLatency sets that flag of a device.
func askLowLatency(device string) error {
	fd, err := unix.Open(device, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var s [32]int32 // struct serial_struct of linux/serial.h, and room; the fifth int is flags
	if err := ioctl(fd, unix.TIOCGSERIAL, unsafe.Pointer(&s)); err != nil {
		return err
	}
	s[4] |= lowLatency
	return ioctl(fd, unix.TIOCSSERIAL, unsafe.Pointer(&s))
}

func ioctl(fd int, request uintptr, arg unsafe.Pointer) error {
	if _, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(arg)); e != 0 {
		return e
	}
	return nil
}
