"""The playable board: a game against a player, what the player thinks, and one position in four minds.

    session.py    a game as requests and answers (JSON), for any transport
    server.py     the transport by HTTP, on this machine only: `python -m arena play`
    static/       the page; `board.js` draws the board in any element, also in a notebook
"""
