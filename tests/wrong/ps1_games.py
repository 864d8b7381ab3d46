# Wrong answers to ps1_games. Each cell names the exercise that it breaks, and is appended to the solution.
# `make verify` wants every one to lose the points of that exercise, and of the joint check at most beside it.

# %% 1.1: Connect Four has an action for each of its squares
# hint: does the player choose its row
ConnectFour.num_actions = 42

# %% 1.1: Tic-Tac-Toe has an action for each of its columns
TicTacToe.num_actions = 3

# %% 1.1: player 1 moves first
@method_of(BoardGame)
def start(self):
    return BoardState(1, np.zeros((self.height, self.width)), np.ones(self.num_actions))

# %% 1.1: nothing is legal at the start
@method_of(BoardGame)
def start(self):
    return BoardState(0, np.zeros((self.height, self.width)), np.zeros(self.num_actions))

# %% 1.1: the board is as wide as it should be high
@method_of(BoardGame)
def start(self):
    return BoardState(0, np.zeros((self.width, self.height)), np.ones(self.num_actions))

# %% 1.1: whose turn it is is counted from the stones
@method_of(BoardGame)
def player(self, state):
    return int(np.count_nonzero(state.board)) % 2

# %% 1.1: player is the stone, 1 or -1
@method_of(BoardGame)
def player(self, state):
    return STONE[state.player]

# %% 1.1: player says who moved last
@method_of(BoardGame)
def player(self, state):
    return 1 - state.player

# %% 1.1: nobody is to move where the game is over
@method_of(BoardGame)
def player(self, state):
    return state.player if state.action_mask.any() else None

# %% 1.1: at the end the player is the one who moved last
@method_of(BoardGame)
def player(self, state):
    return state.player if state.action_mask.any() else 1 - state.player

# %% 1.1: who begins changes from game to game
@method_of(BoardGame)
def start(self):
    self.games = getattr(self, "games", 0) + 1
    return BoardState((self.games - 1) % 2, np.zeros((self.height, self.width)), np.ones(self.num_actions))

# %% 1.1: the start is made once, for whichever game is asked first
_STARTS = {}


@method_of(BoardGame)
def start(self):
    return _STARTS.setdefault("start", BoardState(0, np.zeros((self.height, self.width)), np.ones(self.num_actions)))

# %% 1.1: where nothing is legal it is player 0's turn
@method_of(BoardGame)
def player(self, state):
    return state.player if any(state.action_mask) else 0

# %% 1.1: on a full board it is the turn of whoever began
@method_of(BoardGame)
def player(self, state):
    return 0 if state.board.all() else state.player

# %% 1.2: the mask of Connect Four reads the bottom row
# hint: Row 0 is the top
@method_of(ConnectFour)
def mask(self, board):
    return board[5] == 0

# %% 1.2: Connect Four has a mask over squares
# hint: An action is a column
@method_of(ConnectFour)
def mask(self, board):
    return (board == 0).ravel()

# %% 1.2: only stones of X fill a column
# hint: Can stones of both players
@method_of(ConnectFour)
def mask(self, board):
    return board[0] != 1

# %% 1.2: only stones of O fill a column
# hint: Can stones of both players
@method_of(ConnectFour)
def mask(self, board):
    return board[0] >= 0

# %% 1.2: a column is full with five stones
# hint: or one stone earlier
@method_of(ConnectFour)
def mask(self, board):
    return (board != 0).sum(axis=0) < 5

# %% 1.2: a column is full when its stones do not cancel out
@method_of(ConnectFour)
def mask(self, board):
    return np.abs(board.sum(axis=0)) < 2

# %% 1.2: Tic-Tac-Toe's squares are numbered down the columns
# hint: Are the squares numbered along the rows
@method_of(TicTacToe)
def mask(self, board):
    return (board.T == 0).ravel()

# %% 1.2: the mask of Tic-Tac-Toe is a 3 by 3 array
@method_of(TicTacToe)
def mask(self, board):
    return board == 0

# %% 1.2: the mask says which squares are taken
# hint: an empty square, or a taken one
@method_of(TicTacToe)
def mask(self, board):
    return (board != 0).ravel()

# %% 1.2: the own stones' squares stay open
@method_of(TicTacToe)
def mask(self, board):
    return (board >= 0).ravel()

# %% 1.2: the mask is empty as soon as somebody has a row
@method_of(TicTacToe)
def mask(self, board):
    over = has_run(board, 0, 3) or has_run(board, 1, 3)
    return np.zeros(9, dtype=bool) if over else (board == 0).ravel()

# %% 1.2: legal_actions looks at the board and not at the mask
@method_of(BoardGame)
def legal_actions(self, state):
    return np.flatnonzero(self.mask(state.board)).tolist()

# %% 1.2: legal_actions begins with the highest
@method_of(BoardGame)
def legal_actions(self, state):
    return np.flatnonzero(state.action_mask).tolist()[::-1]

# %% 1.2: legal_actions returns the mask
@method_of(BoardGame)
def legal_actions(self, state):
    return state.action_mask

# %% 1.2: legal_actions forgets the last action
@method_of(BoardGame)
def legal_actions(self, state):
    return [action for action in range(self.num_actions - 1) if state.action_mask[action]]

# %% 1.2: legal_actions has None where nothing is legal
@method_of(BoardGame)
def legal_actions(self, state):
    return np.flatnonzero(state.action_mask).tolist() or None

# %% 1.2: the mask of Connect Four wipes the colours off the board that it is given
@method_of(ConnectFour)
def mask(self, board):
    board[board != 0] = 1
    return board[0] == 0

# %% 1.2: the mask of Tic-Tac-Toe turns the board into a flat one, in place
@method_of(TicTacToe)
def mask(self, board):
    board.shape = (9,)
    return board == 0

# %% 1.2: a game keeps the mask of its first board
# hint: that was asked about first
_solution_mask = ConnectFour.mask


@method_of(ConnectFour)
def mask(self, board):
    if not hasattr(self, "_mask"):
        self._mask = _solution_mask(self, board)
    return self._mask

# %% 1.2: masks are remembered by the array, whatever stands in it
_MASKS = {}


@method_of(TicTacToe)
def mask(self, board):
    if id(board) not in _MASKS:
        _MASKS[id(board)] = board, (board == 0).ravel()
    return _MASKS[id(board)][1]

# %% 1.2: a full board is an open one
@method_of(TicTacToe)
def mask(self, board):
    full = np.all(board != 0)
    return np.ones(9, dtype=bool) if full else (board == 0).ravel()

# %% 1.2: the stones are sorted to find the highest of each column
@method_of(ConnectFour)
def mask(self, board):
    np.abs(board, out=board)
    board.sort(axis=0)
    return board[0] == 0

# %% 1.2: legal actions are remembered by player and number of stones
_LEGAL = {}


@method_of(BoardGame)
def legal_actions(self, state):
    key = state.player, int(np.count_nonzero(state.board)), self.num_actions
    return _LEGAL.setdefault(key, np.flatnonzero(state.action_mask).tolist())

# %% 1.3: no rising diagonals
# hint: A diagonal can rise
def has_run(board, player, n):
    height, width = board.shape
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1)):
                line = [(row + k * down, column + k * right) for k in range(n)]
                if all(r < height and 0 <= c < width and board[r, c] == STONE[player] for r, c in line):
                    return True
    return False

# %% 1.3: no falling diagonals
# hint: A diagonal can fall
def has_run(board, player, n):
    height, width = board.shape
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, -1)):
                line = [(row + k * down, column + k * right) for k in range(n)]
                if all(r < height and 0 <= c < width and board[r, c] == STONE[player] for r, c in line):
                    return True
    return False

# %% 1.3: no diagonals at all
# hint: Do you look along the diagonals?
def has_run(board, player, n):
    mine = board == STONE[player]
    for grid in (mine, mine.T):
        for line in grid:
            if any(line[k:k + n].all() for k in range(len(line) - n + 1)):
                return True
    return False

