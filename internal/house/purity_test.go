package house

import (
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"testing"
)

// checked is a core package with types.
type checked struct {
	rel   string
	files []*ast.File
	info  *types.Info
}

// typed type-checks the core packages from source, with what they import taken
// from the compiler's own export files.
func typed(t *testing.T) (*tree, []checked) {
	t.Helper()
	r := repository(t)
	args := []string{"-export", "-deps"}
	for _, p := range r.pkgs {
		if slices.Contains(core, p.rel()) {
			args = append(args, p.ImportPath)
		}
	}
	exports, err := list(r.root, args...)
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]string{}
	for _, p := range exports {
		byPath[p.ImportPath] = p.Export
	}
	imp := importer.ForCompiler(r.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(byPath[path]) })
	groups := map[string]*checked{}
	var order []string
	for _, s := range r.inCore() {
		rel := s.pkg.rel()
		if groups[rel] == nil {
			groups[rel] = &checked{rel: rel, info: &types.Info{
				Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
				Selections: map[*ast.SelectorExpr]*types.Selection{}, Types: map[ast.Expr]types.TypeAndValue{},
			}}
			order = append(order, rel)
		}
		groups[rel].files = append(groups[rel].files, s.file)
	}
	var out []checked
	for _, rel := range order {
		c := groups[rel]
		if _, err := (&types.Config{Importer: imp}).Check(module+"/"+rel, r.fset, c.files, c.info); err != nil {
			t.Fatal(err)
		}
		out = append(out, *c)
	}
	return r, out
}

func TestCoreIsPure(t *testing.T) {
	r, packages := typed(t)
	for _, p := range packages {
		for _, f := range p.files {
			constraints := map[ast.Node]bool{}
			ast.Inspect(f, func(n ast.Node) bool {
				noteConstraints(constraints, n)
				if n == nil || constraints[n] {
					return false
				}
				if what := impurity(p.info, n); what != "" {
					t.Errorf("%s: the core has no %s", r.at(n), what)
				}
				return true
			})
		}
	}
}

// noteConstraints remembers the constraints of type parameters: "any" there
// lets no value without a type in.
func noteConstraints(seen map[ast.Node]bool, n ast.Node) {
	var params *ast.FieldList
	switch n := n.(type) {
	case *ast.FuncType:
		params = n.TypeParams
	case *ast.TypeSpec:
		params = n.TypeParams
	}
	if params != nil {
		for _, f := range params.List {
			seen[f.Type] = true
		}
	}
}

// impurity names what a node brings in that the core must not have.
func impurity(info *types.Info, n ast.Node) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "goroutines"
	case *ast.ChanType, *ast.SelectStmt:
		return "channels"
	case *ast.FuncDecl:
		if n.Name.Name == "init" && n.Recv == nil {
			return "init()"
		}
	case *ast.Ident:
		if o := info.Uses[n]; n.Name == "any" && o != nil && o.Parent() == types.Universe {
			return "any"
		}
	case *ast.InterfaceType:
		if n.Methods.NumFields() == 0 {
			return "empty interface"
		}
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			if g := global(info, e); g != "" && n.Tok != token.DEFINE {
				return "global that changes (" + g + " is assigned)"
			}
		}
	case *ast.IncDecStmt:
		if g := global(info, n.X); g != "" {
			return "global that changes (" + g + " is counted)"
		}
	case *ast.UnaryExpr:
		if g := global(info, n.X); g != "" && n.Op == token.AND {
			return "global that may change (the address of " + g + " is taken)"
		}
	case *ast.CallExpr:
		return changingCall(info, n)
	}
	return ""
}

// changingCall finds methods with a pointer receiver on a global, and the
// built-ins that write to one.
func changingCall(info *types.Info, call *ast.CallExpr) string {
	switch fun := call.Fun.(type) {
	case *ast.SelectorExpr:
		s := info.Selections[fun]
		if s == nil || s.Kind() != types.MethodVal {
			return ""
		}
		sig, ok := s.Obj().Type().(*types.Signature)
		if !ok || sig.Recv() == nil {
			return ""
		}
		_, byPointer := sig.Recv().Type().(*types.Pointer)
		if g := global(info, fun.X); g != "" && byPointer {
			return "global that may change (" + g + "." + fun.Sel.Name + ")"
		}
	case *ast.Ident:
		if _, builtin := info.Uses[fun].(*types.Builtin); builtin && len(call.Args) > 0 {
			if g := global(info, call.Args[0]); g != "" && slices.Contains([]string{"copy", "clear", "delete"}, fun.Name) {
				return "global that changes (" + fun.Name + " of " + g + ")"
			}
		}
	}
	return ""
}

