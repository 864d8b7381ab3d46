"""The calls within a problem set: the exercises that an exercise calls, and our code of an exercise on its own."""

import ast
import copy
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from arena.symbols import global_names
from autograder.problem_sets.syntax import Place, SourceError, functions_of, is_method_of, qualified


@dataclass(frozen=True)
class ReferenceCode:
    """Code that runs where TreeNode, the other given classes and the named functions of other exercises exist.

    imports: the imports, constants, type aliases and helpers that the functions need, in the order of the source.
    functions: (qualified name, source); a method is written as a plain function with `self`.
    """

    imports: str
    functions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Program:
    """The given and solved code of a set: top-level name -> the statement that defines it, in order."""

    statements: Mapping[str, ast.stmt]
    functions: Mapping[str, ast.FunctionDef]  # by qualified name, the exercises' own included
    exercise_of: Mapping[str, str]  # qualified name -> id

    def calls(self, id: str) -> tuple[str, ...]:
        """Return the ids of the other exercises that this one calls, directly or through others, in order.

        A given function counts with the last exercise that it uses: the function runs this exercise.
        """
        order = list(dict.fromkeys(self.exercise_of.values()))
        needed = self._reached([name for name, owner in self.exercise_of.items() if owner == id])
        for name, statement in self.statements.items():
            if isinstance(statement, ast.FunctionDef) and name not in self.exercise_of:
                used = self._reached([name])
                if max(used, key=order.index, default="") == id:
                    needed |= used
        return tuple(other for other in order if other in needed - {id})

    def exercises_in(self, code: ast.Module, methods: bool) -> set[str]:
        """Return the ids of the exercises that code of another cell uses, directly or through others.

        methods: whether a method counts that has only its name in common with an attribute of the code.
        """
        used = {name for name in global_names(ast.unparse(code)) if name in self.statements}
        return self._reached(used | (self._methods_named(code) if methods else set()))

    def is_constant(self, id: str) -> bool:
        """Say whether the functions of an exercise do nothing but return a literal value, such as "A" or (1, 2)."""
        return all(_returns_a_literal(self.functions[name]) for name, owner in self.exercise_of.items() if owner == id)

    def parameters(self) -> dict[str, tuple[str, ...]]:
        """Return the parameter names of every function, every class and, with a dot in front, every method."""
        by_name: dict[str, tuple[str, ...]] = {}
        for name, node in self._all_functions():
            own = tuple(argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs))
            owner, _, short = name.rpartition(".")
            by_name.setdefault(owner if short == "__init__" else f".{short}" if owner else short, own[1:] if owner else own)
        return by_name

    def _all_functions(self) -> Iterator[tuple[str, ast.FunctionDef]]:
        yield from self.functions.items()
        for name, statement in self.statements.items():
            if isinstance(statement, ast.FunctionDef):
                yield name, statement
            elif isinstance(statement, ast.ClassDef):
                methods = (node for node in statement.body if isinstance(node, ast.FunctionDef))
                yield from ((f"{name}.{node.name}", node) for node in methods)

    def reference(self, ids: Collection[str]) -> ReferenceCode:
        """Return our functions of these exercises and the given code that they need, without other exercises."""
        wanted = [name for name, owner in self.exercise_of.items() if owner in ids]
        provided = {name.partition(".")[0] for name in self.exercise_of}  # exercises' functions, and the classes of methods
        # Given classes are the student's own, too: objects of ours would not equal theirs.
        provided |= {name for name, statement in self.statements.items() if isinstance(statement, ast.ClassDef)}
        todo, needed = list(wanted), set()
        while todo:
            new = {name for name in _used_by(self, todo.pop()) if name not in needed and name.partition(".")[0] not in provided}
            needed |= new
            todo += new
        imports = dict.fromkeys(ast.unparse(statement) for name, statement in self.statements.items() if name in needed)
        return ReferenceCode("\n\n".join(imports), tuple((name, _plain(self.functions[name])) for name in wanted))

    def _methods_named(self, statement: ast.AST) -> set[str]:
        """Return the methods of exercises whose last part is an attribute in this code."""
        attributes = {node.attr for node in ast.walk(statement) if isinstance(node, ast.Attribute)}
        return {method for method in self.exercise_of if "." in method and method.partition(".")[2] in attributes}

    def _reached(self, start: Collection[str]) -> set[str]:
        """Return the ids of the exercises that these definitions use, directly or through others."""
        todo, seen = list(start), set(start)
        while todo:
            new = _used_by(self, todo.pop()) - seen
            seen |= new
            todo += new
        return {self.exercise_of[name] for name in seen if name in self.exercise_of}

    def given_part(self, name: str) -> ast.stmt:
        """Return a definition without the exercises in it: a use of a class is not a call of its methods."""
        statement = self.statements[name]
        if isinstance(statement, ast.ClassDef):
            statement = copy.copy(statement)
            kept = [node for node in statement.body if f"{name}.{getattr(node, 'name', '')}" not in self.exercise_of]
            statement.body = kept or [ast.Pass()]
        return statement


@cache
def _used_by(program: Program, name: str) -> frozenset[str]:
    """Return the names that a definition uses: top-level names, and methods of exercises by their last part."""
    statement = program.functions.get(name) or program.given_part(name)
    used = {other for other in global_names(ast.unparse(statement)) if other in program.statements}
    return frozenset(program._methods_named(statement) | used)


def program(code: Sequence[tuple[ast.Module, Place]], exercise_of: Mapping[str, str]) -> Program:
    """Combine the cells of a set; SourceError if a name is defined twice.

    Args:
        code: the syntax tree of each given and each solved cell, and its place.
        exercise_of: qualified name -> id, for every function that a student writes.
    """
    statements: dict[str, ast.stmt] = {}
    functions: dict[str, ast.FunctionDef] = {}
    for tree, place in code:
        functions.update(functions_of(tree))
        for name, statement in _definitions(tree):
            if name in statements and not isinstance(statement, (ast.Import, ast.ImportFrom)):
                raise SourceError(f"{place(statement.lineno)}: {name} is defined a second time")
            statements[name] = statement
    return Program(statements, functions, exercise_of)


def _definitions(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield (name, statement) for the top-level definitions of a cell; each imported name has its own statement."""
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                single = copy.copy(node)
                single.names = [alias]
                yield alias.asname or alias.name.partition(".")[0], single
        elif isinstance(node, ast.FunctionDef):
            yield qualified(node), node
        elif isinstance(node, ast.ClassDef):
            yield node.name, node
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from ((inner.id, node) for inner in ast.walk(target) if isinstance(inner, ast.Name))


def _plain(function: ast.FunctionDef) -> str:
    """Return the source of a function without the decorator that puts it into its class: the caller puts it there."""
    function = copy.copy(function)
    function.decorator_list = [decorator for decorator in function.decorator_list if not is_method_of(decorator)]
    return ast.unparse(function)


def _returns_a_literal(function: ast.FunctionDef) -> bool:
    """Say whether a body computes its result from constants: it reads only its own variables, and calls nothing."""
    inside = [node for statement in function.body for node in ast.walk(statement)]
    names = [node for node in inside if isinstance(node, ast.Name)]
    read, own = ({name.id for name in names if isinstance(name.ctx, kind)} for kind in (ast.Load, ast.Store))
    returns = any(isinstance(node, ast.Return) and node.value is not None for node in inside)
    return returns and read <= own and not any(isinstance(node, (ast.Call, ast.Attribute)) for node in inside)
