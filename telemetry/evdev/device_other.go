//go:build !linux

package evdev

import "os"

// Elsewhere there are no event devices: only files and pipes can be read.

func deviceName(*os.File) (string, bool) { return "", false }

func axisRange(*os.File, uint16) (Range, bool) { return Range{}, false }

func isGamepad(*os.File) bool { return false }