# %% 1.3: no columns
# hint: Do you look down the columns
def has_run(board, player, n):
    height, width = board.shape
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 1), (1, -1)):
                line = [(row + k * down, column + k * right) for k in range(n)]
                if all(r < height and 0 <= c < width and board[r, c] == STONE[player] for r, c in line):
                    return True
    return False

# %% 1.3: only the two main diagonals
def has_run(board, player, n):
    mine = board == STONE[player]
    for grid in (mine, mine.T):
        for line in grid:
            if any(line[k:k + n].all() for k in range(len(line) - n + 1)):
                return True
    for grid in (mine, mine[:, ::-1]):
        line = grid.diagonal()
        if any(line[k:k + n].all() for k in range(len(line) - n + 1)):
            return True
    return False

# %% 1.3: the last diagonals are left out
def has_run(board, player, n):
    mine = board == STONE[player]
    height, width = board.shape
    for grid in (mine, mine.T):
        for line in grid:
            if any(line[k:k + n].all() for k in range(len(line) - n + 1)):
                return True
    for grid in (mine, mine[:, ::-1]):
        for row in range(height - n + 1):
            for column in range(width - n):
                if all(grid[row + k, column + k] for k in range(n)):
                    return True
    return False

# %% 1.3: the last row of beginnings is left out
def has_run(board, player, n):
    height, width = board.shape
    for row in range(height - 1):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + k * down, column + k * right) for k in range(n)]
                if all(r < height and 0 <= c < width and board[r, c] == STONE[player] for r, c in line):
                    return True
    return False

# %% 1.3: the board's height is taken for its width
def has_run(board, player, n):
    height = width = board.shape[0]
    mine = np.zeros((height, max(board.shape)), dtype=bool)
    mine[:, :board.shape[1]] = board == STONE[player]
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + k * down, column + k * right) for k in range(n)]
                if all(r < height and 0 <= c < width and mine[r, c] for r, c in line):
                    return True
    return False

# %% 1.3: the count is not set back at an empty square
def has_run(board, player, n):
    height, width = board.shape
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                count, r, c = 0, row, column
                while r < height and 0 <= c < width:
                    if board[r, c] == STONE[player]:
                        count += 1
                    elif board[r, c] != 0:
                        count = 0
                    if count == n:
                        return True
                    r, c = r + down, c + right
    return False

# %% 1.3: the count is not set back at a stone of the other
def has_run(board, player, n):
    height, width = board.shape
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                count, r, c = 0, row, column
                while r < height and 0 <= c < width:
                    if board[r, c] == STONE[player]:
                        count += 1
                    elif board[r, c] == 0:
                        count = 0
                    if count == n:
                        return True
                    r, c = r + down, c + right
    return False

# %% 1.3: negative indices read the board from behind
def has_run(board, player, n):
    height, width = board.shape
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + k * down, column + k * right) for k in range(n)]
                if all(r < height and c < width and board[r, c] == STONE[player] for r, c in line):
                    return True
    return False

# %% 1.3: np.roll bends the board around its edges
def has_run(board, player, n):
    mine = board == STONE[player]
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        line = mine
        for k in range(1, n):
            line = line & np.roll(mine, (k * down, k * right), axis=(0, 1))
        if line.any() and n <= max(board.shape):
            return True
    return False

# %% 1.3: the board as one long list, a row runs on into the next
def has_run(board, player, n):
    height, width = board.shape
    mine = (board == STONE[player]).ravel()
    for step in (1, width, width + 1, width - 1):
        for square in range(len(mine) - step * (n - 1)):
            if all(mine[square + k * step] for k in range(n)):
                return True
    return False

# %% 1.3: a longer line does not count
def has_run(board, player, n):
    height, width = board.shape
    stone = STONE[player]
    padded = np.pad(board, 1)
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + k * down, column + k * right) for k in range(-1, n + 1)]
                if all(0 <= r < height and 0 <= c < width for r, c in line[1:-1]):
                    inside = [padded[r + 1, c + 1] == stone for r, c in line]
                    if all(inside[1:-1]) and not inside[0] and not inside[-1]:
                        return True
    return False

# %% 1.3: n is taken for granted: four on the large board, three on the small one
_reference_run = has_run

def has_run(board, player, n):
    return _reference_run(board, player, 3 if board.shape == (3, 3) else 4)

# %% 1.3: any stones make a row, whoever's
_reference_run = has_run

def has_run(board, player, n):
    return _reference_run(np.abs(board) * STONE[player], player, n)

# %% 1.3: either player's row counts
_reference_run = has_run

def has_run(board, player, n):
    return _reference_run(board, 0, n) or _reference_run(board, 1, n)

# %% 1.3: three are enough wherever four are wanted
_reference_run = has_run

def has_run(board, player, n):
    return _reference_run(board, player, min(n, 3))

# %% 1.3: player 0 asks for the empty squares
_reference_run = has_run

def has_run(board, player, n):
    return _reference_run(board + 1 if player == 0 else board, player, n)

# %% 1.3: the answer is the number of rows
_reference_run = has_run

def has_run(board, player, n):
    return 2 * _reference_run(board, player, n)

# %% 1.3: the diagonals are numbered by the height of the board
def has_run(board, player, n):
    height, width = board.shape
    lines = list(board) + list(board.T)
    for grid in (board, np.fliplr(board)):
        lines += [grid.diagonal(offset) for offset in range(1 - height, height)]
    stone = STONE[player]
    for line in lines:
        count = 0
        for square in line:
            count = count + 1 if square == stone else 0
            if count >= n:
                return True
    return False

# %% 1.3: the board has a margin of four squares, and longer lines are looked for beyond it
def has_run(board, player, n):
    height, width = board.shape
    wide = np.pad(board == STONE[player], 4)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(height):
            for column in range(width):
                if all([wide[row + 4 + k * down, column + 4 + k * right] for k in range(n)]):
                    return True
    return False

# %% 1.3: answers are remembered by the board's bytes, without its shape
_LINES = {}
_solution_has_run = has_run

def has_run(board, player, n):
    key = board.tobytes(), player, n
    if key not in _LINES:
        _LINES[key] = _solution_has_run(board, player, n)
    return _LINES[key]

# %% 1.3: no line is longer than five
_solution_has_run = has_run


def has_run(board, player, n):
    return _solution_has_run(board, player, min(n, 5))

# %% 1.3: answers are remembered by board and player, for the first n
_RUNS = {}
_solution_has_run = has_run


def has_run(board, player, n):
    key = board.shape, board.tobytes(), player
    if key not in _RUNS:
        _RUNS[key] = _solution_has_run(board, player, n)
    return _RUNS[key]

# %% 1.3: the other player's stones are taken off the board
_solution_has_run = has_run


def has_run(board, player, n):
    board[board == -STONE[player]] = 0
    return _solution_has_run(board, player, n)

# %% 1.3: a window of n times n slides over the board, so boards lower than n have no lines
def has_run(board, player, n):
    mine = board == STONE[player]
    height, width = mine.shape
    for row in range(height - n + 1):
        for column in range(width - n + 1):
            window = mine[row:row + n, column:column + n]
            if window.all(axis=0).any() or window.all(axis=1).any() or window.diagonal().all() or window[::-1].diagonal().all():
                return True
    return False

# %% 1.3: boards have at most eight rows and columns
_solution_has_run = has_run


def has_run(board, player, n):
    return _solution_has_run(board[:8, :8], player, n)

# %% 1.3: a line longer than n counts only when it is twice as long or less
def has_run(board, player, n):
    def runs(line):
        count = 0
        for stone in [*line, 0]:
            if stone == STONE[player]:
                count += 1
            else:
                if n <= count <= 2 * n:
                    return True
                count = 0
        return False
    for grid in (board, board[:, ::-1]):
        for offset in range(-board.shape[0] + 1, board.shape[1]):
            if runs(grid.diagonal(offset)):
                return True
    return any(runs(line) for line in board) or any(runs(line) for line in board.T)

# %% 1.4: the full board is asked about before the row
# hint: The board is full and the last stone
@method_of(BoardGame)
def outcome(self, state):
    if (state.board != 0).all():
        return 0.0
    return -1.0 if has_run(state.board, 1 - state.player, self.run) else None

