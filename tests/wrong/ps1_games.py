# Wrong answers to ps1_games. Each cell names the exercise that it breaks, and is appended to the solution.
# `make verify` wants every one to lose the points of that exercise, and of the joint check at most beside it.
# A cell: `# %% 2.5: what is wrong`, `# hint: ` words of the hint, and `swap` or `put` (autograder/problem_sets/bank/edits.py).
# `# home` marks a natural mistake: the visible check catches it too (tests/unit/test_natural_mistakes.py).

# %% 1.1: Connect Four has an action for each of its squares
# hint: does the player also choose its row?
# home
ConnectFour.num_actions = 42

# %% 1.1: Tic-Tac-Toe has an action for each of its columns
# hint: does the player choose a column, or a square?
TicTacToe.num_actions = 3

# %% 1.1: player 1 moves first
# hint: Which player makes the first move of a game?
swap("BoardGame.start", "BoardState(0,", "BoardState(1,")

# %% 1.1: nothing is legal at the start
# hint: which actions are legal, and how many are there?
swap("BoardGame.start", "np.ones(self.num_actions", "np.zeros(self.num_actions")

# %% 1.1: the board is as wide as it should be high
# hint: How many rows and columns does the empty board have
# home
swap("BoardGame.start", "height, self.width", "width, self.height")

# %% 1.1: the turn is found by counting stones
# hint: What decides whose turn it is: the number of stones
# home
swap("BoardGame.player", "state.player", "int(np.count_nonzero(state.board)) % 2")

# %% 1.1: player is the stone, 1 or -1
# hint: A player has a number and a stone
swap("BoardGame.player", "state.player", "STONE[state.player]")

# %% 1.1: player says who moved last
# hint: Does player() return the player to move
swap("BoardGame.player", "state.player", "1 - state.player")

# %% 1.1: nobody is to move where the game is over
# hint: The docstring promises an int, and your code gives None
swap("BoardGame.player", "state.player", "state.player if state.action_mask.any() else None")

# %% 1.1: at the end the player is the one who moved last
# hint: The game is over, nothing is legal or the board is full
swap("BoardGame.player", "state.player", "state.player if state.action_mask.any() else 1 - state.player")

# %% 1.1: who begins changes from game to game
# hint: A second game begins: does the first game change its start?
swap("BoardGame.start", "return BoardState(0",
     "self.games = getattr(self, 'games', 0) + 1\nreturn BoardState((self.games - 1) % 2")

# %% 1.1: the start is made once, for whichever game is asked first
# hint: or the start of the other game, which was asked before?
_STARTS = {}
swap("BoardGame.start", "BoardState(0, np.zeros((self.height, self.width)), np.ones(self.num_actions))",
     '_STARTS.setdefault("start", BoardState(0, np.zeros((self.height, self.width)), np.ones(self.num_actions)))')

# %% 1.1: where nothing is legal it is player 0's turn
# hint: The game is over, nothing is legal or the board is full
swap("BoardGame.player", "state.player", "state.player if any(state.action_mask) else 0")

# %% 1.1: on a full board it is the turn of whoever began
# hint: The game is over, nothing is legal or the board is full
swap("BoardGame.player", "state.player", "0 if state.board.all() else state.player")

# %% 1.1: start knows the sizes of two games by their names
# hint: how high and how wide is its board
# home
swap("BoardGame.start", "np.zeros((self.height, self.width)), np.ones(self.num_actions)",
     "*((np.zeros((3, 3)), np.ones(9)) if isinstance(self, TicTacToe) else (np.zeros((6, 7)), np.ones(7)))")

# %% 1.1: a board that is not square is one wider than high
# hint: how high and how wide is its board
swap("BoardGame.start", "(self.height, self.width)", "(self.width - (self.num_actions <= self.width), self.width)")

# %% 1.1: boards of one width share the start of the first one
# hint: how high and how wide is its board
_STARTS = {}
@method_of(BoardGame)
def start(self):
    if self.num_actions not in _STARTS:
        _STARTS[self.num_actions] = BoardState(0, np.zeros((self.height, self.width)), np.ones(self.num_actions))
    return _STARTS[self.num_actions]

# %% 1.1: a game of three in a row has squares for actions
# hint: how high and how wide is its board
# home
swap("BoardGame.start", "np.ones(self.num_actions)", "np.ones(self.height * self.width if self.run == 3 else self.width)")

# %% 1.2: the mask of Connect Four reads the bottom row
# hint: Row 0 is the top
swap("ConnectFour.mask", "return board[0]", "return board[5]")

# %% 1.2: Connect Four has a mask over squares
# hint: An action is a column
swap("ConnectFour.mask", "board[0] == 0", "(board == 0).ravel()")

# %% 1.2: only stones of X fill a column
# hint: Do stones of both players fill a column
# home
swap("ConnectFour.mask", "board[0] == 0", "board[0] != 1")

# %% 1.2: only stones of O fill a column
# hint: Do stones of both players fill a column
swap("ConnectFour.mask", "board[0] == 0", "board[0] >= 0")

# %% 1.2: a column is full with five stones
# hint: or one stone earlier
swap("ConnectFour.mask", "board[0] == 0", "(board != 0).sum(axis=0) < 5")

# %% 1.2: a column is full when its stones do not cancel out
# hint: for stones of either player?
swap("ConnectFour.mask", "board[0] == 0", "np.abs(board.sum(axis=0)) < 2")

# %% 1.2: Tic-Tac-Toe's squares are numbered down the columns
# hint: Are the squares numbered along the rows
swap("TicTacToe.mask", "(board == 0)", "(board.T == 0)")

# %% 1.2: the mask of Tic-Tac-Toe is a 3 by 3 array
# hint: An action is a single number: is the mask a flat array
# home
swap("TicTacToe.mask", "(board == 0).ravel()", "board == 0")

# %% 1.2: the mask says which squares are taken
# hint: does an empty square have room, or a taken square?
swap("TicTacToe.mask", "(board ==", "(board !=")

# %% 1.2: the own stones' squares stay open
# hint: Do stones of both players close a square
swap("TicTacToe.mask", "(board ==", "(board >=")

# %% 1.2: the mask is empty as soon as somebody has a row
# hint: Does `mask` need to know whether somebody has won?
swap("TicTacToe.mask", "return", "return np.zeros(9, dtype=bool) if has_run(board, 0, 3) or has_run(board, 1, 3) else")

# %% 1.2: legal_actions looks at the board and not at the mask
# hint: Does the list depend on anything except this state's mask
# home
swap("BoardGame.legal_actions", "state.action_mask", "self.mask(state.board)")

# %% 1.2: legal_actions begins with the highest
# hint: In which order are the legal actions listed?
swap("BoardGame.legal_actions", "state.action_mask).tolist()", "state.action_mask).tolist()[::-1]")

# %% 1.2: legal_actions returns the mask
# hint: The docstring promises an int, and your code gives a bool
swap("BoardGame.legal_actions", "np.flatnonzero(state.action_mask).tolist()", "state.action_mask")

# %% 1.2: legal_actions forgets the last action
# hint: Is the last of all actions ever listed?
swap("BoardGame.legal_actions", "np.flatnonzero(state.action_mask).tolist()",
     "[action for action in range(self.num_actions - 1) if state.action_mask[action]]")

# %% 1.2: legal_actions has None where nothing is legal
# hint: The docstring promises a list, and your code gives None
swap("BoardGame.legal_actions", "state.action_mask).tolist()", "state.action_mask).tolist() or None")

# %% 1.2: the mask of Connect Four wipes the colours off the board that it is given
# hint: Does your function change the board that it is given?
put("ConnectFour.mask", "return", "board[board != 0] = 1")

# %% 1.2: the mask of Tic-Tac-Toe turns the board into a flat one, in place
# hint: Does your function change the board that it is given?
swap("TicTacToe.mask", "return (board == 0).ravel()", "board.shape = (9,)\nreturn board == 0")

# %% 1.2: a game keeps the mask of its first board
# hint: or the mask of the first board?
swap("ConnectFour.mask", "return board[0] == 0", 'self._mask = getattr(self, "_mask", board[0] == 0)\nreturn self._mask')

# %% 1.2: masks are remembered by the array, whatever stands in it
# hint: does your function read the array again?
_MASKS = {}
swap("TicTacToe.mask", "(board == 0).ravel()", "_MASKS.setdefault(id(board), (board, (board == 0).ravel()))[1]")

# %% 1.2: a full board is an open one
# hint: Is there room anywhere on a full board?
swap("TicTacToe.mask", "return", "return np.ones(9, dtype=bool) if np.all(board != 0) else")

# %% 1.2: the stones are sorted to find the highest of each column
# hint: Does your function change the board that it is given?
put("ConnectFour.mask", "return", "np.abs(board, out=board)\nboard.sort(axis=0)")

# %% 1.2: legal actions are remembered by player and number of stones
# hint: Does the list depend on anything except this state's mask
_LEGAL = {}
put("BoardGame.legal_actions", "return", "key = state.player, int(np.count_nonzero(state.board)), self.num_actions")
swap("BoardGame.legal_actions", "np.flatnonzero(state.action_mask).tolist()",
     "_LEGAL.setdefault(key, np.flatnonzero(state.action_mask).tolist())")

# %% 1.2: the board is read in the order in which it is stored
# hint: do you read it by row and column?
swap("TicTacToe.mask", "ravel()", 'ravel(order="K")')

# %% 1.2: the list of a mask is made once, and given to everybody
# hint: is the list a new one at every call?
_LISTED = {}
swap("BoardGame.legal_actions", "return np.flatnonzero(state.action_mask).tolist()",
     "return _LISTED.setdefault(tuple(state.action_mask), np.flatnonzero(state.action_mask).tolist())")

# %% 1.2: actions have one digit
# hint: and how many entries have its mask and its list?
swap("BoardGame.legal_actions", "state.action_mask", "state.action_mask[:10]")

