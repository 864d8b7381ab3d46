"""nbgrader's own ways of collecting, with our guards; `gradebook/settings.py` names them.

    records     the exchange, where all students may write: the student and the time of each hand-in, as the kernel has them
    step        nbgrader's collect, for its command line and for formgrader's button
    by_hand     nbgrader's zip_collect, as staff run it
"""
