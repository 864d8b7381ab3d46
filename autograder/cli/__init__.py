"""The command line: `python -m autograder`.

    class_commands     grade, tournament, similarity
    single_commands    submission, build, explain, challenge, play, replay, preflight
    proof_commands     verify, mutants, width, repeat, attack, broken
    staff              decisions about a course: excuse a check, extend a deadline; preview the changes of a run
"""