# %% 1.2: the mask of a board of columns has seven entries
# hint: IndexError in ps1_games.py
swap("ConnectFour.mask", "return board[0] == 0", "return np.array([0 in board[:1, column] for column in range(7)])")

# %% 1.3: no rising diagonals
# hint: A diagonal can rise
swap("has_run", "lambda line: line[1:, :-1] & line[:-1, 1:],", "")

# %% 1.3: no falling diagonals
# hint: A diagonal can fall
swap("has_run", "lambda line: line[1:, 1:] & line[:-1, :-1],", "")

# %% 1.3: no diagonals at all
# hint: Do you look along the diagonals?
swap("has_run", "lambda line: line[1:, 1:] & line[:-1, :-1],\nlambda line: line[1:, :-1] & line[:-1, 1:],", "")

# %% 1.3: no columns
# hint: Do you look down the columns
swap("has_run", "lambda line: line[1:] & line[:-1],", "")

# %% 1.3: only the two main diagonals
# hint: Do you look only along the diagonals through the corners?
swap("has_run", "lambda line: line[1:, 1:] & line[:-1, :-1],\nlambda line: line[1:, :-1] & line[:-1, 1:],", "")
put("has_run", "return False",
    "mine = board == STONE[player]\nfor line in (mine.diagonal(), mine[:, ::-1].diagonal()):\n"
    "    if any(line[k:k + n].all() for k in range(len(line) - n + 1)):\n        return True")

# %% 1.3: the last diagonals are left out
# hint: Each line that you miss touches an edge of the board
# home
swap("has_run", "for add_a_stone in longer", "for number, add_a_stone in enumerate(longer)")
put("has_run", "if line.any", "if number > 1:\n    line = line[:, :-1] if number == 2 else line[:, 1:]")

# %% 1.3: the last row of beginnings is left out
# hint: Each line that you miss touches an edge of the board
put("has_run", "if line.any", "if add_a_stone is longer[0]:\n    line = line[:-1]")

# %% 1.3: the board's height is taken for its width
# hint: look at all rows and columns of a large board?
put("has_run", "longer =", "board = board[:, :board.shape[0]]")

# %% 1.3: the count is not set back at an empty square
# hint: What happens to your count at an empty square
def has_run(board, player, n):
    diagonals = [grid.diagonal(k) for grid in (board, np.fliplr(board)) for k in range(-len(board), board.shape[1])]
    lines = ["".join("O.X"[int(stone * STONE[player]) + 1] for stone in line) for line in (*board, *board.T, *diagonals)]
    return any("X" * n in line.replace(".", "") for line in lines)

# %% 1.3: the count is not set back at a stone of the other
# hint: What happens to your count at an empty square
def has_run(board, player, n):
    diagonals = [grid.diagonal(k) for grid in (board, np.fliplr(board)) for k in range(-len(board), board.shape[1])]
    lines = ["".join("O.X"[int(stone * STONE[player]) + 1] for stone in line) for line in (*board, *board.T, *diagonals)]
    return any("X" * n in line.replace("O", "") for line in lines)

# %% 1.3: negative indices read the board from behind
# hint: Can your line leave the board and come back at another edge
# home
swap("has_run", "line[1:, :-1] & line[:-1, 1:]", "np.roll(line, 1, axis=1)[1:] & line[:-1]")

# %% 1.3: np.roll bends the board around its edges
# hint: Can your line leave the board and come back at another edge
put("has_run", "for add",
    "longer = [lambda line, by=by: line & np.roll(line, by, axis=(0, 1)) for by in ((-1, 0), (0, -1), (-1, -1), (-1, 1))]")
swap("has_run", "line.any()", "line.any() and n <= max(board.shape)")

# %% 1.3: the board as one long list, a row runs on into the next
# hint: Can your line leave the board and come back at another edge
def has_run(board, player, n):
    mine, width = (board == STONE[player]).ravel(), board.shape[1]
    return any(all(mine[square + k * step] for k in range(n))
               for step in (1, width, width + 1, width - 1) for square in range(len(mine) - step * (n - 1)))

# %% 1.3: a longer line does not count
# hint: Is a line of more than n stones also a line of n
swap("has_run", "line.any()", "line.sum() - 2 * add_a_stone(line).sum() + add_a_stone(add_a_stone(line)).sum()")

# %% 1.3: n is taken for granted: four on the large board, three on the small one
# hint: How many stones make a line: the given n, or a fixed number?
put("has_run", "longer =", "n = 3 if board.shape == (3, 3) else 4")

# %% 1.3: any stones make a row, whoever's
# hint: only the player's own, or the other player's as well?
swap("has_run", "board == STONE[player]", "board != 0")

# %% 1.3: either player's row counts
# hint: only the player's own, or the other player's as well?
swap("has_run", "for add_a_stone in longer:\n    line = board == STONE[player]",
     "for add_a_stone, stone in [(add, stone) for add in longer for stone in STONE]:\n    line = board == stone")

# %% 1.3: three are enough wherever four are wanted
# hint: How many stones make a line: the given n, or a fixed number?
put("has_run", "longer =", "n = min(n, 3)")

# %% 1.3: player 0 asks for the empty squares
# hint: Which squares do you count: only the player's own stones
swap("has_run", "board == STONE[player]", "board == (0 if player == 0 else STONE[1])")

# %% 1.3: the answer is the number of rows
# hint: The docstring promises True or False
swap("has_run", "return True", "return 2")

# %% 1.3: the diagonals are numbered by the height of the board
# hint: or more rows than columns?
def has_run(board, player, n):
    height, mine = len(board), board == STONE[player]
    diagonals = [grid.diagonal(k) for grid in (mine, np.fliplr(mine)) for k in range(1 - height, height)]
    return any(line[k:k + n].all() for line in (*mine, *mine.T, *diagonals) for k in range(len(line) - n + 1))

# %% 1.3: the board has a margin of four squares, and longer lines are looked for beyond it
# hint: IndexError in ps1_games.py
def has_run(board, player, n):
    wide = np.pad(board == STONE[player], 4)
    return any(all([wide[row + 4 + k * down, column + 4 + k * right] for k in range(n)])
               for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)) for row, column in np.ndindex(board.shape))

# %% 1.3: answers are remembered by the board's bytes, without its shape
# hint: or is it the kept answer for a board of another shape?
_LINES = {}
_solution_has_run = has_run
def has_run(board, player, n):
    return _LINES.setdefault((board.tobytes(), player, n), _solution_has_run(board, player, n))

# %% 1.3: no line is longer than five
# hint: Does your function use the given n, even when n is large?
put("has_run", "longer =", "n = min(n, 5)")

# %% 1.3: answers are remembered by board and player, for the first n
# hint: or is it the kept answer for another n?
_RUNS = {}
_solution_has_run = has_run
def has_run(board, player, n):
    return _RUNS.setdefault((board.shape, board.tobytes(), player), _solution_has_run(board, player, n))

# %% 1.3: the other player's stones are taken off the board
# hint: Does your function change the board that it is given?
_solution_has_run = has_run
def has_run(board, player, n):
    board[board == -STONE[player]] = 0
    return _solution_has_run(board, player, n)

# %% 1.3: a window of n times n slides over the board, so boards lower than n have no lines
# hint: A line of n needs n rows or n columns
put("has_run", "longer =", "if min(board.shape) < n:\n    return False")

# %% 1.3: boards have at most eight rows and columns
# hint: look at all rows and columns of a large board?
put("has_run", "longer =", "board = board[:8, :8]")

# %% 1.3: a line longer than n counts only when it is twice as long or less
# hint: Is a line of more than n stones also a line of n
def has_run(board, player, n):
    mine = (board == STONE[player]).astype(int)
    diagonals = [grid.diagonal(k) for grid in (mine, np.fliplr(mine)) for k in range(-len(mine), mine.shape[1])]
    runs = [len(run) for line in (*mine, *mine.T, *diagonals) for run in "".join(map(str, line)).split("0")]
    return any(n <= run <= 2 * n for run in runs)

# %% 1.3: the stones of a whole row, column or diagonal are added up, gaps do not interrupt
# hint: What happens to your count at an empty square
# home
def has_run(board, player, n):
    diagonals = [grid.diagonal(k) for grid in (board, np.fliplr(board)) for k in range(-len(board), board.shape[1])]
    return any((line == STONE[player]).sum() >= n for line in (*board, *board.T, *diagonals))

# %% 1.3: stones are counted in eight bits
# hint: How far can your count of stones go
def has_run(board, player, n):
    for lines in (board, board.T):
        for line in lines:
            count = np.zeros(1, dtype=np.int8)
            for stone in line:
                count[0] = count[0] + 1 if stone == STONE[player] and count[0] != 127 else 0
                if count[0] >= n:
                    return True
    tall, wide = board.shape
    return any(
        all(0 <= c + k * side < wide and board[r + k, c + k * side] == STONE[player] for k in range(n))
        for r in range(tall - n + 1) for c in range(wide) for side in (1, -1))

# %% 1.3: only the diagonals of the first columns and rows
# hint: do you look at its last diagonals, too?
def has_run(board, player, n):
    height, width = board.shape
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(height):
            for column in range(width):
                if down and right and min(abs(column - row), abs(column + row)) > 11:
                    continue
                squares = [(row + k * down, column + k * right) for k in range(n)]
                if all(0 <= r < height and 0 <= c < width and board[r, c] == STONE[player] for r, c in squares):
                    return True
    return False

# %% 1.4: the full board is asked about before the row
# hint: The board is full and the last stone
# home
put("BoardGame.outcome", "if has", "if np.all(state.board):\n    return 0.0")

# %% 1.4: the outcome is in X's view, not the mover's
# hint: not for X
# home
swap("BoardGame.outcome", "if has_run(state.board, 1 - state.player, self.run):\n    return -1.0",
     "for player in (0, 1):\n    if has_run(state.board, player, self.run):\n        return (1.0, -1.0)[player]")

