package configs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// The caps a file must keep before it is parsed.
const (
	MaxSize    = 1 << 20 // bytes
	MaxNesting = 64      // levels of lists and mappings
	MaxKeys    = 20_000  // of the whole file: the parser takes their square in time
)

// parse returns the root mapping of a file, or nil with issues noted.
func parse(file string, data []byte) (*report, ast.Node) {
	r := &report{file: file}
	if len(data) > MaxSize {
		r.add(pos{}, "file of %d bytes, want at most %d", len(data), MaxSize)
		return r, nil
	}
	text := string(data)
	r.lines = strings.Split(text, "\n")
	tokens := lexer.Tokenize(text)
	if !r.admit(tokens) {
		return r, nil
	}
	f, err := parseTokens(tokens)
	if err != nil {
		r.syntax(err)
		return r, nil
	}
	return r, r.root(f)
}

// parseTokens runs the parser; a panic inside it is the file's fault, not ours.
func parseTokens(tokens token.Tokens) (f *ast.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the YAML parser gave up: %v", p)
		}
	}()
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// syntax notes a parse error with its place, if it has one.
func (r *report) syntax(err error) {
	var s *yaml.SyntaxError
	if errors.As(err, &s) && s.Token != nil && s.Token.Position != nil {
		r.add(pos{line: s.Token.Position.Line, col: s.Token.Position.Column}, "not YAML: %s", s.Message)
		return
	}
	r.add(pos{}, "not YAML: %s", strings.SplitN(err.Error(), "\n", 2)[0])
}

// root returns the one mapping a file must be.
func (r *report) root(f *ast.File) ast.Node {
	var docs []ast.Node
	for _, d := range f.Docs {
		if d != nil && d.Body != nil {
			docs = append(docs, d.Body)
		}
	}
	switch {
	case len(docs) == 0:
		r.add(pos{}, "file is empty, want a mapping of keys")
		return nil
	case len(docs) > 1:
		r.add(at(docs[1], ""), "second document in the file, want one")
		return nil
	}
	if _, ok := docs[0].(ast.MapNode); !ok {
		r.add(at(docs[0], ""), "%s, want a mapping of keys", kind(docs[0]))
		return nil
	}
	return docs[0]
}

// admit refuses what must not reach the parser: deep nesting, and the YAML
// features no file of ours uses.
func (r *report) admit(tokens token.Tokens) bool {
	var columns []int // of the open block levels
	flow, keys := 0, 0
	for _, t := range tokens {
		p := pos{}
		if t.Position != nil {
			p = pos{line: t.Position.Line, col: t.Position.Column}
		}
		switch t.Type {
		case token.AnchorType, token.AliasType, token.TagType, token.MergeKeyType, token.DirectiveType:
			r.add(p, "%q: anchors, aliases, tags, merge keys and directives are not read; write the value out", t.Value)
			return false
		case token.InvalidType:
			r.add(p, "not YAML: %s", t.Error)
			return false
		case token.MappingValueType:
			if keys++; keys > MaxKeys {
				r.add(p, "more than %d keys in the file", MaxKeys)
				return false
			}
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow = max(0, flow-1)
		}
		if flow == 0 {
			columns = open(columns, p.col)
		}
		if flow+len(columns) > MaxNesting {
			r.add(p, "nested deeper than %d levels", MaxNesting)
			return false
		}
	}
	return true
}

// open returns the columns of the block levels open at a token in column col:
// each is further right than the one before.
func open(columns []int, col int) []int {
	for len(columns) > 0 && columns[len(columns)-1] >= col {
		columns = columns[:len(columns)-1]
	}
	return append(columns, col)
}

// at returns the place of a node.
func at(n ast.Node, path string) pos {
	p := pos{path: path}
	if n == nil {
		return p
	}
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		n = m.Values[0].Key
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		p.line, p.col = t.Position.Line, t.Position.Column
	}
	return p
}

// kind names a node the way a person would.
func kind(n ast.Node) string {
	switch n.(type) {
	case *ast.SequenceNode:
		return "a list"
	case ast.MapNode:
		return "a mapping"
	case *ast.NullNode:
		return "nothing"
	case *ast.BoolNode:
		return "true or false"
	case *ast.NanNode, *ast.InfinityNode:
		return "not a finite number"
	case *ast.IntegerNode, *ast.FloatNode:
		return "a number"
	case *ast.StringNode, *ast.LiteralNode:
		return "text"
	}
	return "a value of another kind"
}
