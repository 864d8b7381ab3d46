"""nbgrader's own ways of collecting, with our guards; `gradebook/settings.py` names them.

    records     the exchange, where all students may write: whose hand-in each folder is, and when it came, by the kernel
    step        nbgrader's collect, for its command line and for formgrader's button
    by_hand     nbgrader's zip_collect, as staff run it
"""
