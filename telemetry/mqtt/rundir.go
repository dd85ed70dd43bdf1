package mqtt

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	storePrefix = "broker-"
	notePrefix  = "run-"
	dialLimit   = 300 * time.Millisecond
)

// Running is what a running legctl writes about itself for its user's clients.
type Running struct {
	PID    int    `json:"pid"`
	Broker string `json:"broker"` // an address of ParseAddress
	Rig    string `json:"rig"`
	Store  string `json:"store"` // folder of the embedded broker
}

// RunDir returns the folder of this user's running legctl processes and makes
// it when needed: $XDG_RUNTIME_DIR/legctl, else legctl-<uid> in the folder for
// temporary files. It must be the user's alone (0700), since clients trust the
// addresses in it.
func RunDir() (string, error) {
	dir := filepath.Join(os.TempDir(), "legctl-"+strconv.Itoa(os.Getuid()))
	if base := os.Getenv("XDG_RUNTIME_DIR"); base != "" {
		dir = filepath.Join(base, "legctl")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("mqtt: run directory: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", fmt.Errorf("mqtt: run directory: %w", err)
	}
	open := info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows"
	if !info.IsDir() || open || !ownedByUser(info) {
		return "", fmt.Errorf("mqtt: run directory %s: mode %v, want a folder of this user with mode drwx------; remove it", dir, info.Mode())
	}
	return dir, nil
}

// Announce writes the note of this process into dir and returns what takes it
// away again.
func Announce(dir string, r Running) (withdraw func(), err error) {
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("mqtt: note: %w", err)
	}
	path := filepath.Join(dir, notePrefix+strconv.Itoa(r.PID)+".json")
	if err := os.WriteFile(path+".new", raw, 0o600); err != nil {
		return nil, fmt.Errorf("mqtt: note: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return nil, fmt.Errorf("mqtt: note: %w", err)
	}
	return func() { os.Remove(path) }, nil
}

// Find returns the running processes of this user whose broker answers.
func Find(dir string) []Running {
	var list []Running
	for _, path := range notes(dir) {
		r, err := readNote(path)
		if err == nil && answers(r.Broker) {
			list = append(list, r)
		}
	}
	return list
}

// Sweep removes what processes that were killed have left in dir: notes and
// broker folders. A process that is still alive keeps its own.
func Sweep(dir string) {
	for _, path := range notes(dir) {
		r, err := readNote(path)
		if err != nil || alive(r.PID) {
			continue
		}
		os.Remove(path)
		if filepath.Dir(r.Store) == dir && strings.HasPrefix(filepath.Base(r.Store), storePrefix) {
			os.RemoveAll(r.Store)
		}
	}
}

func notes(dir string) []string {
	list, err := filepath.Glob(filepath.Join(dir, notePrefix+"*.json"))
	if err != nil {
		return nil
	}
	return list
}

func readNote(path string) (Running, error) {
	var r Running
	raw, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(raw, &r)
}

// answers reports whether something listens there.
func answers(addr string) bool {
	if a, err := ParseAddress(addr); err == nil {
		addr = a.Host
	}
	c, err := net.DialTimeout("tcp", addr, dialLimit)
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// alive reports whether a process exists. Where signals cannot ask (Windows),
// opening the process is the question.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	if runtime.GOOS == "windows" {
		return true
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
