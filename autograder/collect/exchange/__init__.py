"""nbgrader's exchange: the collection of what students have submitted, with our guards; `gradebook/settings.py` names it.

    records     the folder where all students may write: whose hand-in each folder is, and when it came, by the kernel
    step        nbgrader's collect, for its command line and for formgrader's button
"""
