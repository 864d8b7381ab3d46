"""Boards and trees on the screen: in a page, in a notebook, without any transport of their own.

The playable board is a game against a player, what the player thinks, and one position in four minds:

    session.py    a game as requests and answers (JSON), for any transport
    server.py     the transport by HTTP, on this machine only: `python -m arena play`
    offline.py    the same board as one page without a server; `in_page/` is what thinks in it, in JavaScript
    known_address.py  the address by which links of other pages reach the board

The tree is a search tree of any kind, and simulations phase by phase:

    tree_view.py  the tree as requests and replies
    tree_page.py  a tree as one HTML file

    widgets.py    both as cells of a notebook
    static/       `board.js` and `tree.js` draw in any element; bundle.py makes one script of those that import each other
"""