// global returns the name of the package-level variable an expression is a
// part of, "" when it is none.
func global(info *types.Info, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		if v, ok := info.Uses[e].(*types.Var); ok && !v.IsField() && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			return v.Name()
		}
	case *ast.SelectorExpr:
		if s, ok := info.Uses[e.Sel].(*types.Var); ok && !s.IsField() && s.Pkg() != nil && s.Parent() == s.Pkg().Scope() {
			return s.Name()
		}
		return global(info, e.X)
	case *ast.IndexExpr:
		return global(info, e.X)
	case *ast.SliceExpr:
		return global(info, e.X)
	case *ast.StarExpr:
		return global(info, e.X)
	case *ast.ParenExpr:
		return global(info, e.X)
	}
	return ""
}

// variable are functions whose last bits depend on the processor or which are
// slow, so that the tick keeps away from them (docs/determinism.md).
var variable = map[string]string{
	"math.Exp": "its code depends on the processor", "math.Exp2": "its code depends on the processor",
	"math.Pow": "its code depends on the processor", "math.Tanh": "its code depends on the processor",
	"math.Sinh": "its code depends on the processor", "math.Cosh": "its code depends on the processor",
	"math.Hypot":                         "slow; use math.Sqrt of the squares",
	"gonum.org/v1/gonum/spatial/r3.Norm": "a nested Hypot; use math.Sqrt(r3.Norm2(v))",
	"gonum.org/v1/gonum/spatial/r3.Unit": "built on Norm",
	"gonum.org/v1/gonum/spatial/r2.Norm": "a Hypot; use math.Sqrt(r2.Norm2(v))",
	"gonum.org/v1/gonum/spatial/r2.Unit": "built on Norm",
	"gonum.org/v1/gonum/num/quat.Abs":    "a nested Hypot",
	"gonum.org/v1/gonum/num/quat.Exp":    "calls math.Exp",
	"gonum.org/v1/gonum/num/quat.Log":    "calls a nested Hypot",
	"gonum.org/v1/gonum/num/quat.Pow":    "calls math.Exp",
}

// TestTickIsReproducible follows every call from the tick through the core and
// names the ones that lead to a function in the table above. A method called
// through an interface leads to every method of that name in the core.
func TestTickIsReproducible(t *testing.T) {
	r, packages := typed(t)
	uses := map[string][]call{}
	byName := map[string][]string{}
	for _, p := range packages {
		for _, f := range p.files {
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
					key := p.info.Defs[fd.Name].(*types.Func).FullName()
					uses[key] = calls(r, p.info, fd)
					byName[fd.Name.Name] = append(byName[fd.Name.Name], key)
				}
			}
		}
	}
	const start = "(*legctl/control.Controller).Step"
	if uses[start] == nil {
		t.Fatalf("%s is not there: this test would look at nothing", start)
	}
	follow(t, uses, byName, start)
}

// call is one mention of a function in a body.
type call struct {
	at      string
	to      string
	name    string
	dynamic bool
}

func calls(r *tree, info *types.Info, fd *ast.FuncDecl) []call {
	out := []call{}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if f, ok := info.Uses[id].(*types.Func); ok {
			sig := f.Type().(*types.Signature)
			out = append(out, call{
				at: r.at(id), to: f.Origin().FullName(), name: f.Name(),
				dynamic: sig.Recv() != nil && types.IsInterface(sig.Recv().Type()),
			})
		}
		return true
	})
	return out
}

func follow(t *testing.T, uses map[string][]call, byName map[string][]string, start string) {
	t.Helper()
	seen := map[string]bool{start: true}
	for queue := []string{start}; len(queue) > 0; queue = queue[1:] {
		for _, c := range uses[queue[0]] {
			if why := variable[c.to]; why != "" {
				t.Errorf("%s: %s is reached from the tick: %s", c.at, c.to, why)
			}
			next := []string{c.to}
			if c.dynamic {
				next = byName[c.name]
			}
			for _, n := range next {
				if !seen[n] && uses[n] != nil {
					seen[n] = true
					queue = append(queue, n)
				}
			}
		}
	}
	if len(seen) < 20 {
		t.Errorf("only %d functions are reached from %s: the walk is broken", len(seen), start)
	}
}