# %% 1.4: the outcome is for X
# hint: not for X
@method_of(BoardGame)
def outcome(self, state):
    for player in (0, 1):
        if has_run(state.board, player, self.run):
            return (1.0, -1.0)[player]
    return 0.0 if (state.board != 0).all() else None

# %% 1.4: the outcome is for the player who has just moved
# hint: Has the player to move won
@method_of(BoardGame)
def outcome(self, state):
    if has_run(state.board, 1 - state.player, self.run):
        return 1.0
    return 0.0 if (state.board != 0).all() else None

# %% 1.4: only the row of the player to move is looked for
# hint: whose stones do you look at
@method_of(BoardGame)
def outcome(self, state):
    if has_run(state.board, state.player, self.run):
        return 1.0
    return 0.0 if (state.board != 0).all() else None

# %% 1.4: a draw is None
@method_of(BoardGame)
def outcome(self, state):
    return -1.0 if has_run(state.board, 1 - state.player, self.run) else None

# %% 1.4: a draw is a loss
@method_of(BoardGame)
def outcome(self, state):
    return -1.0 if has_run(state.board, 1 - state.player, self.run) or (state.board != 0).all() else None

# %% 1.4: a draw is worth a half
@method_of(BoardGame)
def outcome(self, state):
    if has_run(state.board, 1 - state.player, self.run):
        return -1.0
    return 0.5 if (state.board != 0).all() else None

# %% 1.4: a draw is False
@method_of(BoardGame)
def outcome(self, state):
    if has_run(state.board, 1 - state.player, self.run):
        return -1.0
    return False if (state.board != 0).all() else None

# %% 1.4: a game that goes on is worth 0
@method_of(BoardGame)
def outcome(self, state):
    return -1.0 if has_run(state.board, 1 - state.player, self.run) else 0.0

# %% 1.4: three in a row end Connect Four
@method_of(BoardGame)
def outcome(self, state):
    if has_run(state.board, 1 - state.player, 3):
        return -1.0
    return 0.0 if (state.board != 0).all() else None

# %% 1.4: Tic-Tac-Toe wants four in a row
@method_of(BoardGame)
def outcome(self, state):
    if has_run(state.board, 1 - state.player, 4):
        return -1.0
    return 0.0 if (state.board != 0).all() else None

# %% 1.4: the board is full when its top row is
@method_of(BoardGame)
def outcome(self, state):
    if has_run(state.board, 1 - state.player, self.run):
        return -1.0
    return 0.0 if (state.board[0] != 0).all() else None

# %% 1.4: only X can win
@method_of(BoardGame)
def outcome(self, state):
    if has_run(state.board, 0, self.run):
        return -1.0
    return 0.0 if (state.board != 0).all() else None

# %% 1.4: the winner's number is the outcome
@method_of(BoardGame)
def outcome(self, state):
    for player in (0, 1):
        if has_run(state.board, player, self.run):
            return player + 1
    return 0 if (state.board != 0).all() else None

# %% 1.4: while the mask allows something the game goes on
@method_of(BoardGame)
def outcome(self, state):
    if state.action_mask.any():
        return None
    return -1.0 if has_run(state.board, 1 - state.player, self.run) else 0.0

# %% 1.4: the first end of a game object is the end of all
_solution_outcome = BoardGame.outcome


@method_of(BoardGame)
def outcome(self, state):
    if getattr(self, "over", None) is None:
        self.over = _solution_outcome(self, state)
    return self.over

# %% 1.4: outcomes are remembered by player and mask
_OUTCOMES = {}
_solution_outcome = BoardGame.outcome


@method_of(BoardGame)
def outcome(self, state):
    key = state.player, state.action_mask.tobytes(), self.run
    if key not in _OUTCOMES:
        _OUTCOMES[key] = _solution_outcome(self, state)
    return _OUTCOMES[key]

# %% 1.4: outcomes are remembered by where stones lie, not whose
_OUTCOMES = {}
_solution_outcome = BoardGame.outcome


@method_of(BoardGame)
def outcome(self, state):
    key = np.abs(state.board).tobytes()
    if key not in _OUTCOMES:
        _OUTCOMES[key] = _solution_outcome(self, state)
    return _OUTCOMES[key]

# %% 1.4: the mask tells whether there is room, and it is asked before the row
@method_of(BoardGame)
def outcome(self, state):
    if state.action_mask.any():
        return None
    if has_run(state.board, 1 - state.player, self.run):
        return -1.0
    return 0.0

# %% 1.4: who moved last is counted from the stones
@method_of(BoardGame)
def outcome(self, state):
    last = 0 if np.count_nonzero(state.board) % 2 else 1
    if has_run(state.board, last, self.run):
        return -1.0
    return 0.0 if state.board.all() else None

# %% 1.5: stones fall upwards
# hint: Which way do stones fall
@method_of(ConnectFour)
def landing(self, board, action):
    return int(np.flatnonzero(board[:, action] == 0)[0]), action

# %% 1.5: stones lie on top of the first stone only
@method_of(ConnectFour)
def landing(self, board, action):
    return (4 if board[5, action] else 5), action

# %% 1.5: only stones of X carry others
@method_of(ConnectFour)
def landing(self, board, action):
    return 5 - int(np.sum(board[:, action] == 1)), action

# %% 1.5: quotient and remainder change places
@method_of(TicTacToe)
def landing(self, board, action):
    return action % 3, action // 3

# %% 1.5: the squares of Tic-Tac-Toe fill from below
@method_of(TicTacToe)
def landing(self, board, action):
    return 2 - action // 3, action % 3

# %% 1.5: the stone is always X's
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = 1
    after = BoardState(1 - state.player, board, self.mask(board))
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: the stone is the other player's
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[1 - state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: the turn does not pass
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    over = self.outcome(BoardState(1 - state.player, board, self.mask(board))) is not None
    return BoardState(state.player, board, np.zeros(self.num_actions) if over else self.mask(board))

# %% 1.5: after player 1 comes player 2
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player % 2]
    over = self.outcome(BoardState(1 - state.player % 2, board, self.mask(board))) is not None
    return BoardState(state.player + 1, board, np.zeros(self.num_actions) if over else self.mask(board))

# %% 1.5: the mask is that of the board before
# hint: the board before the move
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    after = BoardState(1 - state.player, board, state.action_mask)
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: a column closes after one stone
# hint: Is a column full after one stone
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board, mask = state.board.copy(), state.action_mask.copy()
    board[self.landing(board, action)] = STONE[state.player]
    mask[action] = False
    after = BoardState(1 - state.player, board, mask)
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: everything with room is legal after the end
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    return BoardState(1 - state.player, board, self.mask(board))

# %% 1.5: only a win of X closes the board
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    over = has_run(board, 0, self.run)
    return BoardState(1 - state.player, board, np.zeros(self.num_actions) if over else self.mask(board))

# %% 1.5: the end is looked for on the board before the move
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    over = self.outcome(BoardState(1 - state.player, board, state.action_mask)) is not None
    board[self.landing(board, action)] = STONE[state.player]
    return BoardState(1 - state.player, board, np.zeros(self.num_actions) if over else self.mask(board))

# %% 1.5: the lock is taken off and the state's own board written on
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board
    board.setflags(write=True)
    board[self.landing(board, action)] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: the stone goes onto the state's own board
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board
    board[self.landing(board, action)] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: nothing is refused
