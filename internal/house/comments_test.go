package house

import (
	"go/ast"
	"go/doc"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestExportsAreDocumented asks every exported function, method, type,
// constant and variable for a comment that begins with its name. A group of
// constants or variables may share one comment.
func TestExportsAreDocumented(t *testing.T) {
	r := repository(t)
	for _, s := range r.product() {
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && receiverExported(d) {
					wantDoc(t, r, d, d.Name.Name, d.Doc)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					specDoc(t, r, d, spec)
				}
			}
		}
	}
}

func specDoc(t *testing.T, r *tree, d *ast.GenDecl, spec ast.Spec) {
	t.Helper()
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() {
			c := spec.Doc
			if c == nil && !d.Lparen.IsValid() {
				c = d.Doc
			}
			wantDoc(t, r, spec, spec.Name.Name, c)
		}
	case *ast.ValueSpec:
		for _, n := range spec.Names {
			if !n.IsExported() {
				continue
			}
			if d.Lparen.IsValid() {
				if d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
					t.Errorf("%s: %s has no comment, nor has its group", r.at(n), n.Name)
				}
				continue
			}
			wantDoc(t, r, n, n.Name, d.Doc)
		}
	}
}

func wantDoc(t *testing.T, r *tree, n ast.Node, name string, c *ast.CommentGroup) {
	t.Helper()
	text := strings.TrimSpace(c.Text())
	for _, article := range []string{"A ", "An ", "The "} {
		text = strings.TrimPrefix(text, article)
	}
	if words := strings.Fields(text); len(words) == 0 || strings.Trim(words[0], ".,:;") != name {
		t.Errorf("%s: the comment of %s must begin with its name, got %q", r.at(n), name, firstLine(text))
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func receiverExported(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	e := d.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// TestPackagesAreDocumented wants a doc.go with the package comment, once.
func TestPackagesAreDocumented(t *testing.T) {
	r := repository(t)
	for _, p := range r.pkgs {
		if len(p.GoFiles) == 0 {
			continue
		}
		var with []string
		for _, s := range r.sources {
			if s.pkg == p && !s.test && s.file.Doc != nil {
				with = append(with, filepath.Base(s.path))
			}
		}
		program := p.Name == "main" // its comment is its usage, beside func main
		if len(p.GoFiles) > 1 && !program && !slices.Equal(with, []string{"doc.go"}) {
			t.Errorf("%s: the package comment belongs in doc.go alone, found in %q", p.rel(), with)
		} else if len(with) != 1 {
			t.Errorf("%s: wants one package comment, found in %q", p.rel(), with)
		}
	}
}

// TestCoreHasExamples wants an Example that "go test" runs (it has an Output
// comment) in every core package that has code.
func TestCoreHasExamples(t *testing.T) {
	r := repository(t)
	for _, p := range r.pkgs {
		if !slices.Contains(core, p.rel()) {
			continue
		}
		var files []*ast.File
		for _, s := range r.sources {
			if s.pkg == p && s.test {
				files = append(files, s.file)
			}
		}
		if !slices.ContainsFunc(doc.Examples(files...), func(e *doc.Example) bool { return e.Output != "" }) {
			t.Errorf("%s: no tested Example", p.rel())
		}
	}
}

// forbidden are the words that name nothing (design, section 6).
var forbidden = []string{"manager", "managers", "util", "utils", "helper", "helpers", "tip", "tips", "walker", "walkers"}

var wordBreak = regexp.MustCompile(`[A-Z]?[a-z0-9]+|[A-Z]+`)

// badWord returns the forbidden word in an identifier, "" when there is none.
func badWord(name string) string {
	for _, w := range wordBreak.FindAllString(name, -1) {
		if slices.Contains(forbidden, strings.ToLower(w)) {
			return w
		}
	}
	return ""
}

func TestWords(t *testing.T) {
	r := repository(t)
	for _, s := range r.sources {
		if w := badWord(strings.TrimSuffix(s.path, ".go")); w != "" {
			t.Errorf("%s: %q names nothing", s.path, w)
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			for _, id := range declared(n) {
				if w := badWord(id.Name); w != "" {
					t.Errorf("%s: %s: %q names nothing", r.at(id), id.Name, w)
				}
			}
			return true
		})
	}
}

// declared returns the identifiers that a node brings into being.
func declared(n ast.Node) []*ast.Ident {
	switch n := n.(type) {
	case *ast.File:
		return []*ast.Ident{n.Name}
	case *ast.FuncDecl:
		return []*ast.Ident{n.Name}
	case *ast.TypeSpec:
		return []*ast.Ident{n.Name}
	case *ast.ValueSpec:
		return n.Names
	case *ast.Field:
		return n.Names
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			return idents(n.Lhs...)
		}
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			return idents(n.Key, n.Value)
		}
	}
	return nil
}

func idents(list ...ast.Expr) []*ast.Ident {
	var out []*ast.Ident
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok {
			out = append(out, id)
		}
	}
	return out
}

func TestWordsFindTheirMark(t *testing.T) {
	for name, want := range map[string]string{
		"legManager": "Manager", "Util": "Util", "tip": "tip", "tipB": "tip", "footTip": "Tip", "HelperOf": "Helper",
		"multiply": "", "utility": "", "Walk": "", "tipping": "", "description": "", "TipOver": "Tip",
	} {
		if got := badWord(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestNoMachine looks for paths and hosts that only exist where somebody
// happened to work. The patterns are put together here so that this file does
// not find itself.
func TestNoMachine(t *testing.T) {
	r := repository(t)
	bad := regexp.MustCompile("(" + strings.Join([]string{
		"/wor" + "k/", "/ro" + "ot/", "/ho" + "me/[a-z]", "/User" + "s/[A-Za-z]", `[A-Z]:\\Us` + "ers", "/tm" + "p/(brief|h[0-9])",
		"proxy.gol" + "ang.org", "registry.npm" + "js.org", "deb.deb" + "ian.org",
	}, "|") + ")")
	err := r.eachFile(func(path string, text []byte) {
		for i, line := range strings.Split(string(text), "\n") {
			if m := bad.FindString(line); m != "" {
				t.Errorf("%s:%d: names a machine or a registry: %q", path, i+1, m)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestHygiene wants a final newline, no carriage return and no space at a
// line's end in every text file we write.
func TestHygiene(t *testing.T) {
	r := repository(t)
	kinds := []string{".go", ".md", ".mk", ".sh", ".yaml", ".yml", ".c", ".h", ".mod", ".editorconfig", ".gitattributes"}
	err := r.eachFile(func(path string, text []byte) {
		if !slices.Contains(kinds, filepath.Ext(path)) || strings.Contains(path, "testdata/") || len(text) == 0 {
			return
		}
		if text[len(text)-1] != '\n' {
			t.Errorf("%s: no newline at the end", path)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if strings.TrimRight(line, " \t\r") != line {
				t.Errorf("%s:%d: blank at the end of the line", path, i+1)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestFilesEveryRepositoryHas wants the files a stranger looks for.
func TestFilesEveryRepositoryHas(t *testing.T) {
	r := repository(t)
	for _, name := range []string{
		"README.md", "LICENSE", "CHANGELOG.md", "Makefile", ".ci/run", ".editorconfig", ".gitattributes", ".golangci.yml",
		"docs/architecture.md", "docs/frames.md", "docs/time.md", "docs/determinism.md", "docs/adding.md",
	} {
		info, err := os.Stat(filepath.Join(r.root, name))
		if err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty", name)
		} else if name == ".ci/run" && info.Mode()&0o111 == 0 {
			t.Errorf("%s cannot be executed", name)
		}
	}
}
