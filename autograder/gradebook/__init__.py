"""The wiring to nbgrader: course folder, clean notebooks, one serial recording pass, feedback and exports.

    course.prepare(course, ps)                       make a folder a course that knows the problem set
    record.record(course, ps, graded) -> [Change]    put reports into the gradebook
    feedback.feedback(course, ps) -> [student]       write feedback/<student>/<ps>/<ps>.html where something changed
    tables.write_changes, tables.write_grades        changes.csv and grades.csv
"""

import sys


def _import_jsonschema_without_grammar() -> None:
    """Keep jsonschema from building a parser for international addresses: most of a second, and no notebook needs it."""
    if "jsonschema" in sys.modules or "rfc3987_syntax" in sys.modules:
        return
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]  # None: an import of it fails
    try:
        import jsonschema  # noqa: F401
    finally:
        del sys.modules["rfc3987_syntax"]


_import_jsonschema_without_grammar()
