"""From the zip that a learning platform hands out to `submitted/<student>/<ps>/`: Canvas, Moodle, Blackboard, and plain zips.

    archive           the members of a zip: what is read, what is refused, and their bytes
    platforms         how each platform names the members
    people            finds the student of a member in the roster
    times             finds out when it was handed in
    rows              the parts of a plan: the outcome of each member
    placing           makes the plan before anything is written: the student and the set of each member
    choosing          chooses the files of a student that count, and their names
    nbgrader_steps    nbgrader's own zip_collect carries the plan out, with our plugins
    delivery          moves finished submissions to their places; older ones are kept
    kept_names        the names of the hand-ins on the platform, for the way back
    command, summary  one run over several zips, and the report about it
"""
