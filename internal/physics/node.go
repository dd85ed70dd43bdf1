package physics

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
)

// Dir returns the directory of the node program, tools/physics.
func Dir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "tools", "physics")
}

// Ready returns why MuJoCo cannot be run here, or nil: node is missing, or the
// package is not installed and could not be.
func Ready() error {
	if _, err := exec.LookPath("node"); err != nil {
		return errors.New("physics: node is not installed (Debian: nodejs)")
	}
	if _, err := os.Stat(filepath.Join(Dir(), "node_modules", "mujoco-js")); err != nil {
		return fmt.Errorf("physics: mujoco-js is missing: run scripts/npm.sh %s", "tools/physics")
	}
	return nil
}

// node is one process of serve.mjs. It takes one model after the other.
type node struct {
	proc *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs bytes.Buffer
}

// idle are processes that wait for another model: loading MuJoCo takes longer
// than most walks.
var idle struct {
	sync.Mutex
	list []*node
}

// hire returns a process that is idle, or a new one.
func hire() (*node, error) {
	idle.Lock()
	if n := len(idle.list); n > 0 {
		old := idle.list[n-1]
		idle.list = idle.list[:n-1]
		idle.Unlock()
		return old, nil
	}
	idle.Unlock()
	n := &node{proc: exec.Command("node", filepath.Join(Dir(), "serve.mjs"))}
	n.proc.Stderr = &n.errs
	in, err := n.proc.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("physics: %w", err)
	}
	out, err := n.proc.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("physics: %w", err)
	}
	n.in, n.out = in, bufio.NewReaderSize(out, 1<<16)
	if err := n.proc.Start(); err != nil {
		return nil, fmt.Errorf("physics: %w", err)
	}
	return n, nil
}

// retire lets another World have the process.
func (n *node) retire() {
	idle.Lock()
	defer idle.Unlock()
	idle.list = append(idle.list, n)
}

// Shutdown ends the processes that no World has.
func Shutdown() error {
	idle.Lock()
	defer idle.Unlock()
	var all error
	for _, n := range idle.list {
		all = errors.Join(all, n.close())
	}
	idle.list = nil
	return all
}

// ask sends a line and returns the answer, which is valid until the next.
func (n *node) ask(line []byte) ([]byte, error) {
	if _, err := n.in.Write(line); err != nil {
		return nil, fmt.Errorf("physics: node is gone: %w: %s", err, n.complaint())
	}
	answer, err := n.out.ReadSlice('\n')
	if err != nil {
		return nil, fmt.Errorf("physics: no answer from node: %w: %s", err, n.complaint())
	}
	return answer, nil
}

// complaint is the end of what node wrote to its standard error.
func (n *node) complaint() string {
	b := n.errs.Bytes()
	return string(bytes.TrimSpace(b[max(0, len(b)-400):]))
}

// close ends the process and waits for it.
func (n *node) close() error {
	_ = n.in.Close()
	if err := n.proc.Wait(); err != nil {
		return fmt.Errorf("physics: node: %w: %s", err, n.complaint())
	}
	return nil
}