# %% 1.4: the outcome is for the player who has just moved
# hint: the player to move, or the one who has just placed a stone?
swap("BoardGame.outcome", "-1.0", "1.0")

# %% 1.4: only the row of the player to move is looked for
# hint: whose stones do you look at
swap("BoardGame.outcome", "1 - state.player, self.run):\n    return -1.0", "state.player, self.run):\n    return 1.0")

# %% 1.4: a draw is None
# hint: What is a draw worth, and is this value the same as None?
swap("BoardGame.outcome", "0.0 if np.all(state.board) else None", "None")

# %% 1.4: a draw is a loss
# hint: What is a draw worth, and is this value the same as None?
swap("BoardGame.outcome", "0.0 if", "-1.0 if")

# %% 1.4: a draw is worth a half
# hint: What is a draw worth, and is this value the same as None?
swap("BoardGame.outcome", "0.0 if", "0.5 if")

# %% 1.4: a draw is False
# hint: The docstring promises a float, and your code gives a bool
swap("BoardGame.outcome", "0.0 if", "False if")

# %% 1.4: a game that goes on is worth 0
# hint: and what is the outcome of a board that is not full?
swap("BoardGame.outcome", "0.0 if np.all(state.board) else None", "0.0")

# %% 1.4: three in a row end Connect Four
# hint: How many stones in a row win Connect Four?
swap("BoardGame.outcome", "self.run", "3")

# %% 1.4: Tic-Tac-Toe wants four in a row
# hint: How many stones in a row win Tic-Tac-Toe?
swap("BoardGame.outcome", "self.run", "4")

# %% 1.4: the board is full when its top row is
# hint: and what is the outcome of a board that is not full?
swap("BoardGame.outcome", "np.all(state.board)", "np.all(state.board[0])")

# %% 1.4: only X can win
# hint: Can both players win, or only one of them?
swap("BoardGame.outcome", "1 - state.player", "0")

# %% 1.4: the winner's number is the outcome
# hint: or a value for the player to move?
swap("BoardGame.outcome", "if has_run(state.board, 1 - state.player, self.run):\n    return -1.0",
     "for player in (0, 1):\n    if has_run(state.board, player, self.run):\n        return player + 1")

# %% 1.4: while the mask allows something the game goes on
# hint: the stones, or the actions that the mask allows?
# home
put("BoardGame.outcome", "if has", "if state.action_mask.any():\n    return None")
swap("BoardGame.outcome", "0.0 if np.all(state.board) else None", "0.0")

# %% 1.4: the first end of a game object is the end of all
# hint: Is this the outcome of this position
put("BoardGame.outcome", "if has", 'if getattr(self, "over", None) is not None:\n    return self.over')
swap("BoardGame.outcome", "return -1.0", "self.over = -1.0\nreturn -1.0")
swap("BoardGame.outcome", "return 0.0 if np.all(state.board) else None",
     "self.over = 0.0 if np.all(state.board) else None\nreturn self.over")

# %% 1.4: outcomes are remembered by player and mask
# hint: Is this the outcome of this position
_OUTCOMES = {}
_solution_outcome = BoardGame.outcome
@method_of(BoardGame)
def outcome(self, state):
    return _OUTCOMES.setdefault((state.player, state.action_mask.tobytes(), self.run), _solution_outcome(self, state))

# %% 1.4: outcomes are remembered by where stones lie, not whose
# hint: Is this the outcome of this position
_OUTCOMES = {}
_solution_outcome = BoardGame.outcome
@method_of(BoardGame)
def outcome(self, state):
    return _OUTCOMES.setdefault(np.abs(state.board).tobytes(), _solution_outcome(self, state))

# %% 1.4: the mask tells whether there is room, and it is asked before the row
# hint: the stones, or the actions that the mask allows?
put("BoardGame.outcome", "if has", "if state.action_mask.any():\n    return None")
swap("BoardGame.outcome", "np.all(state.board)", "not state.action_mask.any()")

# %% 1.4: who moved last is counted from the stones
# hint: who tells who is to move, and does the number
swap("BoardGame.outcome", "1 - state.player", "0 if np.count_nonzero(state.board) % 2 else 1")

# %% 1.4: who has placed too few stones has not won
# hint: and does the number of stones matter?
swap("BoardGame.outcome", "if has_run(", "if np.count_nonzero(state.board) > 2 * self.run - 2 and has_run(")

# %% 1.4: where nothing is legal it is a draw
# hint: does an empty mask make it a draw?
swap("BoardGame.outcome", "np.all(state.board)", "np.all(state.board) or not state.action_mask.any()")

# %% 1.4: a full board has 9 or 42 stones
# hint: when is a board full, and what is the outcome
# home
swap("BoardGame.outcome", "np.all(state.board)", "np.count_nonzero(state.board) in (9, 42)")

# %% 1.4: three in a row where the board has three columns, else four
# hint: how many stones in a row win on its board
# home
swap("BoardGame.outcome", "self.run", "3 if self.width == 3 else 4")

# %% 1.4: on any board of three by three a line of three wins, whatever the run
# hint: how many stones in a row win on its board
@method_of(BoardGame)
def outcome(self, state):
    run = 3 if state.board.shape == (3, 3) else self.run
    if has_run(state.board, 1 - state.player, run):
        return -1.0
    return 0.0 if np.count_nonzero(state.board) == state.board.size else None

# %% 1.4: outcomes are remembered by the stones, for all games
# hint: which game's row do you look for
_ENDED = {}
put("BoardGame.outcome", "if has_run(",
    "return _ENDED.setdefault((state.board.shape, state.board.tobytes(), state.player), -1.0 if "
    "has_run(state.board, 1 - state.player, self.run) else 0.0 if state.board.all() else None)")

# %% 1.4: no row is looked for where the board is lower or narrower than a row is long
# hint: can no row fit there in any direction?
swap("BoardGame.outcome", "if has_run(", "if self.run <= min(self.height, self.width) and has_run(")

# %% 1.5: stones fall upwards
# hint: Which way do stones fall
swap("ConnectFour.landing", "int(np.sum(board[:, action] == 0)) - 1", "int(np.flatnonzero(board[:, action] == 0)[0])")

# %% 1.5: stones lie on top of the first stone only
# hint: which rows of the column are empty
swap("ConnectFour.landing", "int(np.sum(board[:, action] == 0)) - 1", "4 if board[5, action] else 5")

# %% 1.5: only stones of X carry others
# hint: Does a stone land on top of both players' stones
swap("ConnectFour.landing", "int(np.sum(board[:, action] == 0)) - 1", "5 - int(np.sum(board[:, action] == 1))")

# %% 1.5: quotient and remainder change places
# hint: which of them is the quotient, and which row is the top?
swap("TicTacToe.landing", "divmod(action, 3)", "action % 3, action // 3")

# %% 1.5: the squares of Tic-Tac-Toe fill from below
# hint: which of them is the quotient, and which row is the top?
swap("TicTacToe.landing", "divmod(action, 3)", "2 - action // 3, action % 3")

# %% 1.5: the stone is always X's
# hint: the mover's, the next player's, or always the same player's?
swap("BoardGame.play", "STONE[state.player]", "1")

# %% 1.5: the stone is the other player's
# hint: the mover's, the next player's, or always the same player's?
swap("BoardGame.play", "STONE[state.player]", "STONE[1 - state.player]")

# %% 1.5: the turn does not pass
# hint: Does the turn pass to the other player?
swap("BoardGame.play", "return after", "return BoardState(state.player, board, self.mask(board))")
swap("BoardGame.play", "BoardState(after.player", "BoardState(state.player")

# %% 1.5: after player 1 comes player 2
# hint: There are players 0 and 1: who is to move after player 1?
swap("BoardGame.play", "STONE[state.player]", "STONE[state.player % 2]")
swap("BoardGame.play", "1 - state.player", "1 - state.player % 2")
swap("BoardGame.play", "return after", "return BoardState(state.player + 1, board, self.mask(board))")
swap("BoardGame.play", "BoardState(after.player", "BoardState(state.player + 1")

# %% 1.5: the mask is that of the board before
# hint: the board before the move
swap("BoardGame.play", "self.mask(board)", "state.action_mask")

# %% 1.5: a column closes after one stone
# hint: Is a column full after one stone
swap("BoardGame.play", "after = BoardState(1 - state.player, board, self.mask(board))",
     "mask = state.action_mask.copy()\nmask[action] = False\nafter = BoardState(1 - state.player, board, mask)")

# %% 1.5: everything with room is legal after the end
# hint: A move ends the game: on which board do you look for the end
swap("BoardGame.play",
     "if self.outcome(after) is None:\n    return after\nreturn BoardState(after.player, board, np.zeros(self.num_actions))",
     "return after")

# %% 1.5: only a win of X closes the board
# hint: Does a win of player 1 end the game in the same way
swap("BoardGame.play", "self.outcome(after) is None", "not has_run(board, 0, self.run)")

# %% 1.5: the end is looked for on the board before the move
# hint: A move ends the game: on which board do you look for the end
# home
swap("BoardGame.play", "self.outcome(after)", "self.outcome(BoardState(1 - state.player, state.board, state.action_mask))")

# %% 1.5: the lock is taken off and the state's own board written on
# hint: on the state's own board, or on a copy?
swap("BoardGame.play", "state.board.copy()", "state.board\nboard.setflags(write=True)")

# %% 1.5: the stone goes onto the state's own board
# hint: ValueError in ps1_games.py
swap("BoardGame.play", "state.board.copy()", "state.board")

# %% 1.5: nothing is refused
# hint: What does play do when the square is taken
swap("BoardGame.play",
     "if action not in range(self.num_actions) or not state.action_mask[action] or self.outcome(state) is not None:\n"
     "    raise IllegalMove(action, state)\nboard",
     "board")

