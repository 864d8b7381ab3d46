# Implementations of 1.3, right and wrong, for the checks that students write in 1.14; the form is in tests/hidden/break_it.py.

# %% right: has_run with plain loops over squares
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

# %% right: has_run by counting along every line of the board
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

# %% right: has_run by folding windows
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

# %% wrong: no columns
# hint: which directions can a line have?
swap("has_run", "lambda line: line[1:] & line[:-1],", "")

# %% wrong: no rising diagonals
# hint: how many kinds of diagonals are there?
swap("has_run", "lambda line: line[1:, :-1] & line[:-1, 1:],", "")

# %% wrong: any stones make a row, whoever's
# hint: to which player must every stone of a line belong?
swap("has_run", "board == STONE[player]", "board != 0")

# %% wrong: the count is not set back at a stone of the other
# hint: what happens to your count where the other player has a stone?
def has_run(board, player, n):
    diagonals = [grid.diagonal(k) for grid in (board, np.fliplr(board)) for k in range(-len(board), board.shape[1])]
    lines = ["".join("O.X"[int(stone * STONE[player]) + 1] for stone in line) for line in (*board, *board.T, *diagonals)]
    return any("X" * n in line.replace("O", "") for line in lines)

# %% wrong: a longer line does not count
# hint: are n stones in a line, if the line has more than n?
swap("has_run", "line.any()", "line.sum() - 2 * add_a_stone(line).sum() + add_a_stone(add_a_stone(line)).sum()")

# %% wrong: negative indices read the board from behind
# hint: what is to the left of the first column, and what does numpy read there?
swap("has_run", "line[1:, :-1] & line[:-1, 1:]", "np.roll(line, 1, axis=1)[1:] & line[:-1]")

# %% wrong: the last diagonals are left out
# hint: does your last diagonal reach the edge of the board?
swap("has_run", "for add_a_stone in longer", "for number, add_a_stone in enumerate(longer)")
put("has_run", "if line.any", "if number > 1:\n    line = line[:, :-1] if number == 2 else line[:, 1:]")

# %% wrong: the board's height is taken for its width
# hint: which squares do you look at, if the board is not square?
put("has_run", "longer =", "board = board[:, :board.shape[0]]")

# %% wrong: a window of n times n slides over the board, so boards lower than n have no lines
# hint: how many rows must a board have for a line in one row?
put("has_run", "longer =", "if min(board.shape) < n:\n    return False")

# %% wrong: no line is longer than five
# hint: for which n have you tried your function?
put("has_run", "longer =", "n = min(n, 5)")
