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
        if not 0 <= action < 9 or not state.action_mask[action] or self.outcome(state) is not None:
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
        if action not in self.legal_actions(state) or self.outcome(state) is not None:
            raise IllegalMove(action, state)
        board = np.array(state.board)
        row = len(board) - 1
        while board[row, action] != 0:
            row -= 1
        board[row, action] = 1 if state.player == 0 else -1
        player = 1 - state.player
        over = self.outcome(BoardState(player, board, self.mask(board))) is not None
        return BoardState(player, board, [False] * len(board[0]) if over else self.mask(board))

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
    board = np.array([column + [0] * (self.height - len(column)) for column in columns]).T[::-1]
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

# %% a rollout with numbers of plies, and a shuffle for a draw
def random_playout(game, state, rng):
    asked, plies = state, 0
    while (result := game.outcome(state)) is None:
        actions = list(game.legal_actions(state))
        rng.shuffle(actions)
        state = game.play(state, actions.pop())
        plies += 1
    return float(result) if plies % 2 == 0 else 0.0 - result

# %% a rollout that compares players
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

# %% a rollout that tries any action until one is legal
def random_playout(game, state, rng):
    sign = 1
    while (result := game.outcome(state)) is None:
        try:
            state = game.play(state, rng.randrange(game.num_actions))
        except IllegalMove:
            continue
        sign *= -1
    return sign * result

# %% actions are numpy's, as np.where gives them
put("transitions", "return {action", "legal = np.zeros(game.num_actions, dtype=bool)\nlegal[game.legal_actions(state)] = True")
swap("transitions", "for action in game.legal_actions(state)", "for action in np.where(legal)[0]")


def random_playout(game, state, rng):
    sign = 1.0
    while (result := game.outcome(state)) is None:
        valid = np.zeros(game.num_actions)
        valid[list(game.legal_actions(state))] = 1
        state = game.play(state, rng.choice(np.where(valid)[0]))
        sign *= -1
    return sign * result


def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    if state not in memo:
        result = game.outcome(state)
        if result is None:
            actions = np.array(game.legal_actions(state))
            result = max(-negamax(game, game.play(state, action), memo) for action in actions)
        memo[state] = result
    return memo[state]

# %% a numpy generator, seeded from rng, chooses and the choice is made an int
swap("random_playout", "sign = 1.0", "dice, sign = np.random.default_rng(rng.getrandbits(64)), 1.0")
swap("random_playout", "rng.choice(game.legal_actions(state))", "int(dice.choice(game.legal_actions(state)))")

# %% a rollout over transitions: all successors are made, one is followed
def random_playout(game, state, rng):
    children, value = transitions(game, state)
    turns = 0
    while value is None:
        state = rng.choice(list(children.values()))
        children, value = transitions(game, state)
        turns += 1
    return value * (-1) ** turns

# %% a recursive rollout: all successors are made, one is followed
def random_playout(game, state, rng):
    if game.outcome(state) is not None:
        return game.outcome(state)
    successors = [game.play(state, action) for action in game.legal_actions(state)]
    return -random_playout(game, successors[rng.randrange(len(successors))], rng)

# %% a rollout whose moves are numpy's and whose sign is an int's power
def random_playout(game, state, rng):
    ply = 0
    while game.outcome(state) is None:
        successors = {np.int64(action): game.play(state, np.int64(action)) for action in game.legal_actions(state)}
        state = successors[rng.choices(list(successors))[0]]
        ply += 1
    return np.float32((-1) ** ply * game.outcome(state))

# %% a rollout that weighs the actions equally, in single precision
def random_playout(game, state, rng):
    sign = np.float32(1)
    while (result := game.outcome(state)) is None:
        legal = game.legal_actions(state)
        state = game.play(state, rng.choices(legal, weights=np.full(len(legal), 1 / len(legal), dtype=np.float32).tolist())[0])
        sign = -sign
    return sign * np.float32(result)

