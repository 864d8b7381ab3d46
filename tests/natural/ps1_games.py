# %% 1.1: Connect Four has as many actions as squares, 42, instead of one for each column
class ConnectFour(BoardGame):
    """Four in a row on six rows and seven columns; action a drops a stone into column a."""

    height, width, run = 6, 7, 4

    @property
    def num_actions(self) -> int:
        """How many actions there are: they are the ints 0 .. num_actions - 1, at every state."""
        return self.height * self.width

# %% 1.1: player counts the stones instead of reading what the state says
@method_of(BoardGame)
def player(self, state):
    return 0 if state.board.sum() == 0 else 1

# %% 1.1: width and height of the empty board exchanged
@method_of(BoardGame)
def start(self):
    board = np.zeros((self.width, self.height), dtype=np.int8)
    return BoardState(0, board, np.ones(self.num_actions, dtype=bool))

# %% 1.2: legal_actions asks the board anew and not the state's mask, so there are moves after the end
@method_of(BoardGame)
def legal_actions(self, state):
    return [action for action, free in enumerate(self.mask(state.board)) if free]

# %% 1.2: a Connect Four column is closed only by a stone of X on top, O's stones do not count
@method_of(ConnectFour)
def mask(self, board):
    return ~(board[0] > 0)

# %% 1.2: the mask of Tic-Tac-Toe is not flattened
@method_of(TicTacToe)
def mask(self, board):
    return board == 0

# %% 1.3: only IndexError guards the edge, so the rising diagonal goes around the left side with negative columns
def has_run(board, player, n):
    stone = STONE[player]
    rows, columns = board.shape
    for row in range(rows):
        for column in range(columns):
            for d_row, d_column in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                try:
                    if all(board[row + k * d_row, column + k * d_column] == stone for k in range(n)):
                        return True
                except IndexError:
                    pass
    return False

# %% 1.3: the stones of a whole row, column or diagonal are added up, gaps do not interrupt
def has_run(board, player, n):
    own = board == STONE[player]
    rows, columns = own.shape
    if (own.sum(axis=0) >= n).any() or (own.sum(axis=1) >= n).any():
        return True
    for offset in range(-rows + 1, columns):
        if np.diagonal(own, offset).sum() >= n:
            return True
        if np.diagonal(np.fliplr(own), offset).sum() >= n:
            return True
    return False

# %% 1.3: off by one, the last diagonal in the upper right (and upper left) corner is never looked at
def has_run(board, player, n):
    own = board == STONE[player]
    rows, columns = own.shape
    lines = [own[row] for row in range(rows)] + [own[:, column] for column in range(columns)]
    for offset in range(-(rows - n), columns - n):
        lines.append(np.diagonal(own, offset))
        lines.append(np.diagonal(np.fliplr(own), offset))
    for line in lines:
        count = 0
        for mine in line:
            count = count + 1 if mine else 0
            if count >= n:
                return True
    return False

# %% 1.4: while the mask still shows room the game is said to go on, even when there is a line
@method_of(BoardGame)
def outcome(self, state):
    if state.action_mask.any():
        return None
    if has_run(state.board, 1 - state.player, self.run):
        return -1.0
    return 0.0

# %% 1.4: a full board is a draw before anybody asks for a line
@method_of(BoardGame)
def outcome(self, state):
    if not (state.board == 0).any():
        return 0.0
    if has_run(state.board, 1 - state.player, self.run):
        return -1.0
    return None

# %% 1.4: the outcome is told from X's side: +1 where X has a line, -1 where O has
@method_of(BoardGame)
def outcome(self, state):
    if has_run(state.board, 0, self.run):
        return 1.0
    if has_run(state.board, 1, self.run):
        return -1.0
    if np.all(state.board != 0):
        return 0.0
    return None

# %% 1.5: only too large actions are refused, -1 is taken for the last square or column
@method_of(BoardGame)
def play(self, state, action):
    if action >= self.num_actions or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    other = 1 - state.player
    mask = self.mask(board)
    if self.outcome(BoardState(other, board, mask)) is not None:
        mask = np.zeros(self.num_actions, dtype=bool)
    return BoardState(other, board, mask)

# %% 1.5: the old state is asked whether the game is over, so after a winning move the mask still shows moves
@method_of(BoardGame)
def play(self, state, action):
    if action not in range(self.num_actions) or not state.action_mask[action]:
        raise IllegalMove(action, state)
    board = state.board.copy()
    board[self.landing(board, action)] = STONE[state.player]
    mask = self.mask(board)
    if self.outcome(state) is not None:
        mask = np.zeros(self.num_actions, dtype=bool)
    return BoardState(1 - state.player, board, mask)

# %% 1.5: the square above the first stone; in an empty column that is row -1
@method_of(ConnectFour)
def landing(self, board, action):
    first_stone = int(np.argmax(board[:, action] != 0))
    return first_stone - 1, action

# %% 1.6: "if result" takes a draw for a game that goes on
def transitions(game, state):
    result = game.outcome(state)
    if result:
        return {}, result
    successors = {}
    for action in game.legal_actions(state):
        successors[action] = game.play(state, action)
    return successors, None

