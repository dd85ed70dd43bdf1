package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestInterfaceDocs fails when a document made from the interfaces is stale.
func TestInterfaceDocs(t *testing.T) {
	for _, d := range []struct{ file, command, mark string }{
		{"asyncapi.yaml", "asyncapi", ""},
		{"openapi.yaml", "openapi", ""},
		{"mqtt.md", "mqtt", "tables"},
		{"metrics.md", "metrics", "metrics"},
	} {
		var out, bad bytes.Buffer
		if status := run([]string{"docs", d.command}, &out, &bad); status != exitDone {
			t.Fatalf("docs %s: %s", d.command, &bad)
		}
		path := filepath.Join("..", "..", "docs", d.file)
		old, err := os.ReadFile(path)
		if err != nil && !*update {
			t.Fatal(err)
		}
		want := out.Bytes()
		if d.mark != "" {
			part := regexp.MustCompile("(?s)<!-- " + d.mark + " -->.*<!-- /" + d.mark + " -->")
			text := "<!-- " + d.mark + " -->\n" + out.String() + "<!-- /" + d.mark + " -->"
			want = part.ReplaceAllLiteral(old, []byte(text))
		}
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !bytes.Equal(old, want) {
			t.Errorf("docs/%s is stale: run \"make docs\"", d.file)
		}
	}
}

// TestRoutes: the OpenAPI document names exactly the paths that are served: what
// package web registers, and what the shell mounts beside it.
func TestRoutes(t *testing.T) {
	served := registered(t, filepath.Join("..", "..", "web"))
	sh := &shell{metrics: newMetrics()}
	for path := range sh.mounts() {
		served = append(served, path)
	}
	for path := range sh.opens() {
		served = append(served, "GET "+path)
	}
	var told []string
	for _, r := range routes() {
		told = append(told, r.Method+" "+r.Path)
	}
	slices.Sort(served)
	slices.Sort(told)
	if !slices.Equal(served, told) {
		t.Errorf("served:\n%s\ndocumented:\n%s", strings.Join(served, "\n"), strings.Join(told, "\n"))
	}
}

// registered reads the patterns that web gives to its mux from its source.
func registered(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	consts := map[string]string{"socketPath": "/ws"}
	var list []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "HandleFunc" && sel.Sel.Name != "Handle" {
				return true
			}
			if p := pattern(call.Args[0], consts); p != "" && p != "/api/" {
				list = append(list, p)
			}
			return true
		})
	}
	return list
}

// pattern is the text of a pattern; that without a method is read.
func pattern(e ast.Expr, consts map[string]string) string {
	var text func(ast.Expr) string
	text = func(e ast.Expr) string {
		switch e := e.(type) {
		case *ast.BasicLit:
			s, _ := strconv.Unquote(e.Value)
			return s
		case *ast.Ident:
			return consts[e.Name]
		case *ast.BinaryExpr:
			return text(e.X) + text(e.Y)
		}
		return ""
	}
	p := text(e)
	if p == "/" {
		return "GET /"
	}
	return p
}