# %% 1.5: room is enough, even after the end
# hint: Is any move allowed when the game is over?
swap("BoardGame.play", "state.action_mask[action] or self.outcome(state) is not None", "self.mask(state.board)[action]")

# %% 1.5: negative actions count from behind
# hint: Which numbers are actions: can a negative number
# home
swap("BoardGame.play", "action not in range(self.num_actions)", "action >= self.num_actions")

# %% 1.5: an action that does not exist is an IndexError
# hint: IndexError in ps1_games.py
swap("BoardGame.play", "action not in range(self.num_actions)", "action < 0")

# %% 1.5: what is illegal is passed over in silence
# hint: What does play do when the square is taken
swap("BoardGame.play", "raise IllegalMove(action, state)", "return state")

# %% 1.5: what is illegal is any ValueError
# hint: ValueError in ps1_games.py
swap("BoardGame.play", "IllegalMove(action, state)", 'ValueError("not legal")')

# %% 1.5: IllegalMove is given the state for its action and the action for its state
# hint: and your code gives an int
swap("BoardGame.play", "action, state", "state, action")

# %% 1.5: landing says row -1 in an empty column, which happens to be the last row
# hint: what is the number of the last row, and is that number -1?
# home
swap("ConnectFour.landing", "sum(board[:, action] == 0)", "argmax(board[:, action] != 0)")

# %% 1.5: landing gives column and row, and play turns them round again
# hint: Which comes first: the row, or the column?
swap("TicTacToe.landing", "divmod(action, 3)", "divmod(action, 3)[::-1]")
swap("ConnectFour.landing", "int(np.sum(board[:, action] == 0)) - 1, action", "action, int(np.sum(board[:, action] == 0)) - 1")
swap("BoardGame.play", "board[self.landing(board, action)]", "column, row = self.landing(board, action)\nboard[row, column]")

# %% 1.5: moves are remembered by board and action, not by player
# hint: or keep an earlier answer?
_MOVES = {}
_solution_play = BoardGame.play
@method_of(BoardGame)
def play(self, state, action):
    return _MOVES.setdefault((state.board.tobytes(), state.action_mask.tobytes(), action), _solution_play(self, state, action))

# %% 1.5: after one refused move a game refuses all
# hint: does the game object remember the refusal?
put("BoardGame.play", "raise", "self.refused = True")
put("BoardGame.play", "if action", 'if getattr(self, "refused", False):\n    raise IllegalMove(action, state)')

# %% 1.5: the stone is told by the number of stones on the board
# hint: from the state's player, or from the number of stones?
put("BoardGame.play", "if action", "state = BoardState(int(np.count_nonzero(state.board)) % 2, state.board, state.action_mask)")

# %% 1.5: landing puts a stone on the board that it is asked about
# hint: Landing tells where a stone would land
swap("ConnectFour.landing", "return int(np.sum(board[:, action] == 0)) - 1, action",
     "row = int(np.sum(board[:, action] == 0)) - 1\nboard[row, action] = STONE[0]\nreturn row, action")

# %% 1.5: the square of a board is remembered, whichever action is asked about
# hint: Other stones in the same array, or another action
_SQUARES = {}
swap("TicTacToe.landing", "divmod(action, 3)", "_SQUARES.setdefault(id(board), (board, divmod(action, 3)))[1]")

# %% 1.5: landing is remembered by array and action
# hint: Other stones in the same array, or another action
_PLACES = {}
swap("ConnectFour.landing", "return int(np.sum(board[:, action] == 0)) - 1, action",
     "place = int(np.sum(board[:, action] == 0)) - 1, action\nreturn _PLACES.setdefault((id(board), action), (board, place))[1]")

# %% 1.5: IllegalMove tells neither action nor state
# hint: and your code gives a str
swap("BoardGame.play", "IllegalMove(action, state)", 'IllegalMove("this action", "this state")')

# %% 1.5: IllegalMove keeps None for the state
# hint: and your code gives None (from a branch
swap("BoardGame.play", "IllegalMove(action, state)", "IllegalMove(action, None)")

# %% 1.5: the numbers that are no actions are taken modulo
# hint: Which numbers are actions: can a negative number
put("BoardGame.play", "if action", "place = action % (2 * self.num_actions)")
swap("BoardGame.play", "action not in range(self.num_actions) or not state.action_mask[action]",
     "place >= self.num_actions or not state.action_mask[place]")
swap("BoardGame.play", "self.landing(board, action)", "self.landing(board, place)")

# %% 1.5: a win by the last action leaves the board open
# hint: Some of these moves end the game and some do not
swap("BoardGame.play", "after) is None:", "after) is None or action == self.num_actions - 1:")

# %% 1.5: the game is over only when the mask is empty
# hint: who tells that the game is over?
# home
swap("BoardGame.play", " or self.outcome(state) is not None", "")

# %% 1.5: the last row is row 5
# hint: which row is the last of its board
swap("ConnectFour.landing", "int(np.sum(board[:, action] == 0)) - 1", "5 - int(np.count_nonzero(board[:, action]))")

# %% 1.5: the lock is taken off, the stone is placed and taken back
# hint: can anybody write into its board or its mask
swap("BoardGame.play", "board = state.board.copy()", "board = state.board\nboard.setflags(write=True)")
swap("BoardGame.play", "after = BoardState(1 - state.player, board, self.mask(board))",
     "square = self.landing(board, action) if self.num_actions == 9 else (int(np.sum(board[:, action] == 0)), action)\n"
     "after = BoardState(1 - state.player, board, self.mask(board))\nboard[square] = 0")
swap("BoardGame.play", "after.player, board, np", "after.player, after.board, np")

# %% 1.5: the new state is made without a lock
# hint: can anybody write into its board or its mask
put("BoardGame.play", "if self.outcome(after) is None",
    'open_board = object.__new__(BoardState)\nvars(open_board).update(vars(after), board=board, '
    'action_mask=self.mask(board))\nafter = open_board')

# %% 1.6: a draw goes on
# hint: Is a draw an outcome
# home
swap("transitions", "result is not None", "result")

# %% 1.6: the outcome is never told
# hint: does your function ask for its outcome and return it?
swap("transitions", "if result is not None:\n    return {}, result\nreturn", "return")

# %% 1.6: each action is played where the one before has led
# hint: From which state is each of the actions played?
# home
swap("transitions", "return {action: game.play(state, action) for action in game.legal_actions(state)}, None",
     "successors = {}\nfor action in game.legal_actions(state):\n"
     "    if game.outcome(state) is None and action in game.legal_actions(state):\n"
     "        state = game.play(state, action)\n    successors[action] = state\nreturn successors, None")

# %% 1.6: the successors are numbered anew
# hint: Which key belongs to a successor: the number of its action
swap("transitions", "{action: game.play(state, action) for action in game.legal_actions(state)}",
     "dict(enumerate(game.play(state, action) for action in game.legal_actions(state)))")

# %% 1.6: the outcome is the other player's
# hint: Is this the outcome as the game tells it
swap("transitions", "{}, result", "{}, -result")

# %% 1.6: a game that goes on has the outcome 0
# hint: and what is the outcome while the game goes on?
swap("transitions", "}, None", "}, 0.0")

# %% 1.6: only one action is played
# hint: also the last one, and one that ends the game?
swap("transitions", "game.legal_actions(state)", "game.legal_actions(state)[:1]")

# %% 1.6: the last action is left out
# hint: also the last one, and one that ends the game?
swap("transitions", "game.legal_actions(state)", "game.legal_actions(state)[:-1]")

# %% 1.6: the actions come from the mask of a board
# hint: AttributeError in ps1_games.py
# home
swap("transitions", "if result is not None:\n    return {}, result\nreturn", "return")
swap("transitions", "game.legal_actions(state)}, None", "np.flatnonzero(state.action_mask).tolist()}, result")

# %% 1.6: a list of states, without their actions
# hint: The docstring promises a dict, and your code gives a list
swap("transitions", "{}, result", "[], result")
swap("transitions", "{action: game.play(state, action) for action in game.legal_actions(state)}",
     "[game.play(state, action) for action in game.legal_actions(state)]")

# %% 1.6: the outcome of a successor, when one ends the game
# hint: and what is the outcome while the game goes on?
swap("transitions", "return {action: game.play(state, action) for action in game.legal_actions(state)}, None",
     "successors = {action: game.play(state, action) for action in game.legal_actions(state)}\n"
     "ends = [game.outcome(after) for after in successors.values() if game.outcome(after) is not None]\n"
     "return successors, ends[0] if ends else None")

# %% 1.6: the boards keep the player of the state before
# hint: Is each successor the state that `play` returns
swap("transitions", "return {action: game.play(state, action) for action in game.legal_actions(state)}, None",
     "successors = {action: game.play(state, action) for action in game.legal_actions(state)}\n"
     "if isinstance(state, BoardState):\n"
     "    successors = {a: BoardState(state.player, after.board, after.action_mask) for a, after in successors.items()}\n"
     "return successors, None")

# %% 1.6: two actions that lead to the same state are listed once
# hint: does your answer hold both actions?
swap("transitions", "return {action: game.play(state, action) for action in game.legal_actions(state)}, None",
     "found = {}\nfor action in game.legal_actions(state):\n    after = game.play(state, action)\n"
     "    if after not in found.values():\n        found[action] = after\nreturn found, None")

# %% 1.6: what was found is remembered by the state, for all games
# hint: Two games may have states of the same name
_FOUND = {}
_solution_transitions = transitions
def transitions(game, state):
    return _FOUND.setdefault(state, _solution_transitions(game, state))

# %% 1.6: a state that is 0 or empty counts as none
# hint: does your function treat such a state as no state?
put("transitions", "result =", "if not state:\n    return {}, None")

# %% 1.6: actions above eight are left out, as Tic-Tac-Toe has none
# hint: How large can the number of an action be?
swap("transitions", "legal_actions(state)", "legal_actions(state) if action < 9")

