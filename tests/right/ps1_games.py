# Right answers to ps1_games in other styles. Each cell is appended to the solution; `make verify` wants all of its points.

# %% has_run with plain loops over squares
def has_run(board, player, n):
    height, width = len(board), len(board[0])
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_column = row + (n - 1) * down, column + (n - 1) * right
                if not (last_row < height and 0 <= last_column < width):
                    continue
                if all(board[row + k * down][column + k * right] == STONE[player] for k in range(n)):
                    return True
    return False

# %% has_run by counting along every line of the board
def has_run(board, player, n):
    board = np.asarray(board)
    height, width = board.shape
    lines = [*board, *board.T]
    for grid in (board, np.fliplr(board)):
        lines += [grid.diagonal(offset) for offset in range(-height + 1, width)]
    for line in lines:
        count = 0
        for sign in line:
            count = count + 1 if sign == STONE[player] else 0
            if count >= n:
                return True
    return False

# %% has_run with strings, and numpy's truth values for an answer
def has_run(board, player, n):
    mine = (np.array(board) == STONE[player]).astype(int)
    height, width = mine.shape
    skew = np.zeros((height, height + width), dtype=int)
    rise = np.zeros((height, height + width), dtype=int)
    for row in range(height):
        skew[row, height - row:height - row + width] = mine[row]
        rise[row, row:row + width] = mine[row]
    texts = [" ".join("".join(map(str, line)) for line in grid) for grid in (mine, mine.T, skew.T, rise.T)]
    return np.bool_(any("1" * n in text for text in texts))

# %% has_run by folding windows
def has_run(board, player, n):
    mine = np.asarray(board) == STONE[player]
    if max(mine.shape) < n:
        return False
    found = False
    for grid in (mine, mine.T):
        if grid.shape[1] >= n:
            found |= np.lib.stride_tricks.sliding_window_view(grid, n, axis=1).all(axis=-1).any()
    if min(mine.shape) >= n:
        windows = np.lib.stride_tricks.sliding_window_view(mine, (n, n))
        found |= np.diagonal(windows, axis1=2, axis2=3).all(axis=-1).any()
        found |= np.diagonal(windows[..., ::-1], axis1=2, axis2=3).all(axis=-1).any()
    return bool(found)

