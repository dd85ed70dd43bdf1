//go:build !unix

package mqtt

import "os"

// lockFile opens a file. Where there is no lock that ends with the process, two
// processes must be given folders of their own.
func lockFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}