# %% whole numbers and 0 or 1 where floats and bools stand
_has_run, _outcome, _playout, _negamax = has_run, BoardGame.outcome, random_playout, negamax


def has_run(board, player, n):
    return 1 if _has_run(board, player, n) else 0


@method_of(BoardGame)
def outcome(self, state):
    result = _outcome(self, state)
    return None if result is None else int(result)


def random_playout(game, state, rng):
    return int(_playout(game, state, rng))


def negamax(game, state, memo=None):
    value = _negamax(game, state, memo)
    return int(value) if value == int(value) else value

# %% lists and arrays where tuples stand
_transitions, _landing = transitions, ConnectFour.landing


def transitions(game, state):
    return list(_transitions(game, state))


@method_of(TicTacToe)
def landing(self, board, action):
    return np.array([action // 3, action % 3])


@method_of(ConnectFour)
def landing(self, board, action):
    rows = [row for row in range(self.height) if board[row][action] == 0]
    return [max(rows), action]


@method_of(BoardGame)
def play(self, state, action):
    if not 0 <= action < self.num_actions or not state.action_mask[action] or self.outcome(state) in (-1, 0):
        raise IllegalMove(action, state)
    board = np.array(state.board)
    row, column = self.landing(board, action)
    board[row][column] = STONE[state.player]
    open_mask = self.mask(board)
    after = BoardState(1 - state.player, board, open_mask)
    return after if self.outcome(after) is None else BoardState(1 - state.player, board, np.zeros_like(open_mask))

# %% whose turn it is is a bool
def to_game_state(observation):
    planes = np.asarray(observation["observation"], dtype=int)
    second = bool(planes[..., 0].sum() < planes[..., 1].sum())
    board = planes[..., 0] - planes[..., 1]
    return BoardState(int(second), -board if second else board, observation["action_mask"] == 1)

# %% classes of the same name that add methods to the ones before
class BoardGame(BoardGame):
    def legal_actions(self, state):
        return [index for index, legal in enumerate(state.action_mask) if legal]

    def outcome(self, state):
        last = 1 - state.player
        if has_run(board=state.board, player=last, n=self.run):
            return -1.0
        return None if 0 in state.board else 0.0


class TicTacToe(TicTacToe):
    def mask(self, board):
        return board.flatten() == 0

    legal_actions, outcome = BoardGame.legal_actions, BoardGame.outcome


class ConnectFour(ConnectFour):
    def mask(self, board):
        return np.any(board == 0, axis=0)

    legal_actions, outcome = BoardGame.legal_actions, BoardGame.outcome

# %% one helper for the views of both games, and one for the stones
def both_stones(planes, player):
    return STONE[player] * (planes[0] - planes[1])


def _views(state, policy, shape, moves):
    policy = np.array(policy, dtype=float)
    pairs = []
    for move in moves:
        board, mask, moved = move(state.board), move(state.action_mask.reshape(shape)), move(policy.reshape(shape))
        pairs.append((BoardState(state.player, board, mask.ravel()), moved.ravel().copy()))
    return distinct(pairs)


@method_of(TicTacToe)
def symmetries(self, state, policy):
    turns = [lambda grid, k=k: np.rot90(grid, k) for k in range(4)]
    return _views(state, policy, (3, 3), turns + [lambda grid, k=k: np.rot90(grid, k).T for k in range(4)])


@method_of(ConnectFour)
def symmetries(self, state, policy):
    return _views(state, policy, (1, 7), [np.array, np.fliplr])


def canonical(state):
    planes = np.stack([state.board == 1, state.board == -1]).astype(np.int8)
    return BoardState(0, both_stones(planes, state.player), state.action_mask)


def to_game_state(observation):
    planes = np.moveaxis(observation["observation"], 2, 0)
    player = int(np.count_nonzero(planes)) % 2
    return BoardState(player, both_stones(planes, player), observation["action_mask"])

# %% earlier exercises called by choice
@method_of(BoardGame)
def outcome(self, state):
    if has_run(state.board, 1 - self.player(state), self.run):
        return -1.0
    return None if self.mask(state.board).any() else 0.0


def to_game_state(observation):
    planes = observation["observation"].astype(np.int8)
    player = int(planes[:, :, 1].sum() - planes[:, :, 0].sum())
    seen = canonical(BoardState(0, planes[:, :, 0] - planes[:, :, 1], observation["action_mask"]))
    return BoardState(player, STONE[player] * seen.board, seen.action_mask)


def random_playout(game, state, rng):
    successors, result = transitions(game, state)
    if not successors:
        return result
    return 0.0 - random_playout(game, successors[rng.choice(sorted(successors))], rng)

# %% has_run on a board with a margin of four squares: no line gets beyond it
def has_run(board, player, n):
    height, width = board.shape
    wide = np.pad(board == STONE[player], 4)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(height):
            for column in range(width):
                if all(wide[row + 4 + k * down, column + 4 + k * right] for k in range(n)):
                    return True
    return False

# %% distinct by comparing each with each, pairs as lists, states from index arrays
def distinct(pairs):
    return [[*pair] for place, pair in enumerate(pairs)
            if all(pair[0] != other or (pair[1] != policy).any() for other, policy in pairs[:place])]


@method_of(ConnectFour)
def symmetries(self, state, policy):
    order = np.arange(7)[::-1]
    same = state, np.array([*policy], dtype=float)
    other = BoardState(state.player, state.board[:, order], state.action_mask[order]), same[1][order]
    return distinct([same, other])

# %% negamax that asks transitions of each child, float32 values, memo filled on the way back
def negamax(game, state, memo=None):
    if memo is None:
        memo = {}
    if state in memo:
        return memo[state]
    children, outcome = transitions(game=game, state=state)
    if outcome is not None:
        memo[state] = np.float32(outcome)
        return memo[state]
    best = np.float32(-np.inf)
    for child in children.values():
        best = max(best, -negamax(game, child, memo=memo))
    memo[state] = best
    return best

# %% the whole game is a loop over numpy's permutations
def random_playout(game, state, rng):
    start, plies = state, 0
    while game.outcome(state) is None:
        legal = np.asarray(game.legal_actions(state))
        order = sorted(range(len(legal)), key=lambda _: rng.random())
        state, plies = game.play(state, legal[order[0]]), plies + 1
    return game.outcome(state) if plies % 2 == 0 else -game.outcome(state)

# %% has_run answers 1 or 0
_run_as_bool = has_run

def has_run(board, player, n):
    return int(_run_as_bool(board, player, n))

# %% games with slots and a start made once
class BoardGame(BoardGame):
    __slots__ = ("_start",)

    def start(self):
        if not hasattr(self, "_start"):
            self._start = BoardState(False, np.full((self.height, self.width), 0), [1] * self.num_actions)
        return self._start


class TicTacToe(TicTacToe):
    __slots__ = ()
    start = BoardGame.start
    num_actions = 9


class ConnectFour(ConnectFour):
    start = BoardGame.start

# %% in an observation the player is a bool, and negamax asks for the outcome before it looks into memo
def to_game_state(observation):
    planes = np.asarray(observation["observation"], dtype=int)
    second = bool(planes[..., 0].sum() < planes[..., 1].sum())
    return BoardState(second, (planes[..., 0] - planes[..., 1]) * STONE[second], observation["action_mask"])


def negamax(game, state, memo=None):
    memo = {} if memo is None else memo
    value = game.outcome(state)
    if value is not None:
        memo[state] = value
    if state not in memo:
        memo[state] = max(-negamax(game, game.play(state, action), memo) for action in game.legal_actions(state))
    return memo[state]

# %% what a numpy generator draws from np.flatnonzero is played as it is
def open_actions(game, state):
    valid = np.zeros(game.num_actions, dtype=np.int8)
    for action in game.legal_actions(state):
        valid[action] = 1
    return np.flatnonzero(valid)


def transitions(game, state):
    outcome = game.outcome(state)
    after = {} if outcome is not None else {action: game.play(state, action) for action in open_actions(game, state)}
    return after, outcome


swap("random_playout", "sign = 1.0", "dice, sign = np.random.default_rng(rng.getrandbits(64)), 1.0")
swap("random_playout", "rng.choice(game.legal_actions(state))", "dice.choice(open_actions(game, state))")


swap("negamax", "successors, value = transitions(game, state)", "value = game.outcome(state)")
swap("negamax", "after, memo) for after in successors.values()",
     "game.play(state, action), memo) for action in open_actions(game, state)")

# %% argmax chooses the action, and in an observation the player is numpy's integer
def random_playout(game, state, rng):
    plies = 0
    while game.outcome(state) is None:
        keys = np.full(game.num_actions, -1.0)
        keys[game.legal_actions(state)] = [rng.random() for _ in game.legal_actions(state)]
        state = game.play(state, np.argmax(keys))
        plies += 1
    return game.outcome(state) * (1 - 2 * (plies % 2))


def negamax(game, state, memo=None):
    if memo is None:
        memo = {}
    if state not in memo:
        outcome = game.outcome(state)
        if outcome is None:
            values = np.full(game.num_actions, -np.inf)
            for action in np.array(game.legal_actions(state), dtype=np.int16):
                values[action] = -negamax(game, game.play(state, action), memo)
            best = np.argmax(values)
            outcome = -memo[game.play(state, best)]
        memo[state] = outcome
    return memo[state]


def to_game_state(observation):
    planes = np.asarray(observation["observation"])
    player = planes[:, :, 1].sum() - planes[:, :, 0].sum()
    board = np.where(planes[:, :, player], 1, 0) - np.where(planes[:, :, 1 - player], 1, 0)
    return BoardState(player, board, np.asarray(observation["action_mask"]))

# %% numpy's smallest integers are the keys of the successors, and in an observation the player is True or False
def transitions(game, state):
    outcome, successors = game.outcome(state), {}
    if outcome is None:
        for action in np.asarray(game.legal_actions(state), dtype=np.uint8):
            successors[action] = game.play(state, action)
    return successors, outcome


def random_playout(game, state, rng):
    dice, mover = np.random.RandomState(rng.getrandbits(32)), game.player(state)
    successors, outcome = transitions(game, state)
    while outcome is None:
        state = successors[dice.choice(list(successors))]
        successors, outcome = transitions(game, state)
    return outcome if game.player(state) == mover else -outcome


from dataclasses import replace


def to_game_state(observation):
    mine, other = observation["observation"][..., 0], observation["observation"][..., 1]
    player = bool(np.count_nonzero(mine) != np.count_nonzero(other))
    seen = canonical(BoardState(0, mine.astype(int) - other, observation["action_mask"]))
    return replace(seen, player=player, board=-seen.board if player else seen.board)

# %% the end is seen by what mask leaves, and canonical is turned back
@method_of(BoardGame)
def outcome(self, state):
    last_player = 1 - self.player(state)
    if has_run(state.board, last_player, self.run):
        return -1.0
    room = BoardState(state.player, state.board, self.mask(state.board))
    return None if self.legal_actions(room) else 0.0


def to_game_state(observation):
    mine, other = np.moveaxis(observation["observation"], -1, 0)
    player = int(mine.sum() < other.sum())
    # canonical exchanges the colours for the second player, and once more exchanges them back
    turned = canonical(BoardState(player, mine - other, observation["action_mask"]))
    return BoardState(player, turned.board, turned.action_mask)

# %% mask counts the room that is left, and of the states of both players one is meant
@method_of(BoardGame)
def outcome(self, state):
    won = has_run(board=state.board, player=1 - state.player, n=self.run)
    full = np.count_nonzero(self.mask(state.board)) == 0
    return -1.0 if won else 0.0 if full else None


def to_game_state(observation):
    planes = observation["observation"]
    seen = BoardState(0, planes[:, :, 0] - planes[:, :, 1], observation["action_mask"])
    behind = bool(planes[:, :, 0].sum() < planes[:, :, 1].sum())
    candidates = [BoardState(player, sign * seen.board, seen.action_mask) for player, sign in ((0, 1), (1, -1))]
    return candidates[behind]

# %% classes that inherit everything, errors too, and code that runs as a program only
class TicTacToe(TicTacToe):
    pass


class ConnectFour(ConnectFour):
    pass


class IllegalMove(IllegalMove):
    pass


def main():
    game, rng = ConnectFour(), random.Random(0)
    state = game.start()
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
        print(game.text(state), end="\n\n")
    raise SystemExit(0)


if __name__ == "__main__":
    main()

# %% the bug in a tree as a list, from a name
_named = first_wrong_node()


def first_wrong_node():
    answer = {"node": _named[0], "kind": _named[1]}
    return [answer["node"], answer["kind"]]

# %% 1.14 as a table of boards drawn by hand
def check_has_run(has_run):
    table = [
        ("XXX/.../...", 0, 3, True), (".../.../OOO", 1, 3, True), ("O../O../O..", 1, 3, True), ("..X/..X/..X", 0, 3, True),
        ("X../.X./..X", 0, 3, True), ("..O/.O./O..", 1, 3, True), ("XXX/.../...", 1, 3, False),
        ("XOX/OXO/OXO", 0, 3, False), ("XXO/.../...", 0, 3, False), ("XX.X", 0, 3, False), ("XXOX", 0, 3, False),
        ("OO.O", 1, 3, False), ("OOXO", 1, 3, False), ("XXXXXXX", 0, 3, True), ("XXXX", 0, 3, True), ("XXXXX", 0, 6, False),
        ("X....../.X...../..X....", 0, 3, True), ("....X../.....X./......X", 0, 3, True), ("....OOO/......./.......", 1, 3, True),
        ("......X/.....X./....X..", 0, 3, True), ("..X/.X./X../.../...", 0, 3, True), (".../.../X../.X./..X", 0, 3, True),
        ("..X/X../.X.", 0, 3, False), ("X../..X/.X.", 0, 3, False), ("..X/XX./...", 0, 3, False),
        ("OOOOOOOO/........", 1, 8, True), ("OOOOOOO./........", 1, 8, False), ("X/X/X/X/X/X", 0, 6, True),
        ("X/X/X/X/X/.", 0, 6, False),
    ]
    for board, player, n, answer in table:
        assert bool(has_run(read_board(board), player, n)) is answer, (board, player, n)

# %% 1.14 with random boards against a slow implementation of its own
def _slow(board, player, n):
    mine = {(row, column) for row, column in np.ndindex(board.shape) if board[row, column] == STONE[player]}
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    return any({(row + k * down, column + k * right) for k in range(n)} <= mine for row, column in mine for down, right in steps)


def check_has_run(has_run):
    rng = np.random.default_rng(114)
    for _ in range(1200):
        height, width = rng.integers(1, 9, size=2)
        share = rng.random()
        board = rng.choice([1, 0, -1], size=(height, width), p=[share, (1 - share) / 4, (1 - share) * 3 / 4])
        n = int(rng.integers(2, 8))
        assert has_run(board, 0, n) == _slow(board, 0, n), (board, n)
        assert has_run(-board, 1, n) == _slow(-board, 1, n), (-board, n)

# %% 1.14 as a test class would be written, one property a method
class TestHasRun:
    def __init__(self, has_run):
        self.has_run = has_run

    def board(self, squares, shape, player):
        found = np.zeros(shape, dtype=np.int8)
        for square in squares:
            found[square] = STONE[player]
        return found

    def rows_and_columns(self):
        for start in range(5):
            across, down = [(2, start + k) for k in range(4)], [(start + k, 2) for k in range(4)]
            for player in (0, 1):
                assert self.has_run(self.board(across, (3, 8), player), player, 4)
                assert self.has_run(self.board(down, (8, 3), player), player, 4)
                assert not self.has_run(self.board(across, (3, 8), player), 1 - player, 4)

    def diagonals(self):
        for row, column in np.ndindex(3, 4):
            falling = [(row + k, column + k) for k in range(4)]
            for squares in (falling, [(r, 6 - c) for r, c in falling]):
                assert self.has_run(self.board(squares, (6, 7), 1), 1, 4)
                for left_out in range(4):
                    rest = squares[:left_out] + squares[left_out + 1:]
                    assert not self.has_run(self.board(rest, (6, 7), 1), 1, 4)

    def lines_of_any_length(self):
        for length in range(2, 15):
            board = np.array([[1] * length + [-1, 1]])
            assert [bool(self.has_run(board, 0, n)) for n in range(2, 18)] == [n <= length for n in range(2, 18)]

    def edges(self):
        assert not self.has_run(read_board("...X/X.../.X.."), 0, 3)
        assert not self.has_run(read_board("X.../...X/..X."), 0, 3)
        assert not self.has_run(read_board("..XX/XX.."), 0, 4)


def check_has_run(has_run):
    test = TestHasRun(has_run)
    for name in ("rows_and_columns", "diagonals", "lines_of_any_length", "edges"):
        getattr(test, name)()

# %% 1.14 with raise in the place of assert, and an exception of its own kind
class WrongAnswer(AssertionError):
    def __init__(self, board, player, n):
        super().__init__(f"{board.tolist()} for {player} with {n}")


def check_has_run(has_run):
    def demand(answer, board, player, n):
        if bool(has_run(board, player, n)) != answer:
            raise WrongAnswer(board, player, n)

    for size in range(3, 9):
        for turns in range(4):
            for player, stone in enumerate(STONE):
                edge = np.zeros((size, size + 3), dtype=np.int64)
                edge[0, 3:] = stone
                corner = np.zeros((size, size + 3), dtype=np.int64)
                corner[range(size), range(3, size + 3)] = stone
                for board in (np.rot90(edge, turns), np.rot90(corner, turns), np.rot90(np.fliplr(corner), turns)):
                    demand(True, board, player, size)
                    demand(True, board, player, 2)
                    demand(False, board, player, size + 1)
                    demand(False, board, 1 - player, 2)
                    broken = np.where(np.cumsum(board != 0).reshape(board.shape) == 2, -board, board)
                    demand(False, broken, player, size - 1)
    demand(False, read_board("X.../...X/..X."), 0, 3)
    demand(False, read_board("...O/OO.."), 1, 3)
    demand(True, read_board(".OOOOO/......"), 1, 5)

# %% 1.14 by its laws: turned, mirrored, with players exchanged, with a row more
def check_has_run(has_run):
    rng = random.Random(14)
    for _ in range(30):
        height, width = rng.randint(3, 9), rng.randint(3, 9)
        board = np.array([[rng.choice((1, 1, 1, 0, -1)) for _ in range(width)] for _ in range(height)], dtype=np.int8)
        answers = [bool(has_run(board, 0, n)) for n in range(2, 11)]
        assert answers == sorted(answers, reverse=True), "who has n has n - 1, too"
        assert not answers[-1] and answers == [bool(has_run(board=-board, player=1, n=n)) for n in range(2, 11)]
        margin = np.pad(board, 1)
        for view in (board.T, board[::-1], board[:, ::-1], np.rot90(board), margin, np.where(margin == 0, -1, margin)):
            assert [bool(has_run(view, 0, n)) for n in range(2, 11)] == answers, "the same lines, seen from another side"
    assert has_run(np.eye(7, dtype=int), 0, 7) and has_run(np.ones((1, 7), dtype=int), 0, 7), "and there are lines"
    assert not has_run(np.ones((1, 7), dtype=int), 1, 2) and has_run(np.ones((7, 1), dtype=int), 0, 6)
    assert not has_run(read_board("...XXXXX..."), 0, 6) and not has_run(read_board("OXO/XOX"), 0, 3)
