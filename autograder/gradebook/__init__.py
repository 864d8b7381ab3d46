"""The wiring to nbgrader: course folder, clean notebooks, one serial recording pass, feedback and exports.

    course.prepare(course, ps)                       make a folder a course that knows the problem set
    recording.record.record(course, ps, graded)      put reports into the gradebook; returns the changes
    feedback.publish.publish(course, ps)             write feedback/<student>/<ps>/<ps>.html for students with changes
    tables.write_changes, tables.write_grades        changes.csv and grades.csv, with the rows of all sets

`nbgrader_patches.py` lists the replaced parts of nbgrader, with reasons.
"""

import sys

# At its import, jsonschema would build a parser for international addresses: most of a second, and no notebook needs it.
# With None here the parser's import fails, and jsonschema works without it.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