# %% 1.6: every action is played after the one before, not from the same state
def transitions(game, state):
    result = game.outcome(state)
    if result is not None:
        return {}, result
    successors = {}
    for action in game.legal_actions(state):
        state = game.play(state, action)
        successors[action] = state
        if game.outcome(state) is not None:
            break
    return successors, None

# %% 1.6: looks into the state for the mask, so other games do not work
def transitions(game, state):
    result = game.outcome(state)
    if result is not None:
        return {}, result
    actions = [int(action) for action in np.flatnonzero(state.action_mask)]
    return {action: game.play(state, action) for action in actions}, None

# %% 1.7: colours changed, but the player stays who it was
def canonical(state):
    return BoardState(state.player, STONE[state.player] * state.board, state.action_mask)

# %% 1.7: the colours are exchanged always, also where X is to move
def canonical(state):
    return BoardState(0, -state.board, state.action_mask)

# %% 1.7: the mask is computed anew from the board, so a finished game has legal actions again
def canonical(state):
    board = state.board * STONE[state.player]
    if board.shape == (3, 3):
        mask = (board == 0).ravel()
    else:
        mask = board[0] == 0
    return BoardState(0, board, mask)

# %% 1.8: distinct looks at the states only, the policies are not compared
def distinct(pairs):
    seen = set()
    result = []
    for state, policy in pairs:
        if state not in seen:
            seen.add(state)
            result.append((state, policy))
    return result

# %% 1.8: board and policy are mirrored, the mask is forgotten
@method_of(ConnectFour)
def symmetries(self, state, policy):
    policy = np.array(policy, dtype=float)
    mirrored = BoardState(state.player, np.fliplr(state.board), state.action_mask)
    return distinct([(state, policy), (mirrored, np.flip(policy).copy())])

# %% 1.8: no copies: the first pair holds the caller's policy itself, the second a view of it
@method_of(ConnectFour)
def symmetries(self, state, policy):
    policy = np.asarray(policy, dtype=float)
    mirrored = BoardState(state.player, np.fliplr(state.board), np.flip(state.action_mask))
    return distinct([(state, policy), (mirrored, np.flip(policy))])

# %% 1.9: "while not outcome" does not stop at a draw
def random_playout(game, state, rng):
    sign = 1.0
    while not game.outcome(state):
        state = game.play(state, rng.choice(game.legal_actions(state)))
        sign = -sign
    return sign * game.outcome(state)

# %% 1.9: the result is told for player 0 and not for the player to move where the rollout began
def random_playout(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    result = game.outcome(state)
    return result if game.player(state) == 0 else -result

# %% 1.9: draws from the module random and not from rng
def random_playout(game, state, rng):
    plies = 0
    while game.outcome(state) is None:
        action = random.choice(game.legal_actions(state))
        state = game.play(state, action)
        plies += 1
    return (-1) ** plies * game.outcome(state)

# %% 1.10: "memo or {}" throws away the empty dictionary of the caller
def negamax(game, state, memo=None):
    memo = memo or {}
    if state in memo:
        return memo[state]
    successors, value = transitions(game, state)
    if value is None:
        value = max(-negamax(game, after, memo) for after in successors.values())
    memo[state] = value
    return value

# %% 1.10: stops at the first winning move, so the memo lacks what comes after the others
def negamax(game, state, memo=None):
    if memo is None:
        memo = {}
    if state in memo:
        return memo[state]
    successors, value = transitions(game, state)
    if value is None:
        value = -1.0
        for after in successors.values():
            value = max(value, -negamax(game, after, memo))
            if value == 1.0:
                break
    memo[state] = value
    return value

# %% 1.10: finished states are not written into the memo
def negamax(game, state, memo=None):
    if memo is None:
        memo = {}
    if state in memo:
        return memo[state]
    result = game.outcome(state)
    if result is not None:
        return result
    best = -float("inf")
    for action in game.legal_actions(state):
        best = max(best, -negamax(game, game.play(state, action), memo))
    memo[state] = best
    return best

# %% 1.11: plane 0 is always taken for X, no flip for the second player
def to_game_state(observation):
    planes = np.asarray(observation["observation"])
    mine, other = planes[:, :, 0], planes[:, :, 1]
    player = 0 if mine.sum() == other.sum() else 1
    return BoardState(player, mine - other, observation["action_mask"])

# %% 1.11: the board is made in place and changes the observation
def to_game_state(observation):
    mine = observation["observation"][:, :, 0]
    other = observation["observation"][:, :, 1]
    player = 0 if mine.sum() == other.sum() else 1
    mine -= other
    if player == 1:
        mine *= -1
    return BoardState(player, mine, observation["action_mask"])

# %% 1.11: compares the stones the wrong way round, so the player to move is always 0
def to_game_state(observation):
    planes = np.asarray(observation["observation"])
    mine, other = planes[:, :, 0], planes[:, :, 1]
    player = 1 if mine.sum() > other.sum() else 0
    return BoardState(player, STONE[player] * (mine - other), observation["action_mask"])
