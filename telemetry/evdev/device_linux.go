package evdev

import (
	"bytes"
	"encoding/binary"
	"os"
	"syscall"
	"unsafe"
)

// ioctl asks a device for len(buf) bytes: the request of EVIOC... macros, which
// read (2<<30), of group 'E', with the number nr.
func ioctl(f *os.File, nr uintptr, buf []byte) (int, bool) {
	request := 2<<30 | uintptr(len(buf))<<16 | 'E'<<8 | nr
	conn, err := f.SyscallConn()
	if err != nil {
		return 0, false
	}
	var n uintptr
	var code syscall.Errno
	err = conn.Control(func(fd uintptr) {
		n, _, code = syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(&buf[0])))
	})
	return int(n), err == nil && code == 0
}

// The numbers of the questions: EVIOCGNAME, EVIOCGBIT and EVIOCGABS.
const (
	askName = 0x06
	askBits = 0x20
	askAbs  = 0x40
)

func deviceName(f *os.File) (string, bool) {
	buf := make([]byte, 128)
	n, ok := ioctl(f, askName, buf)
	if !ok || n <= 1 || n > len(buf) {
		return "", false
	}
	return string(bytes.TrimRight(buf[:n], "\x00")), true
}

// axisRange reads struct input_absinfo: value, minimum, maximum, fuzz, flat,
// resolution.
func axisRange(f *os.File, axis uint16) (Range, bool) {
	buf := make([]byte, 24)
	if _, ok := ioctl(f, askAbs+uintptr(axis), buf); !ok {
		return Range{}, false
	}
	at := func(i int) int32 { return int32(binary.NativeEndian.Uint32(buf[4*i:])) }
	r := Range{Min: at(1), Max: at(2), Flat: at(4)}
	return r, r.Max > r.Min
}

// isGamepad reports whether a device has the buttons and the stick of one.
func isGamepad(f *os.File) bool {
	keys, axes := make([]byte, 96), make([]byte, 8)
	if _, ok := ioctl(f, askBits+uintptr(TypeKey), keys); !ok {
		return false
	}
	if _, ok := ioctl(f, askBits+uintptr(TypeAbs), axes); !ok {
		return false
	}
	has := func(set []byte, code uint16) bool { return set[code/8]>>(code%8)&1 != 0 }
	return has(keys, ButtonSouth) && has(axes, AbsX) && has(axes, AbsY)
}