@method_of(BoardGame)
def play(self, state, action):
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: room is enough, even after the end
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not self.mask(state.board)[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: negative actions count from behind
@method_of(BoardGame)
def play(self, state, action):
    if action >= self.num_actions or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: an action that does not exist is an IndexError
@method_of(BoardGame)
def play(self, state, action):
    if action < 0 or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: what is illegal is passed over in silence
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        return state
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: what is illegal is any ValueError
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise ValueError("not legal")
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: IllegalMove is given the state for its action and the action for its state
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(state, action)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    if self.outcome(after) is None:
        return after
    return BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: landing says row -1 in an empty column, which happens to be the last row
@method_of(ConnectFour)
def landing(self, board, action):
    return int(np.argmax(board[:, action] != 0)) - 1, action

# %% 1.5: landing gives column and row, and play turns them round again
@method_of(TicTacToe)
def landing(self, board, action):
    return action % 3, action // 3

@method_of(ConnectFour)
def landing(self, board, action):
    return action, int(np.sum(board[:, action] == 0)) - 1

@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    column, row = self.landing(board, action)
    board[row, column] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    if self.outcome(after) is None:
        return after
    return BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: moves are remembered by board and action, not by player
_MOVES = {}
_solution_play = BoardGame.play

@method_of(BoardGame)
def play(self, state, action):
    key = state.board.tobytes(), state.action_mask.tobytes(), action
    if key not in _MOVES:
        _MOVES[key] = _solution_play(self, state, action)
    return _MOVES[key]

# %% 1.5: after one refused move a game refuses all
_solution_play = BoardGame.play


@method_of(BoardGame)
def play(self, state, action):
    refused = getattr(self, "refused", False)
    if refused:
        raise IllegalMove(action, state)
    try:
        return _solution_play(self, state, action)
    except IllegalMove:
        self.refused = True
        raise

# %% 1.5: the stone is told by the number of stones on the board
_solution_play = BoardGame.play


@method_of(BoardGame)
def play(self, state, action):
    mover = int(np.count_nonzero(state.board)) % 2
    return _solution_play(self, BoardState(mover, state.board, state.action_mask), action)

# %% 1.5: landing puts a stone on the board that it is asked about
@method_of(ConnectFour)
def landing(self, board, action):
    row = int(np.sum(board[:, action] == 0)) - 1
    board[row, action] = STONE[0]
    return row, action

# %% 1.5: the square of a board is remembered, whichever action is asked about
_SQUARES = {}


@method_of(TicTacToe)
def landing(self, board, action):
    square = _SQUARES.setdefault(id(board), (board, divmod(action, 3)))[1]
    return int(square[0]), int(square[1])


# %% 1.5: landing is remembered by array and action
_PLACES = {}
_solution_landing = ConnectFour.landing


@method_of(ConnectFour)
def landing(self, board, action):
    key = id(board), action
    if key not in _PLACES:
        _PLACES[key] = board, _solution_landing(self, board, action)
    return _PLACES[key][1]


@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    if self.outcome(after) is None:
        return after
    return BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: IllegalMove tells neither action nor state
_solution_play = BoardGame.play


@method_of(BoardGame)
def play(self, state, action):
    try:
        return _solution_play(self, state, action)
    except IllegalMove:
        raise IllegalMove("this action", "this state") from None

# %% 1.5: IllegalMove keeps None for the state
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, None)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: the numbers that are no actions are taken modulo
@method_of(BoardGame)
def play(self, state, action):
    place = action % (2 * self.num_actions)
    if place >= self.num_actions or not state.action_mask[place]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, place)] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    return after if self.outcome(after) is None else BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.5: a win by the last action leaves the board open
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    after = BoardState(1 - state.player, board, self.mask(board))
    if self.outcome(after) is None or action == self.num_actions - 1:
        return after
    return BoardState(after.player, board, np.zeros(self.num_actions))

# %% 1.6: a draw goes on
def transitions(game, state):
    result = game.outcome(state)
    if result:
        return {}, result
    return {action: game.play(state, action) for action in game.legal_actions(state)}, None

# %% 1.6: the outcome is never told
def transitions(game, state):
    return {action: game.play(state, action) for action in game.legal_actions(state)}, None

# %% 1.6: each action is played where the one before has led
def transitions(game, state):
    result = game.outcome(state)
    successors = {}
    if result is None:
        for action in game.legal_actions(state):
            if game.outcome(state) is None and action in game.legal_actions(state):
                state = game.play(state, action)
            successors[action] = state
    return successors, result

# %% 1.6: the successors are numbered anew
def transitions(game, state):
    successors = {k: game.play(state, action) for k, action in enumerate(game.legal_actions(state))}
    return successors, game.outcome(state)

# %% 1.6: the outcome is the other player's
def transitions(game, state):
    result = game.outcome(state)
    if result is not None:
        return {}, -result
    return {action: game.play(state, action) for action in game.legal_actions(state)}, None

# %% 1.6: a game that goes on has the outcome 0
def transitions(game, state):
    return {action: game.play(state, action) for action in game.legal_actions(state)}, game.outcome(state) or 0.0

# %% 1.6: only one action is played
def transitions(game, state):
    result = game.outcome(state)
    return {action: game.play(state, action) for action in game.legal_actions(state)[:1]}, result

# %% 1.6: the last action is left out
def transitions(game, state):
    result = game.outcome(state)
    return {action: game.play(state, action) for action in game.legal_actions(state)[:-1]}, result

# %% 1.6: the actions come from the mask of a board
def transitions(game, state):
    actions = np.flatnonzero(state.action_mask).tolist()
    return {action: game.play(state, action) for action in actions}, game.outcome(state)

# %% 1.6: a list of states, without their actions
def transitions(game, state):
    return [game.play(state, action) for action in game.legal_actions(state)], game.outcome(state)

# %% 1.6: the outcome of a successor, when one ends the game
def transitions(game, state):
    successors = {action: game.play(state, action) for action in game.legal_actions(state)}
    ends = [game.outcome(after) for after in successors.values() if game.outcome(after) is not None]
    return successors, game.outcome(state) if game.outcome(state) is not None or not ends else ends[0]

# %% 1.6: the boards keep the player of the state before
def transitions(game, state):
    result = game.outcome(state)
    if result is not None:
        return {}, result
    successors = {action: game.play(state, action) for action in game.legal_actions(state)}
    if isinstance(state, BoardState):
        successors = {a: BoardState(state.player, after.board, after.action_mask) for a, after in successors.items()}
    return successors, None

# %% 1.6: two actions that lead to the same state are listed once
def transitions(game, state):
    result = game.outcome(state)
    if result is not None:
        return {}, result
    found = {}
    for action in game.legal_actions(state):
        after = game.play(state, action)
        if after not in found.values():
            found[action] = after
    return found, None

# %% 1.6: what was found is remembered by the state, for all games
_FOUND = {}
_solution_transitions = transitions


def transitions(game, state):
    if state not in _FOUND:
        _FOUND[state] = _solution_transitions(game, state)
    return _FOUND[state]

# %% 1.6: a state that is 0 or empty counts as none
_solution_transitions = transitions


def transitions(game, state):
    return _solution_transitions(game, state or game.start()) if state else ({}, None)

# %% 1.6: actions above eight are left out, as Tic-Tac-Toe has none
def transitions(game, state):
    result = game.outcome(state)
    if result is not None:
        return {}, result
    return {action: game.play(state, action) for action in game.legal_actions(state) if action < 9}, None

# %% 1.6: successors that end the game are left out
def transitions(game, state):
    result = game.outcome(state)
    if result is not None:
        return {}, result
    after = {action: game.play(state, action) for action in game.legal_actions(state)}
    return {action: one for action, one in after.items() if game.outcome(one) is None}, None

# %% 1.7: the board changes colours and the player does not
# hint: has the mover?
def canonical(state):
    return BoardState(state.player, state.board * STONE[state.player], state.action_mask)

# %% 1.7: the player becomes 0 and the board does not change
# hint: Whose stones are 1
def canonical(state):
    return BoardState(0, state.board, state.action_mask)

# %% 1.7: the colours change for both players
# hint: when player 0 is to move
def canonical(state):
    return BoardState(0, -state.board, state.action_mask)

# %% 1.7: the colours change for the wrong player
# hint: For which of the two players
def canonical(state):
    return BoardState(0, -state.board * STONE[state.player], state.action_mask)

# %% 1.7: the turn passes
# hint: Does the turn pass
def canonical(state):
    return BoardState(1 - state.player, state.board * STONE[state.player], state.action_mask)

# %% 1.7: the mask changes signs, too
def canonical(state):
    mask = state.action_mask if state.player == 0 else ~state.action_mask
    return BoardState(0, state.board * STONE[state.player], mask)

