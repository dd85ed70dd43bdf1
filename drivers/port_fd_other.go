//go:build !linux

package drivers

import (
	"errors"
	"os"

	"legctl/drivers/servo"
)

var errLinuxOnly = errors.New("drivers: a port can be handed to another process on Linux only")

// OpenRaw needs Linux.
func OpenRaw(string, int) (*os.File, error) { return nil, errLinuxOnly }

// FilePort needs Linux.
func FilePort(*os.File) (servo.Port, error) { return nil, errLinuxOnly }
