"""The global names that a piece of code reads, and those that a statement binds."""

import ast
import symtable

IMPORTS = (ast.Import, ast.ImportFrom)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def global_names(code: str) -> set[str]:
    """Return the global names that a piece of code reads, also in inner scopes of its functions."""
    used, tables = set(), [symtable.symtable(code, "cell", "exec")]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        used |= {symbol.get_name() for symbol in table.get_symbols()
                 if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module")}
    return used


def bound_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement at top level binds; "*" for all names of a module.

    A method that a decorator such as `@method_of(TreeNode)` puts into a class has its qualified name too.
    """
    if isinstance(statement, IMPORTS):
        return {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
    if isinstance(statement, DEFINITIONS):
        owners = [decorator.args[0].id for decorator in statement.decorator_list if isinstance(decorator, ast.Call)
                  and len(decorator.args) == 1 and isinstance(decorator.args[0], ast.Name)]
        return {f"{owner}.{statement.name}" for owner in owners} | {statement.name}
    inside = list(ast.walk(statement))
    names = {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return names.union(*(bound_names(node) for node in inside if isinstance(node, (*IMPORTS, *DEFINITIONS))))
