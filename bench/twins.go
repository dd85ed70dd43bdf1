package bench

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
)

//go:embed c/*.c c/*.h
var twinSource embed.FS

// twinArea is the area of all lines that come from C.
const twinArea = "c"

// programs are the twins and the area each is compared with.
var programs = []struct{ name, area string }{{"fabrik", "ik"}, {"polygon", "balance"}, {"blend", "blend"}, {"servo", "servo"}, {"tick", "tick"}}

// twin is one compiled C program. It prints lines like ours; its areas become
// part of the names.
type twin struct{ program, area string }

// buildTwins compiles every program under c/ into dir.
func buildTwins(ctx context.Context, dir string) ([]twin, error) {
	cc, err := compiler()
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(twinSource, "c/*.*")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := twinSource.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, path.Base(name)), text, 0o600); err != nil {
			return nil, err
		}
	}
	var out []twin
	for _, p := range programs {
		program := filepath.Join(dir, p.name+".twin")
		cmd := exec.CommandContext(ctx, cc, "-O3", "-march=native", "-o", program, filepath.Join(dir, p.name+".c"), "-lm")
		if text, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w: %s", p.name, err, bytes.TrimSpace(text))
		}
		out = append(out, twin{program, p.area})
	}
	return out, nil
}

// compiler returns the C compiler of this machine: $CC, else cc, gcc or clang.
func compiler() (string, error) {
	for _, name := range []string{os.Getenv("CC"), "cc", "gcc", "clang"} {
		if name == "" {
			continue
		}
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	return "", errors.New("no C compiler (cc, gcc or clang) on the path")
}

// run runs a twin once on the targets in dir.
func (t *twin) run(ctx context.Context, dir string) ([]Line, error) {
	cmd := exec.CommandContext(ctx, t.program, dir)
	var errText bytes.Buffer
	cmd.Stderr = &errText
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("bench: twin %s: %w: %s", filepath.Base(t.program), err, bytes.TrimSpace(errText.Bytes()))
	}
	var out []Line
	for d := json.NewDecoder(bytes.NewReader(text)); d.More(); {
		var l Line
		if err := d.Decode(&l); err != nil {
			return nil, fmt.Errorf("bench: twin %s prints what is not a line: %w", filepath.Base(t.program), err)
		}
		if l.Area != twinArea {
			l.Area, l.Name = twinArea, l.Area+"/"+l.Name
		}
		out = append(out, l)
	}
	return out, nil
}