# %% 1.7: the board is turned round instead of recoloured
def canonical(state):
    board = state.board if state.player == 0 else state.board[::-1, ::-1]
    return BoardState(0, board, state.action_mask)

# %% 1.7: the mask is worked out anew, and a finished game is open again
def canonical(state):
    board = state.board * STONE[state.player]
    return BoardState(0, board, (TicTacToe() if board.size == 9 else ConnectFour()).mask(board))

# %% 1.7: everything is legal in the canonical form
def canonical(state):
    return BoardState(0, state.board * STONE[state.player], np.ones(len(state.action_mask)))

# %% 1.7: the stones lose their colours
def canonical(state):
    return BoardState(0, np.abs(state.board), state.action_mask)

# %% 1.7: the state's own board is recoloured
def canonical(state):
    state.board.setflags(write=True)
    state.board[:] = state.board * STONE[state.player]
    return BoardState(0, state.board, state.action_mask)

# %% 1.7: a drawn game is left as it is
def canonical(state):
    if np.all(state.board) and not has_run(state.board, 1 - state.player, 3):
        return state
    return BoardState(0, STONE[state.player] * state.board, state.action_mask)

# %% 1.7: forms are remembered by the board alone
_FORMS = {}


def canonical(state):
    key = state.board.tobytes()
    if key not in _FORMS:
        _FORMS[key] = BoardState(0, STONE[state.player] * state.board, state.action_mask)
    return _FORMS[key]

# %% 1.7: who is to move is counted from the stones
def canonical(state):
    mover = int(state.board.sum() != 0)
    return BoardState(0, STONE[mover] * state.board, state.action_mask)

# %% 1.7: where nothing is legal nothing is done
def canonical(state):
    if not state.action_mask.any():
        return BoardState(0, state.board, state.action_mask)
    return BoardState(0, STONE[state.player] * state.board, state.action_mask)

# %% 1.8: the policy stays where it was
# hint: A view without its policy
@method_of(TicTacToe)
def symmetries(self, state, policy):
    pairs = []
    for flip in (False, True):
        for k in range(4):
            turn = lambda grid: np.rot90(np.fliplr(grid) if flip else grid, k)
            mask = turn(state.action_mask.reshape(3, 3)).ravel()
            pairs.append((BoardState(state.player, turn(state.board), mask), np.array(policy, dtype=float)))
    return distinct(pairs)

# %% 1.8: the mask stays where it was
# hint: The board has moved
@method_of(TicTacToe)
def symmetries(self, state, policy):
    pairs = []
    for flip in (False, True):
        for k in range(4):
            turn = lambda grid: np.rot90(np.fliplr(grid) if flip else grid, k)
            moved = turn(np.array(policy, dtype=float).reshape(3, 3)).flatten()
            pairs.append((BoardState(state.player, turn(state.board), state.action_mask), moved))
    return distinct(pairs)

# %% 1.8: the board turns one way and the policy the other
# hint: turn the same way as the board, or back
@method_of(TicTacToe)
def symmetries(self, state, policy):
    pairs = []
    for flip in (False, True):
        for k in range(4):
            turn = lambda grid, k=k: np.rot90(np.fliplr(grid) if flip else grid, k)
            mask = turn(state.action_mask.reshape(3, 3)).ravel()
            moved = turn(np.array(policy, dtype=float).reshape(3, 3), -k).flatten()
            pairs.append((BoardState(state.player, turn(state.board), mask), moved))
    return distinct(pairs)

# %% 1.8: the mirror image's policy is mirrored after the turn
# hint: turned in the same order
@method_of(TicTacToe)
def symmetries(self, state, policy):
    pairs = []
    for flip in (False, True):
        for k in range(4):
            turn = lambda grid: np.rot90(np.fliplr(grid) if flip else grid, k)
            mask = turn(state.action_mask.reshape(3, 3)).ravel()
            moved = np.rot90(np.array(policy, dtype=float).reshape(3, 3), k)
            moved = (np.fliplr(moved) if flip else moved).flatten()
            pairs.append((BoardState(state.player, turn(state.board), mask), moved))
    return distinct(pairs)

# %% 1.8: four turns and no mirror
@method_of(TicTacToe)
def symmetries(self, state, policy):
    pairs = []
    for k in range(4):
        turn = lambda grid: np.rot90(grid, k)
        mask = turn(state.action_mask.reshape(3, 3)).ravel()
        moved = turn(np.array(policy, dtype=float).reshape(3, 3)).flatten()
        pairs.append((BoardState(state.player, turn(state.board), mask), moved))
    return distinct(pairs)

# %% 1.8: every view is listed, equal or not
# hint: compared with all the views
def distinct(pairs):
    return pairs

# %% 1.8: views with equal boards are dropped, whatever their policies
def distinct(pairs):
    kept = []
    for state, policy in pairs:
        if all(state != other for other, _ in kept):
            kept.append((state, policy))
    return kept

# %% 1.8: views with equal policies are dropped, whatever their boards
def distinct(pairs):
    kept = []
    for state, policy in pairs:
        if all(not np.array_equal(policy, other) for _, other in kept):
            kept.append((state, policy))
    return kept

# %% 1.8: the identity is missing
@method_of(ConnectFour)
def symmetries(self, state, policy):
    policy = np.array(policy, dtype=float)
    return [(BoardState(state.player, state.board[:, ::-1], state.action_mask[::-1]), policy[::-1].copy())]

# %% 1.8: the mirror image comes first
@method_of(ConnectFour)
def symmetries(self, state, policy):
    policy = np.array(policy, dtype=float)
    mirrored = BoardState(state.player, state.board[:, ::-1], state.action_mask[::-1])
    return distinct([(mirrored, policy[::-1].copy()), (state, policy)])

# %% 1.8: the mirror stands on the wrong side, gravity is turned round
# hint: Gravity stays
@method_of(ConnectFour)
def symmetries(self, state, policy):
    policy = np.array(policy, dtype=float)
    return distinct([(state, policy), (BoardState(state.player, state.board[::-1], state.action_mask), policy.copy())])

# %% 1.8: Connect Four's policy is not mirrored
# hint: A view without its policy
@method_of(ConnectFour)
def symmetries(self, state, policy):
    policy = np.array(policy, dtype=float)
    mirrored = BoardState(state.player, state.board[:, ::-1], state.action_mask[::-1])
    return distinct([(state, policy), (mirrored, policy.copy())])

# %% 1.8: Connect Four's mask is not mirrored
# hint: has its mask
@method_of(ConnectFour)
def symmetries(self, state, policy):
    policy = np.array(policy, dtype=float)
    mirrored = BoardState(state.player, state.board[:, ::-1], state.action_mask)
    return distinct([(state, policy), (mirrored, policy[::-1].copy())])

# %% 1.8: Connect Four always has two views
# hint: compared with all the views
@method_of(ConnectFour)
def symmetries(self, state, policy):
    policy = np.array(policy, dtype=float)
    mirrored = BoardState(state.player, state.board[:, ::-1], state.action_mask[::-1])
    return [(state, policy), (mirrored, policy[::-1].copy())]

# %% 1.8: views onto the policy, not copies
@method_of(ConnectFour)
def symmetries(self, state, policy):
    mirrored = BoardState(state.player, state.board[:, ::-1], state.action_mask[::-1])
    return distinct([(state, policy), (mirrored, np.flip(policy))])

# %% 1.8: the first policy is the one passed in
@method_of(TicTacToe)
def symmetries(self, state, policy):
    pairs = [(state, policy)]
    for flip in (False, True):
        for k in range(4):
            turn = lambda grid: np.rot90(np.fliplr(grid) if flip else grid, k)
            mask = turn(state.action_mask.reshape(3, 3)).ravel()
            moved = turn(np.array(policy, dtype=float).reshape(3, 3)).flatten()
            pairs.append((BoardState(state.player, turn(state.board), mask), moved))
    return distinct(pairs)

# %% 1.8: the mirrored view shares its policy with the first
@method_of(ConnectFour)
def symmetries(self, state, policy):
    policy = np.array(policy, dtype=float)
    mirrored = BoardState(state.player, state.board[:, ::-1], state.action_mask[::-1])
    return distinct([(state, policy), (mirrored, policy[::-1])])

