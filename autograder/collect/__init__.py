"""From the zip that a learning platform hands out to `submitted/<student>/<ps>/`: Canvas, Moodle, Blackboard, and plain zips.

    archive           the members of a zip: what is read, what is refused, and their bytes
    platforms         how each platform names the members
    people            whose member it is, by the roster
    times             when it was handed in
    rows              the words of a plan: what becomes of each member
    placing           the plan, before anything is written: whose member it is, and of which set
    choosing          which of a student's files count, and under which names
    nbgrader_steps    nbgrader's own zip_collect carries the plan out, with our plugins
    delivery          finished submissions go to their places; older ones are kept
    command, summary  one run over several zips, and what a person reads after it
"""
