"""The wiring to nbgrader: course folder, clean notebooks, one serial recording pass, feedback and exports.

    course.prepare(course, ps)                       make a folder a course that knows the problem set
    record.record(course, ps, graded) -> [Change]    put reports into the gradebook
    feedback.feedback(course, ps) -> [student]       write feedback/<student>/<ps>/<ps>.html where something changed
    tables.write_changes, tables.write_grades        changes.csv and grades.csv
"""