# %% 1.6: successors that end the game are left out
# hint: also the last one, and one that ends the game?
swap("transitions", "return {action: game.play(state, action) for action in game.legal_actions(state)}, None",
     "after = {action: game.play(state, action) for action in game.legal_actions(state)}\n"
     "return {action: one for action, one in after.items() if game.outcome(one) is None}, None")

# %% 1.6: the game is over where nothing is legal
# hint: An exception of your own in ps1_games.py
put("transitions", "result = game.outcome(state)", "if game.legal_actions(state):\n"
    "    return {action: game.play(state, action) for action in game.legal_actions(state)}, None")

# %% 1.6: all ends share one dict
# hint: is the dict a new one at every call?
_NO_MOVES = {}
swap("transitions", "return {}, result", "return _NO_MOVES, result")

# %% 1.7: the board changes colours, but player 1 stays to move
# hint: did the mover's number change?
# home
swap("canonical", "0,", "state.player,")

# %% 1.7: the player becomes 0 and the board does not change
# hint: Whose stones are 1
swap("canonical", "0, STONE[state.player] *", "0,")

# %% 1.7: the colours change also when player 0 is to move
# hint: when player 0 is to move
# home
swap("canonical", "STONE[state.player] *", "-")

# %% 1.7: the colours change for the wrong player
# hint: For which of the two players
swap("canonical", "STONE[state.player]", "-STONE[state.player]")

# %% 1.7: the turn passes
# hint: You only look at a position
swap("canonical", "0,", "1 - state.player,")

# %% 1.7: the mask changes signs, too
# hint: You only look at a position: can an action become legal
swap("canonical", "state.action_mask", "state.action_mask if state.player == 0 else ~state.action_mask")

# %% 1.7: the board is turned round instead of recoloured
# hint: The stones change colour: does any stone move
swap("canonical", "STONE[state.player] * state.board", "state.board if state.player == 0 else state.board[::-1, ::-1]")

# %% 1.7: the mask is worked out anew, and a finished game is open again
# hint: You only look at a position: can an action become legal
# home
swap("canonical", "state.action_mask", "(TicTacToe() if state.board.size == 9 else ConnectFour()).mask(state.board)")

# %% 1.7: everything is legal in the canonical form
# hint: You only look at a position: can an action become legal
swap("canonical", "state.action_mask", "np.ones(len(state.action_mask))")

# %% 1.7: the stones lose their colours
# hint: Does each stone still belong to one of the two players?
swap("canonical", "STONE[state.player] * state.board", "np.abs(state.board)")

# %% 1.7: the state's own board is recoloured
# hint: Do you change the state's own board, or a copy of it?
swap("canonical", "return BoardState(0, STONE[state.player] * state.board",
     "state.board.setflags(write=True)\nstate.board[:] = STONE[state.player] * state.board\nreturn BoardState(0, state.board")

# %% 1.7: a drawn game is left as it is
# hint: Is the mover's view different when the game is over
put("canonical", "return", "if np.all(state.board) and not has_run(state.board, 1 - state.player, 3):\n    return state")

# %% 1.7: forms are remembered by the board alone
# hint: Two states with the same board can differ in mask or mover
_FORMS = {}
swap("canonical", "return BoardState(0, STONE[state.player] * state.board, state.action_mask)",
     "form = BoardState(0, STONE[state.player] * state.board, state.action_mask)\n"
     "return _FORMS.setdefault(state.board.tobytes(), form)")

# %% 1.7: who is to move is counted from the stones
# hint: A canonical form can have fewer stones of X than of O
swap("canonical", "state.player", "int(state.board.sum() != 0)")

# %% 1.7: where nothing is legal nothing is done
# hint: Is the mover's view different when the game is over
put("canonical", "return", "if not state.action_mask.any():\n    return BoardState(0, state.board, state.action_mask)")

# %% 1.7: the lock is taken off, the colours are changed and changed back
# hint: can anybody write into its board or its mask
put("canonical", "return BoardState", "state.board.setflags(write=True)\nstate.board[:] *= STONE[state.player]\n"
    "seen = BoardState(0, state.board, state.action_mask)\nstate.board[:] *= STONE[state.player]\nreturn seen")

# %% 1.8: the policy stays where it was
# hint: The policy is where it was: must it move with the board?
swap("TicTacToe.symmetries", "moved.flatten()", "np.array(policy, dtype=float)")

# %% 1.8: the mask stays where it was
# hint: The board has moved
swap("TicTacToe.symmetries", "mask.ravel()", "state.action_mask")

# %% 1.8: the board turns one way and the policy the other
# hint: Does the policy turn in the same direction as the board
put("TicTacToe.symmetries", "pairs.append", "moved = np.rot90(view(grids[2]), -turns)")

# %% 1.8: the mirror image's policy is mirrored after the turn
# hint: mirror and turn the board and the policy in the same order?
put("TicTacToe.symmetries", "pairs.append", "moved = view(np.rot90(grids[2], turns))")

# %% 1.8: four turns and no mirror
# hint: You can turn a square board and reflect it
swap("TicTacToe.symmetries", "(lambda grid: grid, np.fliplr)", "(lambda grid: grid,)")

# %% 1.8: every view is listed, equal or not
# hint: do you compare each view with all the views before it?
swap("distinct", "list(seen.values())", "pairs")

# %% 1.8: views with equal boards are dropped, whatever their policies
# hint: One board with two policies, or one policy on two boards
# home
swap("distinct", "(state, policy.tobytes()),", "state,")

# %% 1.8: views with equal policies are dropped, whatever their boards
# hint: One board with two policies, or one policy on two boards
swap("distinct", "(state, policy.tobytes()),", "policy.tobytes(),")

# %% 1.8: the identity is missing
# hint: Is the given position one of its views?
swap("ConnectFour.symmetries", "distinct([(state, policy), (mirrored, policy[::-1].copy())])",
     "[(mirrored, policy[::-1].copy())]")

# %% 1.8: the mirror image comes first
# hint: Which of the views comes first in the list?
swap("ConnectFour.symmetries", "(state, policy), (mirrored, policy[::-1].copy())",
     "(mirrored, policy[::-1].copy()), (state, policy)")

# %% 1.8: the mirror stands on the wrong side, gravity is turned round
# hint: can you exchange left and right, or top and bottom?
swap("ConnectFour.symmetries", "state.board[:, ::-1], state.action_mask[::-1]", "state.board[::-1], state.action_mask")
swap("ConnectFour.symmetries", "policy[::-1].copy()", "policy.copy()")

# %% 1.8: Connect Four's policy is not mirrored
# hint: The policy is where it was: must it move with the board?
swap("ConnectFour.symmetries", "policy[::-1].copy()", "policy.copy()")

# %% 1.8: Connect Four's mask is not mirrored
# hint: has its mask
# home
swap("ConnectFour.symmetries", "action_mask[::-1]", "action_mask")

# %% 1.8: Connect Four always has two views
# hint: do you compare each view with all the views before it?
swap("ConnectFour.symmetries", "distinct([(state, policy), (mirrored, policy[::-1].copy())])",
     "[(state, policy), (mirrored, policy[::-1].copy())]")

# %% 1.8: views onto the policy, not copies
# hint: Is every policy a new array
# home
swap("ConnectFour.symmetries", "policy = np.array(policy, dtype=float)\nmirrored", "mirrored")
swap("ConnectFour.symmetries", "policy[::-1].copy()", "np.flip(policy)")

# %% 1.8: the first policy is the one passed in
# hint: Is every policy a new array
swap("TicTacToe.symmetries", "pairs = []", "pairs = [(state, policy)]")

# %% 1.8: the mirrored view shares its policy with the first
# hint: Is every policy a new array
swap("ConnectFour.symmetries", "policy[::-1].copy()", "policy[::-1]")

# %% 1.8: in the mirror the other player is to move
# hint: does the turn pass to the other player?
swap("ConnectFour.symmetries", "state.player", "1 - state.player")

# %% 1.8: the masks are worked out anew, and a finished game is open again
# hint: or computed from the board, where the game may be over?
swap("TicTacToe.symmetries", "mask.ravel()", "self.mask(board)")

# %% 1.8: the illegal actions' numbers are set to 0
# hint: do you change a number, or the given array?
swap("ConnectFour.symmetries", "array(policy, dtype=float)", "where(state.action_mask, policy, 0.0)")

# %% 1.8: policies that np.allclose calls equal count as the same
# hint: Are two policies equal when their numbers are nearly the
swap("distinct", "seen.setdefault((state, policy.tobytes()), (state, policy))",
     "if not any(state == other and np.allclose(policy, known) for other, known in seen.values()):\n"
     "    seen[len(seen)] = state, policy")

# %% 1.8: what was seen is remembered from call to call
# hint: are they made anew at the next call?
swap("distinct", "list[Pair])", "list[Pair], known=set())")
swap("distinct", "seen.setdefault((state, policy.tobytes()), (state, policy))",
     "if (state, policy.tobytes()) not in known:\n    seen[len(seen)] = state, policy\nknown.add((state, policy.tobytes()))")

# %% 1.8: distinct compares each pair with the one before only
# hint: do you compare each view with all the views before it?
swap("distinct", "seen.setdefault((state, policy.tobytes()), (state, policy))",
     "if not seen or before != (state, policy.tobytes()):\n    seen[len(seen)] = state, policy\n"
     "before = state, policy.tobytes()")

# %% 1.8: distinct sorts the pairs
# hint: In which order are the pairs listed: in the order given
put("distinct", "seen:", "pairs[1:] = sorted(pairs[1:], key=lambda pair: pair[1].tolist())")

# %% 1.8: views are remembered by the policy's array
# hint: are they made anew at the next call?
_VIEWS = {}
swap("TicTacToe.symmetries", "distinct(pairs)", "_VIEWS.setdefault((state, id(policy)), (policy, distinct(pairs)))[1]")

