"""Says what CPython's own parser finds in Python files: one line of JSON for each.

Called as `python3 python.py ROOT`, with the paths below ROOT on standard input, a zero byte behind each. The rules on names, publicity and tests are
written here a second time, over the syntax tree instead of tokens.
"""

import ast
import hashlib
import json
import pathlib
import sys
import warnings

TEST_FOLDERS = {"test", "tests", "__tests__", "spec", "specs", "e2e"}
IN_SIGNATURE = {
    "property", "staticmethod", "classmethod", "abstractmethod", "overload", "deprecated", "cached_property",
    "setter", "deleter", "abstractproperty",
}


def is_test_name(name):
    stem = name.rsplit(".", 1)[0]
    return stem.startswith("test_") or stem.endswith("_test") or stem in ("test", "tests")


def is_beside_the_product(folders):
    return any(
        folder.lower() in TEST_FOLDERS
        or folder.endswith(("Test", "Tests"))
        or folder in ("examples", "example", "docs")
        or folder.startswith("bench")
        for folder in folders
    )


def is_dunder(name):
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


class Context:
    """Where a statement stands."""

    def __init__(self, chain=(), owner=0, tests=None, main=False, passing=False, arms=()):
        self.chain = chain
        self.owner = owner
        self.tests = tests
        self.main = main
        self.passing = passing
        self.arms = arms

    def arm(self, number, main=False, passing=False):
        return Context(
            self.chain, self.owner, self.tests, self.main or main, self.passing or passing or main,
            self.arms + (number,),
        )


