//go:build unix

package mqtt

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByUser reports whether the file belongs to whoever runs this process.
func ownedByUser(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
