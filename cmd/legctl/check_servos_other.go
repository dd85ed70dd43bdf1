//go:build !linux

package main

import "io"

// checkServos has nothing to say: servos are driven on Linux.
func checkServos(io.Writer, string) error { return nil }
