"""What a student may import: the rules of games, the visible checks, pictures and a few players."""

import sys

if sys.platform == "emscripten":  # a browser's tab
    from arena.tab import say_what_is_missing

    say_what_is_missing()
