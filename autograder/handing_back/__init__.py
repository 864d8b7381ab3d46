"""From a graded course back to a learning platform: the zip of feedback pages that it takes, and the marks; or a mail merge.

    uploads     how each platform reads the names of uploaded feedback, and which table of marks it takes
    addressees  whose page goes under which name, with all checks that it is the right one
    pages       the page of one student, as one file that stands alone
    challenge   the challenge, whose pages go where the players were handed in
    files       zips that are equal for equal contents, and files that never replace other contents silently
    last_return what each student got last, so that a second return can have only what has changed
    command     one problem set, from the checks to the files
    summary     the report that a person reads
"""