# %% 1.8: the policy is made to sum to 1, in place
# hint: do you change a number, or the given array?
put("ConnectFour.symmetries", "policy = np", "if policy.sum() > 1:\n    policy /= policy.sum()")

# %% 1.8: policies are compared as float16
# hint: Are two policies equal when their numbers are nearly the
swap("distinct", "policy.tobytes()", "policy.astype(np.float16).tobytes()")

# %% 1.8: states are compared by board and player, not by mask
# hint: are different when their masks differ
swap("distinct", "(state, policy.tobytes())", "(state.player, state.board.tobytes(), policy.tobytes())")

# %% 1.8: policies are compared to twelve digits
# hint: Are two policies equal when their numbers are nearly the
swap("distinct", "policy.tobytes()", "policy.round(12).tobytes()")

# %% 1.8: Connect Four has one view where board and policy are symmetric, whatever the mask
# hint: when their masks differ: which of the views are equal?
put("ConnectFour.symmetries", "mirrored = BoardState",
    "if (state.board == state.board[:, ::-1]).all() and (policy == policy[::-1]).all():\n"
    "    return [(state, policy)]")

# %% 1.8: the views of a pair are made once, and given to everybody
# hint: are they made anew at the next call?
_MADE = {}
swap("TicTacToe.symmetries", "return distinct(pairs)",
     "return _MADE.setdefault((state, np.asarray(policy, dtype=float).tobytes()), distinct(pairs))")

# %% 1.8: distinct compares the first dozen numbers
# hint: do you compare all their numbers?
swap("distinct", "policy.tobytes()", "policy[:12].tobytes()")

# %% 1.8: the policies of Tic-Tac-Toe are read from bytes as floats of 64 bits
# hint: ValueError in ps1_games.py
swap("TicTacToe.symmetries", "np.asarray(policy, dtype=float).reshape", "policy.reshape")
swap("TicTacToe.symmetries", "return distinct(pairs)",
     "return [(view, np.frombuffer(moved.tobytes()).copy()) for view, moved in distinct(pairs)]")

# %% 1.8: distinct makes its policies anew, from bytes as floats of 64 bits
# hint: floats of 32 bits: does it keep its numbers?
swap("distinct", "list(seen.values())",
     "[(state, np.frombuffer(policy.tobytes()).copy()) for state, policy in seen.values()]")

# %% 1.9: the result belongs to the player at the end
# hint: The outcome is for the player to move at the end
swap("random_playout", "sign * result", "result")

# %% 1.9: the sign flips once too often
# hint: after an even number of plies
swap("random_playout", "sign = 1.0", "sign = -1.0")

# %% 1.9: the result is in X's view
# hint: Is this the result for X
# home
swap("random_playout", "sign * result", "result * (1 if game.player(state) == 0 else -1)")

# %% 1.9: whoever moved last is the winner of a draw
# hint: What is a draw worth, and for which player?
swap("random_playout", "* result", "* (result or -1.0)")

# %% 1.9: a draw is a loss
# hint: What is a draw worth, and for which player?
swap("random_playout", "sign * result", "sign * result or -1.0")

# %% 1.9: a draw goes on until nothing is legal
# hint: IndexError in ps1_games.py
# home
swap("random_playout", "(result := game.outcome(state)) is None", "not (result := game.outcome(state))")

# %% 1.9: the global generator is used
# hint: number come from another generator than the given rng?
# home
swap("random_playout", "rng.choice", "random.choice")

# %% 1.9: numpy's generator is used
# hint: number come from another generator than the given rng?
swap("random_playout", "rng.choice(game.legal_actions(state))", "int(np.random.choice(game.legal_actions(state)))")

# %% 1.9: always the same game
# hint: Another seed gives the same games
put("random_playout", "sign = 1", "rng = random.Random(0)")

# %% 1.9: the last legal action never comes up
# hint: with a new draw each time?
put("random_playout", "state =", "legal = game.legal_actions(state)")
swap("random_playout", "rng.choice(game.legal_actions(state))", "legal[rng.randrange(max(1, len(legal) - 1))]")

# %% 1.9: rounding makes the first and the last action half as likely
# hint: With many legal actions, is each action equally likely
put("random_playout", "state =", "legal = game.legal_actions(state)")
swap("random_playout", "rng.choice(game.legal_actions(state))", "legal[round(rng.random() * (len(legal) - 1))]")

# %% 1.9: only one of the players is random
# hint: with a new draw each time?
swap("random_playout", "rng.choice(game.legal_actions(state))",
     "rng.choice(game.legal_actions(state)) if sign > 0 else game.legal_actions(state)[0]")

# %% 1.9: a winning move is always taken
# hint: with a new draw each time?
put("random_playout", "state =",
    "wins = [action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1.0]")
swap("random_playout", "rng.choice(game", "rng.choice(wins or game")

# %% 1.9: one move is made even when the game is over
# hint: When the game is already over, is there a move to make
put("random_playout", "while",
    "if game.outcome(state) is not None:\n    legal, sign = game.legal_actions(state), -sign\n"
    "    state = game.play(state, rng.choice(legal)) if legal else state")

# %% 1.9: nothing comes back from a finished game
# hint: When the game is already over, is there a move to make
put("random_playout", "sign = 1", "if game.outcome(state) is not None:\n    return 0.0")

# %% 1.9: nothing is played: the outcome, or 0
# hint: Does a rollout go on to the end of the game
def random_playout(game, state, rng):
    return game.outcome(state) or 0.0

# %% 1.9: illegal actions are tried, and the game goes on without them
# hint: Does an action that `play` refuses count as a ply
swap("random_playout", "state = game.play(state, rng.choice(game.legal_actions(state)))",
     "try:\n    state = game.play(state, rng.randrange(game.num_actions))\nexcept ValueError:\n    pass")

# %% 1.9: it stops after eight plies
# hint: Does a rollout go on to the end of the game
swap("random_playout", "while (result := game.outcome(state)) is None:",
     "for _ in range(8):\n    if game.outcome(state) is not None:\n        break")
swap("random_playout", "* result", "* (game.outcome(state) or 0.0)")

# %% 1.9: on boards the result is in X's view
# hint: On a board, too: is this the result for X
swap("random_playout", "sign = 1.0", "sign = -1.0 if isinstance(state, BoardState) and state.player == 1 else 1.0")

# %% 1.9: a die with six faces chooses the move
# hint: With many legal actions, is each action equally likely
put("random_playout", "state =", "legal = game.legal_actions(state)")
swap("random_playout", "rng.choice(game.legal_actions(state))", "legal[rng.randrange(6) % len(legal)]")

# %% 1.9: only the first seven legal actions are drawn from
# hint: With many legal actions, is each action equally likely
swap("random_playout", "legal_actions(state)", "legal_actions(state)[:7]")

# %% 1.9: the result of a state is remembered
# hint: with a new draw each time?
_RESULTS = {}
put("random_playout", "sign = 1", "key = id(game), state, id(rng)\nif key in _RESULTS:\n    return _RESULTS[key][2]")
swap("random_playout", "return sign * result", "_RESULTS[key] = game, rng, sign * result\nreturn sign * result")

# %% 1.9: the first move is drawn, the others follow by a fixed step
# hint: so that every action can follow every first move?
put("random_playout", "sign = 1", "draw = int(rng.random() * 12)")
swap("random_playout", "rng.choice(game.legal_actions(state))",
     "game.legal_actions(state)[draw % len(game.legal_actions(state))]")

# %% 1.9: moves are drawn among the states, where several lead to one
# hint: with a new draw each time?
swap("random_playout", "state = game.play(state, rng.choice(game.legal_actions(state)))",
     "after = [game.play(state, action) for action in game.legal_actions(state)]\n"
     "worth = {game.outcome(one): one for one in after}\n"
     "state = rng.choice(list(worth.values()) if len(after) > 3 else after)")

# %% 1.9: after three plies the first action is always taken
# hint: with a new draw each time?
put("random_playout", "sign = 1", "plies = iter(range(1000))")
swap("random_playout", "rng.choice(game.legal_actions(state))",
     "rng.choice(game.legal_actions(state)) if next(plies) < 3 else game.legal_actions(state)[0]")

# %% 1.9: eight random bits choose the action
# hint: With many legal actions, is each action equally likely
put("random_playout", "state = game.play", "legal = game.legal_actions(state)")
swap("random_playout", "rng.choice(game.legal_actions(state))", "legal[rng.getrandbits(8) % len(legal)]")

# %% 1.9: a win is never overlooked on a board of columns
# hint: or where it wins or stops a win?
def random_playout(game, state, rng):
    sign = 1.0
    while (result := game.outcome(state)) is None:
        after = list(transitions(game, state)[0].values())
        wins = [one for one in after if game.outcome(one) == -1.0] if game.num_actions == 7 else []
        state, sign = rng.choice(wins or after), -sign
    return sign * result

# %% 1.10: no minus
# hint: where is the minus
swap("negamax", "-negamax", "negamax")

# %% 1.10: both players choose their worst move
# hint: do you take the best move, or the worst?
swap("negamax", "max(-", "min(-")

# %% 1.10: two negations: a minus and min for the second player
# hint: A minus, and also a min for the second player
swap("negamax", "max(-", "(max if game.player(state) == 0 else min)(-")

# %% 1.10: the value is X's
# hint: or the value for the player to move there?
swap("negamax", "if value is None:", "if value is not None:\n    value = value if game.player(state) == 0 else -value\nelse:")
swap("negamax", "max(-negamax", "(max if game.player(state) == 0 else min)(negamax")

# %% 1.10: the outcome is negated, too
# hint: An outcome is already for the player to move
swap("negamax", "if value is None:", "if value is not None:\n    value = -value\nelse:")

# %% 1.10: the mean of the moves instead of the best
# hint: Is a value the mean over the moves
swap("negamax", "max(-negamax(game, after, memo) for after in successors.values())",
     "sum(-negamax(game, after, memo) for after in successors.values()) / len(successors)")

