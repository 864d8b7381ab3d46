"""The global names that a piece of code reads."""

import symtable


def global_names(code: str) -> set[str]:
    """Return the global names that a piece of code reads, also in inner scopes of its functions."""
    used, tables = set(), [symtable.symtable(code, "cell", "exec")]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        used |= {symbol.get_name() for symbol in table.get_symbols()
                 if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module")}
    return used
