"""Grading on platforms of others: an archive for Gradescope, results for Classroom 50, grading in GitHub Actions.

`archive` gathers what one problem set needs, `isolation` finds out how far student code can be locked in there, `judge`
grades one folder, `gradescope` and `classroom50` write the result in the form of the platform, `github` fetches work from there.
"""