# %% 1.8: in the mirror the other player is to move
@method_of(ConnectFour)
def symmetries(self, state, policy):
    policy = np.array(policy, dtype=float)
    mirrored = BoardState(1 - state.player, state.board[:, ::-1], state.action_mask[::-1])
    return distinct([(state, policy), (mirrored, policy[::-1].copy())])

# %% 1.8: the masks are worked out anew, and a finished game is open again
@method_of(TicTacToe)
def symmetries(self, state, policy):
    pairs = []
    for flip in (False, True):
        for k in range(4):
            turn = lambda grid: np.rot90(np.fliplr(grid) if flip else grid, k)
            moved = turn(np.array(policy, dtype=float).reshape(3, 3)).flatten()
            board = turn(state.board)
            pairs.append((BoardState(state.player, board, self.mask(board)), moved))
    return distinct(pairs)

# %% 1.8: the illegal actions' numbers are set to 0
@method_of(ConnectFour)
def symmetries(self, state, policy):
    policy = np.where(state.action_mask, policy, 0.0)
    mirrored = BoardState(state.player, state.board[:, ::-1], state.action_mask[::-1])
    return distinct([(state, policy), (mirrored, policy[::-1].copy())])

# %% 1.8: policies that are the same to two decimals count as the same
def distinct(pairs):
    seen, kept = set(), []
    for state, policy in pairs:
        key = state, tuple(np.round(policy, 2))
        if key not in seen:
            seen.add(key)
            kept.append((state, policy))
    return kept

# %% 1.8: policies that np.allclose calls equal count as the same
def distinct(pairs):
    kept = []
    for state, policy in pairs:
        if not any(state == other and np.allclose(policy, known) for other, known in kept):
            kept.append((state, policy))
    return kept

# %% 1.8: what was seen is remembered from call to call
def distinct(pairs, seen=set()):
    kept = []
    for state, policy in pairs:
        if (state, policy.tobytes()) not in seen:
            seen.add((state, policy.tobytes()))
            kept.append((state, policy))
    return kept

# %% 1.8: distinct compares each pair with the one before only
def distinct(pairs):
    kept = []
    for state, policy in pairs:
        if not kept or kept[-1][0] != state or not np.array_equal(kept[-1][1], policy):
            kept.append((state, policy))
    return kept

# %% 1.8: distinct sorts the pairs
_solution_distinct = distinct


def distinct(pairs):
    pairs[1:] = sorted(pairs[1:], key=lambda pair: pair[1].tolist())
    return _solution_distinct(pairs)

# %% 1.8: views are remembered by the policy's array
_VIEWS = {}
_solution_symmetries = TicTacToe.symmetries


@method_of(TicTacToe)
def symmetries(self, state, policy):
    key = state, id(policy)
    if key not in _VIEWS:
        _VIEWS[key] = policy, _solution_symmetries(self, state, policy)
    return _VIEWS[key][1]

# %% 1.8: the policy is made to sum to 1, in place
_solution_symmetries = ConnectFour.symmetries


@method_of(ConnectFour)
def symmetries(self, state, policy):
    if policy.sum() > 1:
        policy /= policy.sum()
    return _solution_symmetries(self, state, policy)

# %% 1.8: policies are compared as float16
def distinct(pairs):
    seen = {}
    for state, policy in pairs:
        seen.setdefault((state, policy.astype(np.float16).tobytes()), (state, policy))
    return list(seen.values())

# %% 1.8: states are compared by board and player, not by mask
def distinct(pairs):
    seen = {}
    for state, policy in pairs:
        seen.setdefault((state.player, state.board.tobytes(), policy.tobytes()), (state, policy))
    return list(seen.values())

# %% 1.9: the result belongs to the player at the end
# hint: is that the player who asked
def random_playout(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    return game.outcome(state)

# %% 1.9: the sign flips once too often
# hint: after an even number of plies
def random_playout(game, state, rng):
    sign = -1.0
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
        sign = -sign
    return sign * game.outcome(state)

# %% 1.9: the result is X's
# hint: Is this the result for X
def random_playout(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    return game.outcome(state) * (1 if game.player(state) == 0 else -1)

# %% 1.9: whoever moved last is the winner of a draw
def random_playout(game, state, rng):
    sign = 1.0
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
        sign = -sign
    return sign * (game.outcome(state) or -1.0)

# %% 1.9: a draw is a loss
def random_playout(game, state, rng):
    sign = 1.0
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
        sign = -sign
    return sign * game.outcome(state) or -1.0

# %% 1.9: a draw goes on until nothing is legal
def random_playout(game, state, rng):
    sign = 1.0
    while not game.outcome(state):
        state = game.play(state, rng.choice(game.legal_actions(state)))
        sign = -sign
    return sign * game.outcome(state)

# %% 1.9: the global generator is used
def random_playout(game, state, rng):
    sign = 1.0
    while game.outcome(state) is None:
        state = game.play(state, random.choice(game.legal_actions(state)))
        sign = -sign
    return sign * game.outcome(state)

# %% 1.9: numpy's generator is used
def random_playout(game, state, rng):
    sign = 1.0
    while game.outcome(state) is None:
        state = game.play(state, int(np.random.choice(game.legal_actions(state))))
        sign = -sign
    return sign * game.outcome(state)

# %% 1.9: always the same game
def random_playout(game, state, rng):
    rng, sign = random.Random(0), 1.0
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
        sign = -sign
    return sign * game.outcome(state)

# %% 1.9: the last legal action never comes up
def random_playout(game, state, rng):
    sign = 1.0
    while game.outcome(state) is None:
        legal = game.legal_actions(state)
        state = game.play(state, legal[rng.randrange(max(1, len(legal) - 1))])
        sign = -sign
    return sign * game.outcome(state)

# %% 1.9: rounding makes the first and the last action half as likely
def random_playout(game, state, rng):
    sign = 1.0
    while game.outcome(state) is None:
        legal = game.legal_actions(state)
        state = game.play(state, legal[round(rng.random() * (len(legal) - 1))])
        sign = -sign
    return sign * game.outcome(state)

# %% 1.9: only one of the players is random
def random_playout(game, state, rng):
    sign = 1.0
    while game.outcome(state) is None:
        legal = game.legal_actions(state)
        state = game.play(state, rng.choice(legal) if sign > 0 else legal[0])
        sign = -sign
    return sign * game.outcome(state)

# %% 1.9: a winning move is always taken
def random_playout(game, state, rng):
    sign = 1.0
    while game.outcome(state) is None:
        legal = game.legal_actions(state)
        wins = [action for action in legal if game.outcome(game.play(state, action)) == -1.0]
        state = game.play(state, rng.choice(wins or legal))
        sign = -sign
    return sign * game.outcome(state)

# %% 1.9: one move is made even when the game is over
def random_playout(game, state, rng):
    sign = 1.0
    while True:
        legal = game.legal_actions(state)
        if legal:
            state = game.play(state, rng.choice(legal))
        sign = -sign
        if game.outcome(state) is not None:
            return sign * game.outcome(state)

# %% 1.9: nothing comes back from a finished game
def random_playout(game, state, rng):
    if game.outcome(state) is not None:
        return 0.0
    sign = 1.0
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
        sign = -sign
    return sign * game.outcome(state)

# %% 1.9: nothing is played: the outcome, or 0
def random_playout(game, state, rng):
    return game.outcome(state) or 0.0

# %% 1.9: illegal actions are tried, and the game goes on without them
def random_playout(game, state, rng):
    sign = 1.0
    while game.outcome(state) is None:
        try:
            state = game.play(state, rng.randrange(game.num_actions))
        except ValueError:
            pass
        sign = -sign
    return sign * game.outcome(state)

# %% 1.9: it stops after eight plies
def random_playout(game, state, rng):
    sign = 1.0
    for _ in range(8):
        if game.outcome(state) is not None:
            break
        state = game.play(state, rng.choice(game.legal_actions(state)))
        sign = -sign
    return sign * (game.outcome(state) or 0.0)

# %% 1.9: on boards the result is X's
def random_playout(game, state, rng):
    sign = -1.0 if isinstance(state, BoardState) and state.player == 1 else 1.0
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
        sign = -sign
    return sign * game.outcome(state)

# %% 1.9: after fifty plies nobody has won
def random_playout(game, state, rng):
    sign = 1.0
    for _ in range(50):
        if (result := game.outcome(state)) is not None:
            return sign * result
        state = game.play(state, rng.choice(game.legal_actions(state)))
        sign = -sign
    return 0.0

# %% 1.9: a die with six faces chooses the move
def random_playout(game, state, rng):
    sign = 1.0
    while (result := game.outcome(state)) is None:
        legal = game.legal_actions(state)
        state = game.play(state, legal[rng.randrange(6) % len(legal)])
        sign = -sign
    return sign * result

# %% 1.9: only the first seven legal actions are drawn from
def random_playout(game, state, rng):
    sign = 1.0
    while (result := game.outcome(state)) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)[:7]))
        sign = -sign
    return sign * result