class File:
    """One file and what is defined in it."""

    def __init__(self, source, path):
        self.lines = [line + "\n" for line in source.split("\n")]
        self.path = path
        self.is_test_file = is_test_name(path.name)
        self.is_package = path.name.startswith("__init__.")
        self.units = []
        self.names = None
        self.computed = False
        self.assigned = {}
        self.count = 0

    def number(self):
        self.count += 1
        return self.count

    def add(self, context, kind, name, public, role="", signature="", squeezed="", body="", lines=(0, 0)):
        self.units.append({
            "chain": list(context.chain), "kind": kind, "name": name, "public": public, "role": role,
            "signature": signature, "squeezed": squeezed, "body": body, "lines": list(lines),
        })

    def walk(self, statements, context):
        for node in statements:
            self.statement(node, context)

    def statement(self, node, context):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.function(node, context)
        elif isinstance(node, ast.ClassDef):
            self.a_class(node, context)
        elif isinstance(node, ast.If):
            main = self.is_main(node)
            self.walk(node.body, context.arm(self.number(), main=main))
            chained = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) \
                and node.orelse[0].col_offset == node.col_offset
            self.walk(node.orelse, context if chained else context.arm(self.number()))
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            self.walk(node.body, context.arm(self.number(), passing=True))
            self.walk(node.orelse, context.arm(self.number()))
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            self.walk(node.body, context.arm(self.number()))
        elif isinstance(node, (ast.Try, getattr(ast, "TryStar", ast.Try))):
            self.walk(node.body, context.arm(self.number()))
            for handler in node.handlers:
                self.walk(handler.body, context.arm(self.number()))
            self.walk(node.orelse, context.arm(self.number()))
            self.walk(node.finalbody, context.arm(self.number()))
        elif isinstance(node, ast.Match):
            for case in node.cases:
                self.walk(case.body, context.arm(self.number(), passing=True))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            if not context.chain:
                self.an_import(node, context)
        else:
            self.simple(node, context)

    def is_main(self, node):
        if self.text(node)[:2] == "el":
            return False
        left = node.test
        while isinstance(left, (ast.BoolOp, ast.Compare)):
            left = left.values[0] if isinstance(left, ast.BoolOp) else left.left
        texts = (part.value for part in ast.walk(node.test) if is_text(part))
        return isinstance(left, ast.Name) and left.id == "__name__" and "__main__" in texts

    def simple(self, node, context):
        if self.change_all(node, context):
            return
        if isinstance(node, ast.Assign):
            names = [name for target in node.targets for name in self.targets(target)]
            signature = ""
        elif isinstance(node, ast.AnnAssign) and node.simple:
            names = [node.target.id]
            signature = ast.unparse(node.annotation)
            if context.chain and node.value is not None:
                signature += " ="
        else:
            return
        if context.passing:
            return
        for name in names:
            known = self.assigned.setdefault((context.owner, name), [])
            here = context.arms
            again = any(here[:len(there)] == there or there[:len(here)] == here for there in known)
            known.append(here)
            if not again:
                self.add(context, "var", name, not name.startswith("_"), signature="var " + signature)

    def targets(self, target):
        if isinstance(target, ast.Name):
            return [target.id]
        if isinstance(target, ast.Starred):
            return self.targets(target.value)
        if isinstance(target, (ast.Tuple, ast.List)):
            return [name for part in target.elts for name in self.targets(part)]
        return []

    def change_all(self, node, context):
        """Takes a statement about `__all__`."""
        if context.chain:
            return False
        if isinstance(node, ast.Assign):
            first = node.targets[0]
            if not (isinstance(first, ast.Name) and first.id == "__all__"):
                return False
            if len(node.targets) == 1:
                self.extend(node.value)
            return True
        if isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            if not (isinstance(node.target, ast.Name) and node.target.id == "__all__"):
                return False
            if node.value is not None:
                self.extend(node.value)
            return True
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value.func
            if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) \
                    and called.value.id == "__all__":
                for argument in node.value.args:
                    if called.attr == "extend":
                        self.extend(argument)
                    elif called.attr == "append":
                        self.list([argument])
                    elif is_text(argument) and called.attr == "remove" and self.names is not None:
                        self.names.discard(argument.value)
                return True
        return False

    def extend(self, value):
        if isinstance(value, ast.BinOp):
            self.extend(value.left)
            self.extend(value.right)
        elif isinstance(value, (ast.List, ast.Tuple)):
            self.list(value.elts)
        elif not self.of_module(value):
            self.computed = True

    def of_module(self, value):
        return isinstance(value, ast.Attribute) and value.attr == "__all__"

    def list(self, parts):
        if not parts:
            self.names = self.names or set()
        for part in parts:
            if is_text(part):
                self.names = (self.names or set()) | {part.value}
            elif not (isinstance(part, ast.Starred) and self.of_module(part.value)):
                self.computed = True

    def an_import(self, node, context):
        for alias in node.names:
            if alias.name == "*":
                continue
            name = alias.asname or alias.name.split(".")[0]
            last = alias.name.split(".")[-1]
            public = self.is_package and alias.asname == last and not name.startswith("_")
            self.add(context, "import", name, public)

    def function(self, node, context):
        name = node.name
        in_tests = self.is_test_file if context.tests is None else context.tests
        is_test = in_tests and name.startswith("test") and not context.main
        public = (not name.startswith("_") or (bool(context.chain) and is_dunder(name))) and not context.main
        kind = "test" if is_test else "def"
        signature, squeezed = self.signature(node, bool(context.chain))
        self.add(
            context, kind, name, public and not is_test, "test" if is_test else "", signature, squeezed,
            self.body(node), self.span(node),
        )

    def decorators(self, node):
        names = set()
        for decorator in node.decorator_list:
            call = decorator.func if isinstance(decorator, ast.Call) else decorator
            name = call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "")
            names.add(name)
        return names

    def signature(self, node, in_class):
        decorators = self.decorators(node)
        method = in_class and "staticmethod" not in decorators
        parts = sorted(decorators & IN_SIGNATURE)
        parts.append(type(node).__name__)
        pieces = list(parts)
        arguments = node.args
        places = arguments.posonlyargs + arguments.args
        defaults = [None] * (len(places) - len(arguments.defaults)) + arguments.defaults
        for place, (argument, default) in enumerate(zip(places, defaults)):
            hidden = place < len(arguments.posonlyargs) or (method and place == 0)
            self.parameter(argument, default, "" if hidden else argument.arg, parts, pieces)
            if place + 1 == len(arguments.posonlyargs):
                parts.append("/")
                pieces.append("/")
        if arguments.vararg:
            self.parameter(arguments.vararg, None, "*", parts, pieces)
        elif arguments.kwonlyargs:
            parts.append("*")
            pieces.append("*")
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
            self.parameter(argument, default, argument.arg, parts, pieces)
        if arguments.kwarg:
            self.parameter(arguments.kwarg, None, "**", parts, pieces)
        if node.returns:
            parts.append("-> " + ast.unparse(node.returns))
            pieces.append("->" + self.squeezed(node.returns))
        return "|".join(parts), "|".join(pieces)

    def parameter(self, argument, default, name, parts, pieces):
        annotation = argument.annotation
        ending = "" if default is None else "="
        parts.append(name + (":" + ast.unparse(annotation) if annotation else "") + ending)
        pieces.append(name + (":" + self.squeezed(annotation) if annotation else "") + ending)

    def a_class(self, node, context):
        base_is_case = any(
            (isinstance(base, ast.Name) and base.id.endswith("TestCase"))
            or (isinstance(base, ast.Attribute) and base.attr.endswith("TestCase"))
            for base in node.bases
        )
        has_init = any(isinstance(part, ast.FunctionDef) and part.name == "__init__" for part in node.body)
        tests = self.is_test_file and context.tests is not False and not context.main \
            and (base_is_case or (node.name.startswith("Test") and not has_init))
        public = not node.name.startswith("_") and not context.main
        given = [ast.unparse(base) for base in node.bases]
        given += [f"{word.arg}={ast.unparse(word.value)}" for word in node.keywords]
        pieces = [self.squeezed(base) for base in node.bases]
        pieces += [f"{word.arg}={self.squeezed(word.value)}" for word in node.keywords]
        decorators = sorted(self.decorators(node) & IN_SIGNATURE)
        # Starred bases and keywords may stand in any order; what is compared is the order of the source.
        mixed = any(isinstance(base, ast.Starred) for base in node.bases) or any(
            base.lineno > word.lineno for base in node.bases for word in node.keywords)
        signature = "" if mixed else "class " + "|".join(decorators + given)
        squeezed = "" if mixed else "class " + "|".join(decorators + pieces)
        self.add(context, "class", node.name, public, "suite" if tests else "", signature, squeezed,
                 self.body(node), self.span(node))
        inner = Context(context.chain + (f"class {node.name}",), self.number(), tests, context.main)
        self.walk(node.body, inner)

    def span(self, node):
        first = min([node.lineno] + [decorator.lineno for decorator in node.decorator_list])
        return first, node.end_lineno

    def squeezed(self, node):
        """The source of an expression without blanks; nothing where that could be wrong."""
        text = self.text(node)
        if "#" in text or "'" in text or '"' in text or "\\" in text:
            return ast.unparse(node)
        return "".join(text.split())

    def text(self, node):
        first, last = node.lineno - 1, node.end_lineno - 1
        if first == last:
            line = self.lines[first].encode()
            return line[node.col_offset:node.end_col_offset].decode()
        parts = [self.lines[first].encode()[node.col_offset:].decode()]
        parts += self.lines[first + 1:last]
        parts.append(self.lines[last].encode()[:node.end_col_offset].decode())
        return "".join(parts)

    def body(self, node):
        """A digest of the statements without texts that stand alone."""
        plain = [Plain().visit(part) for part in node.body]
        dumped = "\n".join(ast.dump(part) for part in plain if part is not None)
        return hashlib.md5(dumped.encode("utf-8", "surrogatepass")).hexdigest()

    def finish(self):
        if self.names is not None:
            defined = {unit["name"] for unit in self.units if not unit["chain"]}
            for name in self.names - defined:
                self.add(Context(), "import", name, True)
        holds_tests = any(unit["role"] == "test" for unit in self.units)
        beside = self.is_test_file or is_beside_the_product(self.path.parent.parts) \
            or self.path.name == "conftest.py"
        stack = []
        for unit in self.units:
            depth = len(unit["chain"])
            if depth == 0:
                if self.names is not None and unit["name"] in self.names:
                    unit["public"] = True
                elif self.names is not None and not self.computed:
                    unit["public"] = False
            elif depth > len(stack) or not stack[depth - 1]:
                unit["public"] = False
            if unit["kind"] == "class":
                del stack[depth:]
                stack.append(unit["public"])
        if beside or holds_tests:
            for unit in self.units:
                unit["public"] = False


class Plain(ast.NodeTransformer):
    """Takes out statements that are nothing but a text."""

    def visit_Constant(self, node):
        node.kind = None
        return node

    def visit_Expr(self, node):
        self.generic_visit(node)
        return None if is_text(node.value) else node


def read(root, path):
    answer = {"path": path}
    data = pathlib.Path(root, path).read_bytes()
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    try:
        source = data.decode("utf-8")
    except UnicodeDecodeError:
        return {**answer, "skip": "files that are not UTF-8"}
    # Lines that end with a carriage return alone are not counted by the scanner.
    places = "\r" not in source.replace("\r\n", "")
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {**answer, "skip": "files that this version of Python cannot parse"}
    file = File(source, pathlib.PurePosixPath(path))
    file.walk(tree.body, Context())
    file.finish()
    return {**answer, "places": places, "units": file.units}


def main():
    sys.setrecursionlimit(10000)
    root = sys.argv[1]
    for path in sys.stdin.read().split("\0"):
        if path:
            print(json.dumps(read(root, path)))


main()