# %% each game has methods of its own, written into the class
class TicTacToe(BoardGame):
    height, width, run = 3, 3, 3
    num_actions = 9

    def start(self):
        return BoardState(0, [[0] * 3] * 3, [True] * 9)

    def mask(self, board):
        return np.array([board[square // 3, square % 3] == 0 for square in range(9)])

    def legal_actions(self, state):
        return [action for action in range(9) if state.action_mask[action]]

    def outcome(self, state):
        stone = STONE[1 - state.player]
        board = state.board
        lines = [*board, *board.T, board.diagonal(), board[:, ::-1].diagonal()]
        if any((line == stone).all() for line in lines):
            return -1
        return None if (board == 0).any() else 0

    def play(self, state, action):
        if not 0 <= action < 9 or not state.action_mask[action]:
            raise IllegalMove(action, state)
        board = state.board.copy()
        board[action // 3, action % 3] = STONE[state.player]
        after = BoardState(1 - state.player, board, (board == 0).flatten())
        return after if self.outcome(after) is None else BoardState(1 - state.player, board, [False] * 9)

    def symmetries(self, state, policy):
        squares = [[3 * row + column for column in range(3)] for row in range(3)]
        orders = []
        for _ in range(2):
            for _ in range(4):
                orders.append([square for row in squares for square in row])
                squares = [list(row) for row in zip(*squares[::-1])]
            squares = [row[::-1] for row in squares]
        kept = []
        for order in orders:
            board = state.board.ravel()[order].reshape(3, 3)
            view = BoardState(state.player, board, state.action_mask[order]), np.asarray(policy, dtype=float)[order]
            if not any(view[0] == other and (view[1] == moved).all() for other, moved in kept):
                kept.append(view)
        return kept


class ConnectFour(BoardGame):
    height, width, run = 6, 7, 4
    num_actions = 7

    def mask(self, board):
        return [bool(top == 0) for top in board[0]]

    def play(self, state, action):
        if action not in self.legal_actions(state):
            raise IllegalMove(action, state)
        board = np.array(state.board)
        row = 5
        while board[row, action] != 0:
            row -= 1
        board[row, action] = 1 if state.player == 0 else -1
        player = 1 - state.player
        over = self.outcome(BoardState(player, board, self.mask(board))) is not None
        return BoardState(player, board, [False] * 7 if over else self.mask(board))

    def symmetries(self, state, policy):
        policy = np.asarray(policy, dtype=float)
        flipped = BoardState(state.player, np.fliplr(state.board), np.flip(state.action_mask))
        mirror = np.flip(policy).copy()
        views = [(state, policy.copy())]
        if flipped != state or not np.array_equal(policy, mirror):
            views.append((flipped, mirror))
        return views

# %% landing is not used: play does it all
@method_of(TicTacToe)
def play(self, state, action):
    if self.outcome(state) is not None or action not in self.legal_actions(state):
        raise IllegalMove(action, state)
    cells = state.board.ravel().tolist()
    cells[action] = STONE[state.player]
    return finish(self, 1 - state.player, np.array(cells).reshape(3, 3))


@method_of(ConnectFour)
def play(self, state, action):
    if self.outcome(state) is not None or action not in self.legal_actions(state):
        raise IllegalMove(action, state)
    columns = [[sign for sign in column if sign] for column in state.board.T[:, ::-1].tolist()]
    columns[action].append(STONE[state.player])
    board = np.array([column + [0] * (6 - len(column)) for column in columns]).T[::-1]
    return finish(self, 1 - state.player, board)


def finish(game, player, board):
    open_state = BoardState(player, board, game.mask(board))
    if game.outcome(open_state) is None:
        return open_state
    return BoardState(player, board, [False] * game.num_actions)

# %% sets, tuples and numpy numbers
@method_of(BoardGame)
def legal_actions(self, state):
    return tuple(np.int64(action) for action, open in enumerate(state.action_mask) if open)


@method_of(BoardGame)
def player(self, state):
    return np.int8(state.player)


@method_of(BoardGame)
def outcome(self, state):
    if has_run(state.board, int(not state.player), self.run):
        return np.float64(-1)
    return np.float32(0) if np.count_nonzero(state.board) == self.height * self.width else None


@method_of(ConnectFour)
def landing(self, board, action):
    return np.flatnonzero(board[:, action] == 0)[-1], action


def random_playout(game, state, rng):
    result = game.outcome(state)
    if result is not None:
        return np.float64(result)
    legal = list(game.legal_actions(state))
    return -random_playout(game, game.play(state, legal[int(rng.random() * len(legal))]), rng)

# %% an own negamax: no transitions, a loop, a memo that is asked at every child
def negamax(game, state, memo=None):
    if memo is None:
        memo = dict()
    known = memo.get(state)
    if known is not None:
        return known
    outcome = game.outcome(state)
    if outcome is not None:
        memo[state] = outcome
        return outcome
    best = -math.inf
    for action in game.legal_actions(state):
        child = game.play(state, action)
        value = memo[child] if child in memo else negamax(game, child, memo)
        if -value > best:
            best = -value
    memo[state] = best
    return best


import math

# %% negamax with a stack instead of recursion
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    stack = [] if state in memo else [state]
    while stack:
        here = stack[-1]
        successors, outcome = transitions(game, here)
        unknown = [after for after in successors.values() if after not in memo]
        if outcome is None and unknown:
            stack.extend(unknown)
            continue
        memo[here] = outcome if outcome is not None else max(-memo[after] for after in successors.values())
        stack.pop()
    return memo[state]

# %% minimax with two cases, then turned to the mover's view
def negamax(game, state, memo=None):
    memo = {} if memo is None else memo

    def for_player_0(state):
        sign = 1 if game.player(state) == 0 else -1
        if state not in memo:
            value = game.outcome(state)
            if value is None:
                children = [for_player_0(game.play(state, action)) for action in game.legal_actions(state)]
                value = sign * (max(children) if sign == 1 else min(children))
            memo[state] = value
        return sign * memo[state]

    return for_player_0(state) * (1 if game.player(state) == 0 else -1)

# %% transitions with a loop that asks for every action
def transitions(game, state):
    outcome = game.outcome(state)
    successors = {}
    if outcome is None:
        for action in range(game.num_actions):
            try:
                successors[action] = game.play(state, action)
            except IllegalMove:
                pass
    return successors, outcome

# %% a playout with numbers of plies, and a shuffle for a draw
def random_playout(game, state, rng):
    asked, plies = state, 0
    while (result := game.outcome(state)) is None:
        actions = list(game.legal_actions(state))
        rng.shuffle(actions)
        state = game.play(state, actions.pop())
        plies += 1
    return float(result) if plies % 2 == 0 else 0.0 - result

# %% a playout that compares players
def random_playout(game, state, rng):
    asker = game.player(state)
    while game.outcome(state) not in (-1.0, 0.0, 1.0):
        state = game.play(state, rng.sample(game.legal_actions(state), 1)[0])
    result = game.outcome(state)
    return result if game.player(state) == asker else -result

# %% canonical by swapping stones, and views by index tables
def canonical(state):
    board = np.zeros_like(state.board)
    board[state.board == STONE[state.player]] = 1
    board[state.board == STONE[1 - state.player]] = -1
    return BoardState(0, board, list(state.action_mask))


def distinct(pairs):
    kept = []
    for state, policy in pairs:
        if not any(state == other and list(policy) == list(moved) for other, moved in kept):
            kept.append((state, policy))
    return kept


@method_of(TicTacToe)
def symmetries(self, state, policy):
    policy = np.array(policy, dtype=np.float64)
    views = []
    for transpose in (False, True):
        for up in (1, -1):
            for left in (1, -1):
                def view(grid):
                    grid = grid.reshape(3, 3)[::up, ::left]
                    return (grid.T if transpose else grid).copy()

                views.append([BoardState(state.player, view(state.board), view(state.action_mask).ravel()), view(policy).ravel()])
    return distinct(views)

# %% an observation read square by square
def to_game_state(observation):
    planes, mask = observation["observation"].astype(int), observation["action_mask"]
    stones = planes.reshape(-1, 2).sum(axis=0)
    player = int(stones[1] - stones[0])
    height, width = planes.shape[:2]
    board = np.zeros((height, width), dtype=np.int8)
    for row in range(height):
        for column in range(width):
            if planes[row, column, 0]:
                board[row, column] = STONE[player]
            elif planes[row, column, 1]:
                board[row, column] = STONE[1 - player]
    return BoardState(player, board, mask.astype(bool))

# %% states with a cached hash, and a game that remembers what it has worked out
from functools import lru_cache


@lru_cache(maxsize=None)
def _outcome(state, run):
    if has_run(state.board, 1 - state.player, run):
        return -1.0
    return 0.0 if state.board.all() else None


@method_of(BoardGame)
def outcome(self, state):
    return _outcome(state, self.run)

# %% a playout that tries any action until one is legal
def random_playout(game, state, rng):
    sign = 1
    while (result := game.outcome(state)) is None:
        try:
            state = game.play(state, rng.randrange(game.num_actions))
        except IllegalMove:
            continue
        sign *= -1
    return sign * result
