package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// module is the path all packages of this repository begin with.
const module = "legctl"

// core are the packages without clock, files, goroutines or globals.
var core = []string{"geom", "rig", "gait", "balance", "ik", "blend", "blend/space", "estimate", "control", "control/mode"}

// pkg is what "go list" says about a package.
type pkg struct {
	ImportPath   string
	Name         string
	Dir          string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	Imports      []string
	Export       string
}

// rel is the package's folder from the root of the repository, "." for the root.
func (p *pkg) rel() string {
	if p.ImportPath == module {
		return "."
	}
	return strings.TrimPrefix(p.ImportPath, module+"/")
}

// source is one parsed file.
type source struct {
	pkg  *pkg
	path string // from the root, with slashes
	test bool
	text string
	file *ast.File
}

// tree is everything the tests look at.
type tree struct {
	root    string
	fset    *token.FileSet
	pkgs    []*pkg
	sources []*source
}

var load = sync.OnceValues(func() (*tree, error) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return nil, err
	}
	t := &tree{root: root, fset: token.NewFileSet()}
	if t.pkgs, err = list(root, "./..."); err != nil {
		return nil, err
	}
	for _, p := range t.pkgs {
		for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
			s, err := t.parse(p, name)
			if err != nil {
				return nil, err
			}
			t.sources = append(t.sources, s)
		}
	}
	return t, nil
})

func (t *tree) parse(p *pkg, name string) (*source, error) {
	path := filepath.Join(p.Dir, name)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(t.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(t.root, path)
	return &source{
		pkg: p, path: filepath.ToSlash(rel), test: strings.HasSuffix(name, "_test.go"),
		text: string(text), file: f,
	}, err
}

// repository returns the parsed repository, read once a test run.
func repository(t *testing.T) *tree {
	t.Helper()
	r, err := load()
	if err != nil {
		t.Fatal(err)
	}
	if len(r.pkgs) < 4 {
		t.Fatalf("only %d packages found under %s", len(r.pkgs), r.root)
	}
	return r
}

// product yields the files that are neither tests nor generated.
func (t *tree) product() []*source {
	var out []*source
	for _, s := range t.sources {
		if !s.test && !ast.IsGenerated(s.file) {
			out = append(out, s)
		}
	}
	return out
}

// inCore yields the product files of the core.
func (t *tree) inCore() []*source {
	return slices.DeleteFunc(t.product(), func(s *source) bool { return !slices.Contains(core, s.pkg.rel()) })
}

// at returns where a node stands, from the root of the repository.
func (t *tree) at(n ast.Node) string {
	p := t.fset.Position(n.Pos())
	rel, err := filepath.Rel(t.root, p.Filename)
	if err != nil {
		rel = p.Filename
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(rel), p.Line)
}

// list runs "go list" in dir.
func list(dir string, args ...string) ([]*pkg, error) {
	cmd := exec.Command("go", append([]string{"list", "-e", "-json=ImportPath,Name,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,Export"}, args...)...)
	cmd.Dir = dir
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	text, err := cmd.Output()
	if err != nil {
		return nil, errors.New("go list: " + err.Error() + ": " + errOut.String())
	}
	var out []*pkg
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		p := new(pkg)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		if len(p.GoFiles)+len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			out = append(out, p)
		}
	}
}

// eachFile calls f with every text file of the tree that could be committed.
func (t *tree) eachFile(f func(path string, text []byte)) error {
	skip := []string{".git", "bin", "dist", "node_modules", ".soak"}
	return filepath.WalkDir(t.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(skip, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.ContainsRune(text[:min(len(text), 1024)], 0) {
			rel, _ := filepath.Rel(t.root, path)
			f(filepath.ToSlash(rel), text)
		}
		return nil
	})
}