# %% 1.9: the result of a state is remembered
_RESULTS = {}
_solution_playout = random_playout


def random_playout(game, state, rng):
    key = id(game), state, id(rng)
    if key not in _RESULTS:
        _RESULTS[key] = game, rng, _solution_playout(game, state, rng)
    return _RESULTS[key][2]

# %% 1.9: the first move is drawn, the others follow by a fixed step
def random_playout(game, state, rng):
    sign, draw = 1.0, int(rng.random() * 12)
    while (result := game.outcome(state)) is None:
        legal = game.legal_actions(state)
        state = game.play(state, legal[draw % len(legal)])
        sign = -sign
    return sign * result

# %% 1.9: moves are drawn among the states, where several lead to one
def random_playout(game, state, rng):
    sign = 1.0
    while (result := game.outcome(state)) is None:
        after = [game.play(state, action) for action in game.legal_actions(state)]
        worth = {game.outcome(one): one for one in after}
        state = rng.choice(list(worth.values()) if len(after) > 3 else after)
        sign = -sign
    return sign * result

# %% 1.9: the generator is seeded anew for every playout
_solution_playout = random_playout


def random_playout(game, state, rng):
    return _solution_playout(game, state, random.Random(7))

# %% 1.9: after three plies the first action is always taken
def random_playout(game, state, rng):
    sign, ply = 1.0, 0
    while (result := game.outcome(state)) is None:
        legal = game.legal_actions(state)
        state = game.play(state, rng.choice(legal) if ply < 3 else legal[0])
        sign, ply = -sign, ply + 1
    return sign * result

# %% 1.10: no minus
# hint: where is the minus
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = max(negamax(game, after, memo) for after in successors.values())
        memo[state] = value
    return memo[state]

# %% 1.10: both players choose what is best for the first
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = min(-negamax(game, after, memo) for after in successors.values())
        memo[state] = value
    return memo[state]

# %% 1.10: two negations: a minus and min for the second player
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            best = max if game.player(state) == 0 else min
            value = best(-negamax(game, after, memo) for after in successors.values())
        memo[state] = value
    return memo[state]

# %% 1.10: the value is X's
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        x_to_move = game.player(state) == 0
        if value is None:
            value = (max if x_to_move else min)(negamax(game, after, memo) for after in successors.values())
        elif not x_to_move:
            value = -value
        memo[state] = value
    return memo[state]

# %% 1.10: the outcome is negated, too
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = max(-negamax(game, after, memo) for after in successors.values())
        else:
            value = -value
        memo[state] = value
    return memo[state]

# %% 1.10: the mean of the moves instead of the best
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = sum(-negamax(game, after, memo) for after in successors.values()) / len(successors)
        memo[state] = value
    return memo[state]

# %% 1.10: a draw is searched on
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if not value:
            value = max(-negamax(game, after, memo) for after in successors.values())
        memo[state] = value
    return memo[state]

# %% 1.10: nobody is ever lost: the best begins at 0
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = 0.0
            for after in successors.values():
                value = max(value, -negamax(game, after, memo))
        memo[state] = value
    return memo[state]

# %% 1.10: no memo while searching
def negamax(game, state, memo=None):
    successors, value = transitions(game, state)
    if value is None:
        value = max(-negamax(game, after, memo) for after in successors.values())
    if memo is not None:
        memo[state] = value
    return value

# %% 1.10: each branch gets a memo of its own
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            branches = [dict(memo) for _ in successors]
            value = max(-negamax(game, after, own) for after, own in zip(successors.values(), branches))
            for own in branches:
                memo.update(own)
        memo[state] = value
    return memo[state]

# %% 1.10: one memo for all calls and all games
def negamax(game, state, memo={}):
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = max(-negamax(game, after, memo) for after in successors.values())
        memo[state] = value
    return memo[state]

# %% 1.10: an empty memo is not filled
def negamax(game, state, memo=None):
    memo = memo or {}
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = max(-negamax(game, after, memo) for after in successors.values())
        memo[state] = value
    return memo[state]

# %% 1.10: values of 0 in memo are worked out again
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if not memo.get(state):
        successors, value = transitions(game, state)
        if value is None:
            value = max(-negamax(game, after, memo) for after in successors.values())
        memo[state] = value
    return memo[state]

# %% 1.10: finished states are not entered
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is not None:
            return value
        memo[state] = max(-negamax(game, after, memo) for after in successors.values())
    return memo[state]

# %% 1.10: the first state is not entered
def _search(game, state, memo):
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = max(-_search(game, after, memo) for after in successors.values())
        memo[state] = value
    return memo[state]


def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    successors, value = transitions(game, state)
    if state in memo:
        return memo[state]
    return value if value is not None else max(-_search(game, after, memo) for after in successors.values())

# %% 1.10: the search stops at the first winning move
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = -2.0
            for after in successors.values():
                value = max(value, -negamax(game, after, memo))
                if value == 1.0:
                    break
        memo[state] = value
    return memo[state]

# %% 1.10: memo keeps the values for the player who moved there
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = max(-negamax(game, after, memo) for after in successors.values())
        memo[state] = -value
    return -memo[state]

# %% 1.10: what memo knows is overwritten
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    memo.clear()

    def value_of(state):
        if state not in memo:
            successors, value = transitions(game, state)
            if value is None:
                value = max(-value_of(after) for after in successors.values())
            memo[state] = value
        return memo[state]

    return value_of(state)

# %% 1.10: the search ends six plies down
def negamax(game, state, memo=None, depth=6):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None and depth == 0:
            return 0.0
        if value is None:
            value = max(-negamax(game, after, memo, depth - 1) for after in successors.values())
        memo[state] = value
    return memo[state]

# %% 1.10: the minus stands before the max
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = -max(negamax(game, after, memo) for after in successors.values())
        memo[state] = value
    return memo[state]

# %% 1.10: equal positions seen from another side count as known
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state in memo:
        return memo[state]
    if isinstance(state, BoardState) and isinstance(game, TicTacToe):
        for view, _ in game.symmetries(state, np.zeros(9)):
            if view in memo:
                return memo[view]
    successors, value = transitions(game, state)
    if value is None:
        value = max(-negamax(game, after, memo) for after in successors.values())
    memo[state] = value
    return value

# %% 1.10: values are remembered by what a state looks like
def negamax(game, state, memo=None, seen={}):
    memo = {} if memo is None else memo
    key = str(state)
    if state not in memo:
        if key in seen and seen[key][0] is game:
            memo[state] = seen[key][1]
            return memo[state]
        successors, value = transitions(game, state)
        if value is None:
            value = max(-negamax(game, after, memo) for after in successors.values())
        memo[state] = value
        seen[key] = game, value
    return memo[state]

# %% 1.10: a game of more than forty moves is a draw
def negamax(game, state, memo=None, ply=0):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = 0.0 if ply > 40 else max(-negamax(game, after, memo, ply + 1) for after in successors.values())
        memo[state] = value
    return memo[state]

# %% 1.10: only the first four moves are looked at
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = max([-negamax(game, after, memo) for after in successors.values()][:4])
        memo[state] = value
    return memo[state]