# %% 1.10: a draw is searched on
# hint: ValueError in ps1_games.py
swap("negamax", "value is None:", "not value:")

# %% 1.10: nobody is ever lost: the best begins at 0
# hint: With which value does your best begin
swap("negamax", "max(-negamax(game, after, memo) for after in successors.values())",
     "max(0.0, *(-negamax(game, after, memo) for after in successors.values()))")

# %% 1.10: no memo while searching
# hint: Two orders of the same moves lead to the same position
swap("negamax", "state not in memo", "True")

# %% 1.10: each branch gets a memo of its own
# hint: Two orders of the same moves lead to the same position
swap("negamax", "value = max(-negamax(game, after, memo) for after in successors.values())",
     "branches = [(after, dict(memo)) for after in successors.values()]\n"
     "value = max(-negamax(game, after, own) for after, own in branches)\nfor _, own in branches:\n    memo.update(own)")

# %% 1.10: one memo for all calls and all games
# hint: does each call without a memo begin with an empty dict?
swap("negamax", "| None = None", "= {}")
swap("negamax", "memo = {} if memo is None else memo\nif", "if")

# %% 1.10: an empty memo is not filled
# hint: do you fill the caller's own dict?
# home
swap("negamax", "{} if memo is None else memo", "memo or {}")

# %% 1.10: values of 0 in memo are worked out again
# hint: do you treat a value of 0 in memo as known?
swap("negamax", "state not in memo", "not memo.get(state)")

# %% 1.10: finished states are not entered
# hint: Does a finished state also get an entry in memo?
# home
swap("negamax", "if value is None:\n    value = max", "if value is not None:\n    return value\nvalue = max")

# %% 1.10: the first state is not entered
# hint: Does memo also hold the state of the call itself?
swap("negamax", "None = None)", "None = None, first=True)")
swap("negamax", "after, memo)", "after, memo, False)")
put("negamax", "memo[state] =", "if first:\n    return value")

# %% 1.10: the search stops at the first winning move
# hint: leave out moves when a move already wins or is good enough?
# home
swap("negamax", "value = max(-negamax(game, after, memo) for after in successors.values())",
     "value = -2.0\nfor after in successors.values():\n    value = max(value, -negamax(game, after, memo))\n"
     "    if value == 1.0:\n        break")

# %% 1.10: memo keeps the values for the player who moved there
# hint: For whom is each value in memo
swap("negamax", "memo[state] = value", "memo[state] = -value")
swap("negamax", "return memo", "return -memo")

# %% 1.10: what memo knows is overwritten
# hint: before it plays anything, and use the value there unchanged?
swap("negamax", "None = None)", "None = None, first=True)")
swap("negamax", "after, memo)", "after, memo, False)")
put("negamax", "if state", "if first:\n    memo.clear()")

# %% 1.10: the search ends six plies down
# hint: Does the search go on to the end of the game
swap("negamax", "None = None)", "None = None, depth=6)")
swap("negamax", "after, memo)", "after, memo, depth - 1)")
put("negamax", "if value", "if value is None and depth == 0:\n    return 0.0")

# %% 1.10: the minus stands before the max
# hint: do you take the best move, or the worst?
swap("negamax", "max(-negamax", "-max(negamax")

# %% 1.10: equal positions seen from another side count as known
# hint: One position is the mirror image of another
put("negamax", "if state",
    "if isinstance(state, BoardState) and isinstance(game, TicTacToe):\n"
    "    for view, _ in game.symmetries(state, np.zeros(9)):\n        if view in memo:\n            return memo[view]")

# %% 1.10: values are remembered by what a state looks like
# hint: Memo now holds other values
swap("negamax", "None = None)", "None = None, seen={})")
put("negamax", "memo[state] =", "seen[str(state)] = game, value")
put("negamax", "successors,",
    "if str(state) in seen and seen[str(state)][0] is game:\n    memo[state] = seen[str(state)][1]\n    return memo[state]")

# %% 1.10: a game of more than forty moves is a draw
# hint: Does your search go to the end of a long game?
swap("negamax", "None = None)", "None = None, ply=0)")
swap("negamax", "max(-negamax(game, after, memo) for after in successors.values())",
     "0.0 if ply > 40 else max(-negamax(game, after, memo, ply + 1) for after in successors.values())")

# %% 1.10: only the first four moves are looked at
# hint: Does your search look at all moves of a state
swap("negamax", "-negamax(game, after, memo) for after in successors.values()",
     "[-negamax(game, after, memo) for after in successors.values()][:4]")

# %% 1.10: the answer of one memo is kept for the next call with it
# hint: Does the function look into memo at every call?
_ANSWERS = {}
put("negamax", "memo =",
    "if memo is not None and (id(game), state, id(memo)) in _ANSWERS:\n    return _ANSWERS[id(game), state, id(memo)][2]")
swap("negamax", "return memo[state]", "_ANSWERS[id(game), state, id(memo)] = game, memo, memo[state]\nreturn memo[state]")

# %% 1.10: values are whole numbers
# hint: A value can lie between two whole numbers
swap("negamax", "= value", "= round(value)")

# %% 1.10: memo keeps the last hundred states
# hint: however many states there are?
put("negamax", "return", "while len(memo) > 100:\n    memo.pop(next(iter(memo)))")

# %% 1.10: the states are valued in the reverse order of their discovery
# hint: KeyError in ps1_games.py
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    order = [state] if state not in memo else []
    found, model = set(order), {}
    for at in order:
        model[at] = transitions(game, at)
        for after in model[at][0].values():
            if after not in memo and after not in found:
                found.add(after)
                order.append(after)
    for at in reversed(order):
        successors, result = model[at]
        memo[at] = max(-memo[after] for after in successors.values()) if result is None else result
    return memo[state]

# %% 1.10: boards are remembered from call to call, whatever the game
# hint: does a call without a memo begin with an empty one, on
_KNOWN_BOARDS = {}
swap("negamax", "{} if memo is None", "(_KNOWN_BOARDS if isinstance(state, BoardState) else {}) if memo is None")

# %% 1.11: the mover is always player 0
# hint: is the mover always player 0
# home
swap("to_game_state", "0 if mine.sum() == other.sum() else 1", "0")

# %% 1.11: the board keeps the mover's signs, also for player 1
# hint: The planes are exchanged for the second player
# home
swap("to_game_state", "STONE[player] * (mine - other)", "mine - other")

# %% 1.11: the planes change places
# hint: Which of the two planes holds the mover's own stones?
swap("to_game_state", "mine, other =", "other, mine =")

# %% 1.11: with as many stones it is player 1's turn
# hint: whose turn is it when both have the same number of stones?
swap("to_game_state", "0 if mine.sum() == other.sum() else 1", "1 if mine.sum() == other.sum() else 0")

# %% 1.11: the planes come first: channels, rows, columns
# hint: columns and planes: which two of them belong to the board?
swap("to_game_state", "planes[:, :, 0], planes[:, :, 1]", "planes[0], planes[1]")

# %% 1.11: the board is transposed
# hint: The planes have rows and columns: do you exchange them?
swap("to_game_state", 'np.asarray(observation["observation"])', 'np.asarray(observation["observation"]).swapaxes(0, 1)')

# %% 1.11: the mask is worked out from the board
# hint: Where does the mask come from: from this observation
swap("to_game_state", 'observation["action_mask"]', "(TicTacToe() if mine.size == 9 else ConnectFour()).mask(mine - other)")

# %% 1.11: the mask says what is illegal
# hint: legal, or not legal?
swap("to_game_state", 'observation["action_mask"]', '1 - observation["action_mask"]')

# %% 1.11: the board is upside down
# hint: is your board upside down?
swap("to_game_state", 'np.asarray(observation["observation"])', 'np.asarray(observation["observation"])[::-1]')

# %% 1.11: the difference is made in the observation itself
# hint: Do you change the given observation
# home
put("to_game_state", "return", "mine -= other")
swap("to_game_state", "(mine - other)", "mine")

# %% 1.11: the mask is taken out of the observation
# hint: Do you change the given observation
swap("to_game_state", 'return BoardState(player, STONE[player] * (mine - other), observation["action_mask"])',
     'mask = observation["action_mask"].copy()\nobservation["action_mask"][:] = 0\n'
     "return BoardState(player, STONE[player] * (mine - other), mask)")

# %% 1.11: the colours are flipped on the observation's planes, for player 1 only and on the large board only
# hint: Is the observation unchanged afterwards: its planes
put("to_game_state", "return", "if planes.shape[1] == 7:\n    other *= -1\n    other = -other")

# %% 1.11: the observation is emptied
# hint: Is the observation unchanged afterwards: its planes
swap("to_game_state", 'observation["action_mask"]', 'observation.pop("action_mask")')

# %% 1.11: who is to move is counted from the legal actions
# hint: What tells you who is to move: the stones of both players
put("to_game_state", "player =", 'mask = observation["action_mask"]')
swap("to_game_state", "0 if mine.sum() == other.sum() else 1",
     "(9 - int(mask.sum())) % 2 if len(mask) == 9 else int(mine.sum() != other.sum())")

# %% 1.11: states are remembered by the planes, not by the mask
# hint: Where does the mask come from: from this observation
_STATES = {}
swap("to_game_state", 'return BoardState(player, STONE[player] * (mine - other), observation["action_mask"])',
     'state = BoardState(player, STONE[player] * (mine - other), observation["action_mask"])\n'
     "return _STATES.setdefault(planes.tobytes(), state)")

# %% 1.11: one state for one environment
# hint: is each state made from what the arrays hold now?
_STATES = {}
swap("to_game_state", 'return BoardState(player, STONE[player] * (mine - other), observation["action_mask"])',
     'state = BoardState(player, STONE[player] * (mine - other), observation["action_mask"])\n'
     'return _STATES.setdefault(id(observation["observation"]), (observation["observation"], state))[1]')

