// Prints what go/parser finds in the Go files below the given folders: one JSON object a line for each file.
//
//	go run definitions.go FOLDER...
//
// Names, containers, public marks, signatures in a spelling of its own, and tests, by the rules of baselines.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type definition struct {
	Place     string `json:"place"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Public    bool   `json:"public"`
	Test      bool   `json:"test"`
	Signature string `json:"signature"`
}

type file struct {
	Root        string       `json:"root"`
	Path        string       `json:"path"`
	Error       string       `json:"error,omitempty"`
	Definitions []definition `json:"definitions"`
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, root := range os.Args[1:] {
		var paths []string
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && strings.HasSuffix(path, ".go") {
				paths = append(paths, path)
			}
			return err
		})
		if err == nil {
			sort.Strings(paths)
			for _, path := range paths {
				if err = encoder.Encode(read(root, path)); err != nil {
					break
				}
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "error:", err)
			os.Exit(2)
		}
	}
	if err := out.Flush(); err != nil {
		os.Exit(2)
	}
}

// reader takes the definitions of one file.
type reader struct {
	found      []definition
	testFile   bool
	importable bool
	constraint string
	// Words that are used anywhere but in front of a dot or as the name of a function.
	used map[string]bool
	// Struct types declared here, with the types that they embed.
	embeds map[string][]string
	// Ends of comment groups, and the groups.
	comments []*ast.CommentGroup
	// Names of the type parameters in scope.
	parameters []string
}

func read(root, path string) file {
	inside := strings.TrimPrefix(strings.TrimPrefix(path, root), "/")
	result := file{Root: root, Path: inside}
	source, err := os.ReadFile(path)
	if err != nil {
		result.Error = err.Error()
		return result
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		result.Error = err.Error()
		return result
	}
	r := &reader{
		testFile: strings.HasSuffix(path, "_test.go"),
		used:     map[string]bool{},
		embeds:   map[string][]string{},
		comments: parsed.Comments,
	}
	r.importable = !r.testFile && parsed.Name.Name != "main"
	for _, folder := range strings.Split(filepath.Dir(inside), "/") {
		switch {
		case folder == "internal", folder == "examples", folder == "example", folder == "docs",
			strings.HasPrefix(folder, "bench"), strings.HasPrefix(folder, "_"),
			strings.HasPrefix(folder, ".") && folder != ".":
			r.importable = false
		}
	}
	for _, group := range parsed.Comments {
		for _, comment := range group.List {
			if comment.Pos() < parsed.Package && strings.HasPrefix(comment.Text, "//go:build ") {
				if r.constraint == "" {
					r.constraint = strings.Join(strings.Fields(comment.Text), "")
				}
			}
		}
	}
	r.survey(parsed)
	for _, decl := range parsed.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			r.function(decl)
		case *ast.GenDecl:
			r.general(decl)
		}
	}
	result.Definitions = r.found
	return result
}

// survey notes the words in use, and what struct types embed.
func (r *reader) survey(parsed *ast.File) {
	skip := map[*ast.Ident]bool{}
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			skip[node.Name] = true
		case *ast.SelectorExpr:
			if name, ok := node.X.(*ast.Ident); ok {
				skip[name] = true
			}
		case *ast.TypeSpec:
			if structure, ok := node.Type.(*ast.StructType); ok {
				r.embeds[node.Name.Name] = nil
				for _, field := range structure.Fields.List {
					if len(field.Names) == 0 {
						r.embeds[node.Name.Name] = append(r.embeds[node.Name.Name], qualified(field.Type))
					}
				}
			}
		case *ast.Ident:
			if !skip[node] {
				r.used[node.Name] = true
			}
		}
		return true
	})
}

func (r *reader) add(d definition) {
	if r.constraint != "" && d.Kind != "field" && d.Kind != "embed" && d.Signature != "s" && d.Signature[0] != 'i' {
		d.Signature += " under " + r.constraint
	}
	r.found = append(r.found, d)
}

func (r *reader) general(decl *ast.GenDecl) {
	switch decl.Tok {
	case token.CONST, token.VAR:
		types := ""
		for _, spec := range decl.Specs {
			spec := spec.(*ast.ValueSpec)
			if decl.Tok == token.VAR || spec.Type != nil || len(spec.Values) > 0 {
				types = ""
				if spec.Type != nil {
					types = r.spell(spec.Type)
				}
			}
			for _, name := range spec.Names {
				if name.Name != "_" {
					r.add(definition{
						Kind: decl.Tok.String(), Name: name.Name, Signature: "v" + types,
						Public: r.importable && name.IsExported(),
					})
				}
			}
		}
	case token.TYPE:
		for _, spec := range decl.Specs {
			r.typeSpec(spec.(*ast.TypeSpec))
		}
	}
}

func (r *reader) typeSpec(spec *ast.TypeSpec) {
	if spec.Name.Name == "_" {
		return
	}
	signature := "t"
	r.parameters = nil
	if spec.TypeParams != nil {
		r.declare(spec.TypeParams)
		signature += "[" + r.list(spec.TypeParams) + "]"
	}
	if spec.Assign.IsValid() {
		signature += "="
	}
	public := r.importable && spec.Name.IsExported()
	place := "type " + spec.Name.Name
	switch types := spec.Type.(type) {
	case *ast.StructType:
		r.add(definition{Kind: "type", Name: spec.Name.Name, Signature: signature + "struct", Public: public})
		for _, field := range types.Fields.List {
			for _, name := range field.Names {
				if name.Name != "_" {
					r.add(definition{
						Place: place, Kind: "field", Name: name.Name, Signature: "f" + r.spell(field.Type),
						Public: public && name.IsExported(),
					})
				}
			}
			if len(field.Names) == 0 {
				name := base(field.Type)
				r.add(definition{
					Place: place, Kind: "embed", Name: name, Signature: "f" + r.spell(field.Type),
					Public: public && (ast.IsExported(name) || predeclared[name]),
				})
			}
		}
	case *ast.InterfaceType:
		r.add(definition{Kind: "type", Name: spec.Name.Name, Signature: signature + "interface", Public: public})
		for _, element := range types.Methods.List {
			if function, ok := element.Type.(*ast.FuncType); ok && len(element.Names) == 1 {
				name := element.Names[0]
				r.add(definition{
					Place: place, Kind: "method", Name: name.Name, Signature: "i" + r.function2(function),
					Public: public && name.IsExported(),
				})
				continue
			}
			r.add(definition{
				Place: place, Kind: "embed", Name: elementName(element.Type), Signature: "f" + r.spell(element.Type),
				Public: public,
			})
		}
	default:
		r.add(definition{Kind: "type", Name: spec.Name.Name, Signature: signature + r.spell(spec.Type), Public: public})
	}
	r.parameters = nil
}

func (r *reader) function(decl *ast.FuncDecl) {
	// Without a type in it a receiver is no receiver, and the rest no definition.
	if decl.Name.Name == "_" || (decl.Recv != nil && len(decl.Recv.List) == 0) {
		return
	}
	d := definition{Kind: "func", Name: decl.Name.Name, Public: r.importable && decl.Name.IsExported()}
	r.parameters = nil
	signature := "m"
	owner := ""
	if decl.Recv != nil && len(decl.Recv.List) > 0 {
		d.Kind = "method"
		types := decl.Recv.List[0].Type
		for {
			if paren, ok := types.(*ast.ParenExpr); ok {
				types = paren.X
			} else if star, ok := types.(*ast.StarExpr); ok {
				types = star.X
				signature = "m*"
			} else {
				break
			}
		}
		switch generic := types.(type) {
		case *ast.IndexExpr:
			r.parameters = append(r.parameters, r.raw(generic.Index))
			types = generic.X
		case *ast.IndexListExpr:
			for _, index := range generic.Indices {
				r.parameters = append(r.parameters, r.raw(index))
			}
			types = generic.X
		}
		owner = base(types)
		d.Place = "type " + owner
		d.Public = d.Public && ast.IsExported(owner)
	} else if decl.Type.TypeParams != nil {
		r.declare(decl.Type.TypeParams)
		signature += "[" + r.list(decl.Type.TypeParams) + "]"
	}
	d.Signature = signature + r.function2(decl.Type)
	if r.isTest(decl, owner) {
		d.Kind, d.Test, d.Public = "test", true, false
	}
	r.add(d)
	r.subtests(decl, d)
	r.parameters = nil
}

func (r *reader) isTest(decl *ast.FuncDecl, owner string) bool {
	name := decl.Name.Name
	if !r.testFile || decl.Body == nil {
		return false
	}
	if owner != "" {
		return strings.HasPrefix(name, "Test") && r.isSuite(owner, 0)
	}
	if strings.HasPrefix(name, "Example") {
		plain := decl.Type.Params.NumFields() == 0 && decl.Type.Results.NumFields() == 0
		return named(name, "Example") && plain && decl.Type.TypeParams == nil && r.hasOutput(decl.Body)
	}
	return name != "TestMain" && decl.Type.TypeParams == nil &&
		(named(name, "Test") || named(name, "Benchmark") || named(name, "Fuzz"))
}

func (r *reader) isSuite(name string, depth int) bool {
	embedded, here := r.embeds[name]
	if !here {
		return strings.HasSuffix(name, "Suite")
	}
	for _, of := range embedded {
		if strings.Contains(of, ".") {
			if strings.HasSuffix(of, "Suite") {
				return true
			}
		} else if depth < 8 && r.isSuite(of, depth+1) {
			return true
		}
	}
	return false
}

// hasOutput is go/doc's rule: the last comment of the body begins with "Output:".
func (r *reader) hasOutput(body *ast.BlockStmt) bool {
	var last *ast.CommentGroup
	for _, group := range r.comments {
		if body.Pos() < group.Pos() && group.End() <= body.End() {
			last = group
		}
	}
	if last == nil {
		return false
	}
	text := strings.ToLower(strings.TrimSpace(last.Text()))
	if rest := strings.TrimPrefix(text, "unordered"); rest != text && strings.TrimLeftFunc(rest, unicode.IsSpace) != rest {
		text = strings.TrimSpace(rest)
	}
	return strings.HasPrefix(text, "output:")
}

func named(name, prefix string) bool {
	if !strings.HasPrefix(name, prefix) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(name[len(prefix):])
	return len(name) == len(prefix) || !unicode.IsLower(first)
}

func handles(list *ast.FieldList, known map[string]bool) bool {
	any := false
	if list == nil {
		return false
	}
	for _, field := range list.List {
		types := field.Type
		if star, ok := types.(*ast.StarExpr); ok {
			types = star.X
		}
		selector, ok := types.(*ast.SelectorExpr)
		if !ok || len(field.Names) == 0 {
			continue
		}
		of, ok := selector.X.(*ast.Ident)
		if !ok {
			continue
		}
		switch selector.Sel.Name {
		case "T", "B", "F", "TB":
			ok = of.Name == "testing"
		case "TestingT":
		default:
			ok = false
		}
		if ok {
			known[field.Names[len(field.Names)-1].Name] = true
			any = true
		}
	}
	return any
}

func (r *reader) subtests(decl *ast.FuncDecl, of definition) {
	known := map[string]bool{}
	any := handles(decl.Type.Params, known)
	if decl.Body == nil || !(of.Test || any) {
		return
	}
	test := of.Test || (r.testFile && r.used[decl.Name.Name])
	receiver := ""
	if decl.Recv != nil && len(decl.Recv.List[0].Names) == 1 {
		receiver = decl.Recv.List[0].Names[0].Name
	}
	place := of.Kind + " " + of.Name
	if of.Place != "" {
		place = of.Place + " > " + place
	}
	r.inBody(decl.Body, place, known, receiver, test)
}

func (r *reader) inBody(node ast.Node, place string, known map[string]bool, receiver string, test bool) {
	ast.Inspect(node, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			handles(node.Type.Params, known)
		case *ast.CallExpr:
			selector, ok := node.Fun.(*ast.SelectorExpr)
			if !ok || selector.Sel.Name != "Run" || len(node.Args) < 2 {
				return true
			}
			on, ok := selector.X.(*ast.Ident)
			title, literal := node.Args[0].(*ast.BasicLit)
			if !ok || !literal || title.Kind != token.STRING {
				return true
			}
			told := false
			if function, ok := node.Args[1].(*ast.FuncLit); ok {
				told = handles(function.Type.Params, map[string]bool{})
			}
			if !(told || known[on.Name] || (receiver != "" && on.Name == receiver)) {
				return true
			}
			name := unquoted(title.Value)
			r.add(definition{Place: place, Kind: "test", Name: name, Test: test, Signature: "s"})
			for _, argument := range node.Args[1:] {
				r.inBody(argument, place+" > test "+name, known, receiver, test)
			}
			return false
		}
		return true
	})
}

// unquoted resolves quotes and backslashes only.
func unquoted(literal string) string {
	inside := literal[1 : len(literal)-1]
	if literal[0] == '`' {
		return inside
	}
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\'`, `'`, "\\`", "`").Replace(inside)
}

var predeclared = map[string]bool{}

func init() {
	for _, name := range strings.Fields("any bool byte comparable complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string uint uint16 uint32 uint64 uint8 uintptr") {
		predeclared[name] = true
	}
}

// base is the name of an embedded type or receiver.
func base(types ast.Expr) string {
	switch types := types.(type) {
	case *ast.Ident:
		return types.Name
	case *ast.StarExpr:
		return base(types.X)
	case *ast.ParenExpr:
		return base(types.X)
	case *ast.SelectorExpr:
		return types.Sel.Name
	case *ast.IndexExpr:
		return base(types.X)
	case *ast.IndexListExpr:
		return base(types.X)
	}
	return "?"
}

func qualified(types ast.Expr) string {
	if star, ok := types.(*ast.StarExpr); ok {
		types = star.X
	}
	if selector, ok := types.(*ast.SelectorExpr); ok {
		return "." + selector.Sel.Name
	}
	if name, ok := types.(*ast.Ident); ok {
		return name.Name
	}
	return "?"
}

// elementName names an element of an interface: an embedded type by its name, a set of types as written.
func elementName(types ast.Expr) string {
	switch types.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr, *ast.StarExpr, *ast.ParenExpr:
		if name := base(types); name != "?" {
			return name
		}
	}
	return strings.ReplaceAll((&reader{}).raw(types), " ", "")
}

func (r *reader) declare(list *ast.FieldList) {
	for _, field := range list.List {
		for _, name := range field.Names {
			r.parameters = append(r.parameters, name.Name)
		}
	}
}

func (r *reader) function2(function *ast.FuncType) string {
	return "(" + r.list(function.Params) + ")(" + r.list(function.Results) + ")"
}

func (r *reader) list(list *ast.FieldList) string {
	var types []string
	if list != nil {
		for _, field := range list.List {
			spelled := r.spell(field.Type)
			for n := len(field.Names); n > 1; n-- {
				types = append(types, spelled)
			}
			types = append(types, spelled)
		}
	}
	return strings.Join(types, ",")
}

// raw spells a type with its own names.
func (r *reader) raw(types ast.Expr) string {
	return (&reader{}).spell(types)
}

// spell spells a type, with numbers for type parameters, without the names of parameters and without tags.
func (r *reader) spell(types ast.Expr) string {
	switch types := types.(type) {
	case *ast.Ident:
		for at := len(r.parameters) - 1; at >= 0; at-- {
			if r.parameters[at] == types.Name {
				return "$" + strconv.Itoa(at)
			}
		}
		return types.Name
	case *ast.BasicLit:
		return types.Value
	case *ast.SelectorExpr:
		return r.spell(types.X) + "." + types.Sel.Name
	case *ast.StarExpr:
		return "*" + r.spell(types.X)
	case *ast.ParenExpr:
		return "(" + r.spell(types.X) + ")"
	case *ast.UnaryExpr:
		return types.Op.String() + r.spell(types.X)
	case *ast.BinaryExpr:
		return r.spell(types.X) + " " + types.Op.String() + " " + r.spell(types.Y)
	case *ast.Ellipsis:
		if types.Elt == nil {
			return "..."
		}
		return "..." + r.spell(types.Elt)
	case *ast.ArrayType:
		if types.Len == nil {
			return "[]" + r.spell(types.Elt)
		}
		return "[" + r.spell(types.Len) + "]" + r.spell(types.Elt)
	case *ast.MapType:
		return "map[" + r.spell(types.Key) + "]" + r.spell(types.Value)
	case *ast.ChanType:
		switch types.Dir {
		case ast.SEND:
			return "chan<- " + r.spell(types.Value)
		case ast.RECV:
			return "<-chan " + r.spell(types.Value)
		}
		return "chan " + r.spell(types.Value)
	case *ast.FuncType:
		return "func" + r.function2(types)
	case *ast.IndexExpr:
		return r.spell(types.X) + "[" + r.spell(types.Index) + "]"
	case *ast.IndexListExpr:
		var arguments []string
		for _, index := range types.Indices {
			arguments = append(arguments, r.spell(index))
		}
		return r.spell(types.X) + "[" + strings.Join(arguments, ",") + "]"
	case *ast.CallExpr:
		var arguments []string
		for _, argument := range types.Args {
			arguments = append(arguments, r.spell(argument))
		}
		return r.spell(types.Fun) + "(" + strings.Join(arguments, ",") + ")"
	case *ast.CompositeLit:
		return r.spell(types.Type) + "{}"
	case *ast.StructType:
		var fields []string
		for _, field := range types.Fields.List {
			var names []string
			for _, name := range field.Names {
				names = append(names, r.spell(name))
			}
			fields = append(fields, strings.Join(names, ",")+" "+r.spell(field.Type))
		}
		return "struct{" + strings.Join(fields, ";") + "}"
	case *ast.InterfaceType:
		var elements []string
		for _, element := range types.Methods.List {
			if function, ok := element.Type.(*ast.FuncType); ok && len(element.Names) == 1 {
				elements = append(elements, element.Names[0].Name+r.function2(function))
			} else {
				elements = append(elements, r.spell(element.Type))
			}
		}
		if len(elements) == 0 {
			return "any"
		}
		return "interface{" + strings.Join(elements, ";") + "}"
	}
	return fmt.Sprintf("%T", types)
}
