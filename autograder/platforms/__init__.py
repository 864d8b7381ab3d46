"""Grading on other platforms: an archive for Gradescope, results for Classroom 50, grading in GitHub Actions.

`archive` packs the files that one problem set needs, `judge` finds the strongest sandbox there and grades one folder,
`gradescope` and `classroom50` write the result in the form of the platform, `github` fetches work from there.
"""
