//go:build !unix

package mqtt

import "io/fs"

// ownedByUser is true where files carry no owner number.
func ownedByUser(fs.FileInfo) bool { return true }