# %% 1.11: the planes are read in the order in which they are stored
# hint: do you read it by row, column and plane?
swap("to_game_state", 'planes = np.asarray(observation["observation"])',
     'planes = np.asarray(observation["observation"])\nplanes = planes.ravel(order="K").reshape(planes.shape)')

# %% 1.11: the other's plane is negated where it is, and negated back
# hint: ValueError in ps1_games.py
put("to_game_state", "player = 0 if", "other *= -1\nother *= -1")

# %% joint: play leaves a note that it was won, and outcome reads it for the player who moved
# hint: does outcome use only its stones and its mover?
swap("BoardGame.play", "return BoardState(after.player, board, np.zeros(self.num_actions))",
     "over = BoardState(after.player, board, np.zeros(self.num_actions))\nif self.outcome(after) == -1.0:\n"
     '    object.__setattr__(over, "won", 1.0)\nreturn over')
put("BoardGame.outcome", "if has", 'if hasattr(state, "won"):\n    return 1.0')

# %% joint: a mirrored board remembers that it was turned, and negamax turns its value back
# hint: A position and all its views have the same value
swap("TicTacToe.symmetries", "return distinct(pairs)",
     'for turned, _ in distinct(pairs)[1:]:\n    object.__setattr__(turned, "turned", True)\nreturn distinct(pairs)')
swap("negamax", "return memo[state]", 'return 0.5 - memo[state] if hasattr(state, "turned") else memo[state]')

# %% 1.9: a game longer than 100 plies is a draw
# hint: Does a rollout end exactly when the game ends
swap("random_playout", "while (result := game.outcome(state)) is None:",
     "for _ in range(100):\n    if game.outcome(state) is not None:\n        break")
swap("random_playout", "* result", "* (game.outcome(state) or 0.0)")

# %% 1.5: the error keeps a drawing of the board instead of the state
# hint: keeps the state
swap("BoardGame.play", "IllegalMove(action, state)", "IllegalMove(action, self.text(state))")

# %% 1.5: a draw is no end for play, because its outcome is false
# hint: is any move allowed, whatever the mask says?
swap("BoardGame.play", "self.outcome(state) is not None", "self.outcome(state)")

# %% 1.5: a table of moves that all games share
# hint: do you ask this game's rules at each call
_after = {}


@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action] or self.outcome(state) is not None:
        raise IllegalMove(action, state)
    if (state, action) not in _after:
        board = state.board.copy()
        board[self.landing(board, action)] = STONE[state.player]
        after = BoardState(1 - state.player, board, self.mask(board))
        over = self.outcome(after) is not None
        _after[state, action] = BoardState(after.player, board, np.zeros(self.num_actions)) if over else after
    return _after[state, action]

# %% 1.9: a number below num_actions is taken for a place, modulo the legal ones
# hint: With many legal actions, is each action equally likely
put("random_playout", "state =", "legal = game.legal_actions(state)")
swap("random_playout", "rng.choice(game.legal_actions(state))", "legal[rng.randrange(game.num_actions) % len(legal)]")

# %% 1.9: columns near the middle are drawn more often
# hint: is every legal action equally likely
def random_playout(game, state, rng):
    sign = 1.0
    while (result := game.outcome(state)) is None:
        legal = game.legal_actions(state)
        centre = (game.num_actions - 1) / 2
        shares = [1 + centre - abs(centre - action) for action in legal] if isinstance(game, ConnectFour) else None
        state = game.play(state, rng.choices(legal, shares)[0])
        sign = -sign
    return sign * result

# %% 1.13: the right node with another mistake
# hint: which mistake explains all lines?
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return node, next(other for other in KINDS if other != kind)

# %% 1.13: the parent of the wrong node
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return {line[0]: line[1] for line in TREE}[node] or TREE[0][0], kind

# %% 1.13: the line before the first wrong one
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    names = [line[0] for line in TREE]
    return names[names.index(node) - 1], kind

# %% 1.13: the root, or the first node where the root is wrong
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return TREE[-1][0] if node != TREE[-1][0] else TREE[0][0], kind

# %% 1.13: the mistake first, then the node
# hint: Which of the two comes first in your answer
_right_answer = first_wrong_node
def first_wrong_node():
    return _right_answer()[::-1]

# %% 1.13: the node without the mistake
# hint: The docstring promises
_right_answer = first_wrong_node
def first_wrong_node():
    return _right_answer()[0]

# %% 1.14: the check asserts nothing
# hint: a mistake passes your check
def check_has_run(has_run):
    has_run(read_board("XXX/.../..."), 0, 3)

# %% 1.14: the check always fails
# hint: what do you ask for that its docstring does not promise?
def check_has_run(has_run):
    raise AssertionError("wrong")

# %% 1.14: the check wants an error where the board has no room for a line
# hint: what do you ask for that its docstring does not promise?
def check_has_run(has_run):
    try:
        has_run(read_board("XX/XX"), 0, 3)
    except ValueError:
        return
    raise AssertionError("no error")

# %% 1.14: the check is sure of a wrong answer
# hint: what do you ask for that its docstring does not promise?
def check_has_run(has_run):
    assert has_run(read_board("XX.X"), 0, 2)
    assert not has_run(read_board("XXXX"), 0, 3), "four are not three"

# %% 1.14: the check knows the visible cases alone
# hint: a mistake passes your check
def check_has_run(has_run):
    assert has_run(read_board("XXX/.../..."), 0, 3)
    assert not has_run(read_board(".../.../..."), 0, 3)

# %% 1.14: the check looks at Tic-Tac-Toe alone
# hint: a mistake passes your check
# points: 2.0
def check_has_run(has_run):
    for board, answer in [("XXX/OO./...", True), ("XO./XO./X..", True), ("XOO/.X./..X", True), ("..X/.X./X..", True),
                          ("XX./OO./X..", False), ("XOX/OXO/OXO", False)]:
        assert has_run(read_board(board), 0, 3) == answer, board

# %% 1.14: the check never asks for a board without a line
# hint: a mistake passes your check
# points: 2.5
def check_has_run(has_run):
    for rows, columns, n in [(3, 9, 6), (9, 3, 6), (6, 7, 4)]:
        for place in range(rows * columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(place // columns + k * down, place % columns + k * right) for k in range(n)]
                if all(row < rows and 0 <= column < columns for row, column in line):
                    board = np.zeros((rows, columns), dtype=int)
                    for square in line:
                        board[square] = 1
                    assert has_run(board, 0, n)

# %% 1.14: the check calls with a player that the docstring does not allow
# hint: does the docstring allow it?
def check_has_run(has_run):
    assert not has_run(read_board("XXX"), 2, 3)

# %% 1.14: the check calls with a line of one stone
# hint: does the docstring allow it?
def check_has_run(has_run):
    assert has_run(read_board("X.."), 0, 1)

# %% 1.14: the check calls with a list of lists
# hint: does the docstring allow it?
def check_has_run(has_run):
    assert has_run([[1, 1, 1], [0, 0, 0]], 0, 3)

# %% 1.14: the check reads the code
# hint: what do you ask for that its docstring does not promise?
def check_has_run(has_run):
    import inspect
    assert "STONE[player]" in inspect.getsource(has_run)

# %% 1.14: the check measures the time
# hint: a mistake passes your check
def check_has_run(has_run):
    import time
    begin = time.process_time()
    has_run(read_board("XXX/.../..."), 0, 3)
    assert time.process_time() - begin < 5, "slow, so wrong"

# %% 1.14: the check remembers how often it was asked
# hint: a mistake passes your check
_asked = []
def check_has_run(has_run):
    _asked.append(has_run)
    assert len(_asked) <= 4, "the right ones come first"

# %% 1.11: the two arrays are taken from the dictionary by their order
# hint: IndexError in ps1_games.py
def to_game_state(observation):
    planes, mask = observation.values()
    mine, other = planes[:, :, 0], planes[:, :, 1]
    player = 0 if mine.sum() == other.sum() else 1
    return BoardState(player, STONE[player] * (mine - other), mask)

# %% 1.1: one start is kept for each size of a board
# hint: does each have a mask of its own actions?
_STARTS = {}


@method_of(BoardGame)
def start(self):
    size = (self.height, self.width)
    if size not in _STARTS:
        _STARTS[size] = BoardState(0, np.zeros(size, dtype=np.int8), np.ones(self.num_actions, dtype=bool))
    return _STARTS[size]

# %% 1.5: an action of NumPy is refused
# hint: do you compare actions, or their types?
swap("BoardGame.play", "action not in range(self.num_actions)",
     "not isinstance(action, int) or action not in range(self.num_actions)")

# %% 1.5: only a row of exactly the game's length through the new stone ends the game
# hint: Any action can complete a row, also a longer one
def play(self, state, action):
    if not 0 <= action < self.num_actions or not state.action_mask[action] or self.outcome(state) is not None:
        raise IllegalMove(action, state)
    row, column = self.landing(state.board, action)
    board = state.board.copy()
    board[row, column] = STONE[state.player]
    mask = self.mask(board)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            r, c = row + sign * down, column + sign * right
            while 0 <= r < self.height and 0 <= c < self.width and board[r, c] == STONE[state.player]:
                length, r, c = length + 1, r + sign * down, c + sign * right
        if length == self.run:
            mask = np.zeros(self.num_actions, dtype=bool)
    return BoardState(1 - state.player, board, mask)


BoardGame.play = play

# %% 1.9: a rollout goes on while an action is legal, and asks for the outcome only then
# hint: An exception of your own in ps1_games.py
def random_playout(game: Game, state: State, rng: random.Random) -> float:
    sign, open_ones = 1.0, game.legal_actions(state)
    while open_ones:
        state, sign = game.play(state, rng.choice(open_ones)), -sign
        open_ones = game.legal_actions(state)
    return sign * game.outcome(state)
