// Package version knows which legctl this is.
package version

import "runtime"

// Number is the release this tree leads to, as in CHANGELOG.md.
const Number = "0.1.0"

// commit is set by the linker (scripts/build.mk); empty in a plain go build.
var commit string

// String returns the version on one line: number, commit where it is known,
// Go version and platform.
func String() string {
	s := "legctl " + Number
	if commit != "" {
		s += " (" + commit + ")"
	}
	return s + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}
