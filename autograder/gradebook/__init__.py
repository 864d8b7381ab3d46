"""The wiring to nbgrader: course folder, clean notebooks, one serial recording pass, feedback and exports.

    course.prepare(course, ps)                       make a folder a course that knows the problem set
    recording.record.record(course, ps, graded)      put reports into the gradebook; returns the changes
    feedback.publish.publish(course, ps)             write feedback/<student>/<ps>/<ps>.html where something changed
    tables.write_changes, tables.write_grades        changes.csv and grades.csv

`nbgrader_patches.py` says what of nbgrader is replaced, and why.
"""

import sys

# jsonschema would build a parser for international addresses when it is imported: most of a second, and no notebook needs it.
# None: an import of it fails, and jsonschema does without.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