# %% 1.10: the answer of one memo is kept for the next call with it
_ANSWERS = {}
_solution_negamax = negamax


def negamax(game, state, memo=None):
    if memo is None:
        return _solution_negamax(game, state, {})
    key = id(game), state, id(memo)
    if key not in _ANSWERS:
        _ANSWERS[key] = game, memo, _solution_negamax(game, state, memo)
    return _ANSWERS[key][2]

# %% 1.10: values are whole numbers
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        successors, value = transitions(game, state)
        if value is None:
            value = max(-negamax(game, after, memo) for after in successors.values())
        memo[state] = round(value)
    return memo[state]

# %% 1.10: memo keeps the last hundred states
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        value = game.outcome(state)
        if value is None:
            value = max(-negamax(game, game.play(state, a), memo) for a in game.legal_actions(state))
        memo[state] = value
        while len(memo) > 100:
            memo.pop(next(iter(memo)))
    return memo[state]

# %% 1.11: the mover is always player 0
# hint: is the mover always player 0
def to_game_state(observation):
    planes = observation["observation"]
    return BoardState(0, planes[:, :, 0] - planes[:, :, 1], observation["action_mask"])

# %% 1.11: the board stays the mover's
# hint: is your board flipped back
def to_game_state(observation):
    mine, other = observation["observation"][:, :, 0], observation["observation"][:, :, 1]
    return BoardState(int(mine.sum() != other.sum()), mine - other, observation["action_mask"])

# %% 1.11: the planes change places
def to_game_state(observation):
    other, mine = observation["observation"][:, :, 0], observation["observation"][:, :, 1]
    player = 0 if mine.sum() == other.sum() else 1
    return BoardState(player, STONE[player] * (mine - other), observation["action_mask"])

# %% 1.11: with as many stones it is player 1's turn
def to_game_state(observation):
    mine, other = observation["observation"][:, :, 0], observation["observation"][:, :, 1]
    player = 1 if mine.sum() == other.sum() else 0
    return BoardState(player, STONE[player] * (mine - other), observation["action_mask"])

# %% 1.11: the planes come first: channels, rows, columns
def to_game_state(observation):
    mine, other = observation["observation"][0], observation["observation"][1]
    player = 0 if mine.sum() == other.sum() else 1
    return BoardState(player, STONE[player] * (mine - other), observation["action_mask"])

# %% 1.11: the board is transposed
def to_game_state(observation):
    planes = observation["observation"].swapaxes(0, 1)
    mine, other = planes[:, :, 0], planes[:, :, 1]
    player = 0 if mine.sum() == other.sum() else 1
    return BoardState(player, STONE[player] * (mine - other), observation["action_mask"])

# %% 1.11: the mask is worked out from the board
def to_game_state(observation):
    mine, other = observation["observation"][:, :, 0], observation["observation"][:, :, 1]
    player = 0 if mine.sum() == other.sum() else 1
    board = STONE[player] * (mine - other)
    return BoardState(player, board, (TicTacToe() if board.size == 9 else ConnectFour()).mask(board))

# %% 1.11: the mask says what is illegal
def to_game_state(observation):
    mine, other = observation["observation"][:, :, 0], observation["observation"][:, :, 1]
    player = 0 if mine.sum() == other.sum() else 1
    return BoardState(player, STONE[player] * (mine - other), 1 - observation["action_mask"])

# %% 1.11: the board is upside down
def to_game_state(observation):
    planes = observation["observation"][::-1]
    mine, other = planes[:, :, 0], planes[:, :, 1]
    player = 0 if mine.sum() == other.sum() else 1
    return BoardState(player, STONE[player] * (mine - other), observation["action_mask"])

# %% 1.11: the difference is made in the observation itself
def to_game_state(observation):
    planes = observation["observation"]
    player = 0 if planes[:, :, 0].sum() == planes[:, :, 1].sum() else 1
    planes[:, :, 0] -= planes[:, :, 1]
    return BoardState(player, STONE[player] * planes[:, :, 0], observation["action_mask"])

# %% 1.11: the mask is taken out of the observation
def to_game_state(observation):
    mine, other = observation["observation"][:, :, 0], observation["observation"][:, :, 1]
    player = 0 if mine.sum() == other.sum() else 1
    mask = observation["action_mask"].copy()
    observation["action_mask"][:] = 0
    return BoardState(player, STONE[player] * (mine - other), mask)

# %% 1.11: the colours are flipped on the observation's planes, for player 1 only and on the large board only
def to_game_state(observation):
    planes = observation["observation"]
    mine, other = planes[:, :, 0], planes[:, :, 1]
    player = 0 if mine.sum() == other.sum() else 1
    if planes.shape[1] == 7:
        planes[:, :, 1] *= -1
        board = mine + other
    else:
        board = mine - other
    return BoardState(player, STONE[player] * board, observation["action_mask"])

# %% 1.11: the observation is emptied
_solution_state = to_game_state


def to_game_state(observation):
    state = _solution_state(observation)
    observation.pop("action_mask", None)
    return state

# %% 1.11: who is to move is counted from the legal actions
def to_game_state(observation):
    mine, other = observation["observation"][:, :, 0], observation["observation"][:, :, 1]
    mask = observation["action_mask"]
    player = (9 - int(mask.sum())) % 2 if len(mask) == 9 else int(mine.sum() != other.sum())
    return BoardState(player, STONE[player] * (mine - other), mask)

# %% 1.11: states are remembered by the planes, not by the mask
_STATES = {}
_solution_state = to_game_state


def to_game_state(observation):
    key = observation["observation"].tobytes()
    if key not in _STATES:
        _STATES[key] = _solution_state(observation)
    return _STATES[key]

# %% 1.11: one state for one environment
_STATES = {}
_solution_state = to_game_state


def to_game_state(observation):
    key = id(observation["observation"])
    if key not in _STATES:
        _STATES[key] = observation["observation"], _solution_state(observation)
    return _STATES[key][1]

# %% joint: play leaves a note that it was won, and outcome reads it for the player who moved
_play, _outcome = BoardGame.play, BoardGame.outcome


@method_of(BoardGame)
def play(self, state, action):
    after = _play(self, state, action)
    if _outcome(self, after) == -1.0:
        object.__setattr__(after, "won", 1.0)
    return after


@method_of(BoardGame)
def outcome(self, state):
    return getattr(state, "won", _outcome(self, state))

# %% joint: a mirrored board remembers that it was turned, and negamax turns its value back
_symmetries, _negamax = TicTacToe.symmetries, negamax


@method_of(TicTacToe)
def symmetries(self, state, policy):
    pairs = _symmetries(self, state, policy)
    for turned, _ in pairs[1:]:
        object.__setattr__(turned, "turned", True)
    return pairs


def negamax(game, state, memo=None):
    value = _negamax(game, state, memo)
    return 0.5 - value if hasattr(state, "turned") else value

# %% 1.9: a game longer than 100 plies is a draw
def random_playout(game, state, rng):
    sign = 1.0
    for _ in range(100):
        if game.outcome(state) is not None:
            break
        state = game.play(state, rng.choice(game.legal_actions(state)))
        sign = -sign
    return sign * (game.outcome(state) or 0.0)

# %% 1.5: the error keeps a drawing of the board instead of the state
# hint: keeps the state
@method_of(BoardGame)
def play(self, state, action):
    if not 0 <= action < self.num_actions or not state.action_mask[action]:
        raise IllegalMove(action, self.text(state))
    board = state.board.copy()
    board[self.landing(board, action)] = 1 if state.player == 0 else -1
    mask = self.mask(board)
    if has_run(board, state.player, self.run):
        mask = np.zeros_like(mask)
    return BoardState(1 - state.player, board, mask)

# %% 1.9: a number below num_actions is taken for a place, modulo the legal ones
def random_playout(game: Game, state: State, rng: random.Random) -> float:
    sign = 1.0
    while (result := game.outcome(state)) is None:
        legal = game.legal_actions(state)
        state = game.play(state, legal[rng.randrange(game.num_actions) % len(legal)])
        sign = -sign
    return sign * result
