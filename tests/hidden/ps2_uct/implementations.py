# Implementations of 2.5, right and wrong, for the checks that students write in 2.15; the form is in tests/hidden/break_it.py.

# %% right: recursive backpropagate
def backpropagate(node, value):
    if node is None:
        return
    node.num_visits += 1
    node.total_value += value
    backpropagate(node.parent, -value)

# %% right: backpropagate with a sign and a for loop over the path
def backpropagate(node, value):
    path = []
    while node:
        path.append(node)
        node = node.parent
    for height, node in enumerate(path):
        node.num_visits = node.num_visits + 1
        node.total_value = node.total_value + (-1) ** height * value

# %% wrong: backpropagate does not flip the sign
# hint: a win for one player is what for the other, one ply up?
swap("backpropagate", "-value", "value")

# %% wrong: the sign flips before the leaf
# hint: whose result is the value that is given: what does the given node itself get?
put("backpropagate", "while", "value = -value")

# %% wrong: the sign flips once and then stays
# hint: what does a node three or more plies up get?
put("backpropagate", "while", "first = value")
swap("backpropagate", "-value", "-first")

# %% wrong: the root is left out
# hint: which is the last node on the way up?
swap("backpropagate", "while node is", "while node.parent is")

# %% wrong: only the leaf is visited
# hint: which nodes took part in the simulation?
swap("backpropagate", "node.num_visits += 1\nnode.total", "node.total")
put("backpropagate", "while", "node.num_visits += 1")

# %% wrong: the value is replaced instead of added
# hint: what if there is a total already?
swap("backpropagate", "node.total_value += value", "node.total_value = value")

# %% wrong: a draw is no visit
# hint: which results are there besides a win and a loss?
swap("backpropagate", "node is not None", "node is not None and value")

# %% wrong: the value is cut to an integer
# hint: must a result be a whole number?
swap("backpropagate", "node.total_value += value", "node.total_value += int(value)")

# %% wrong: siblings of the path are visited too
# hint: which nodes does the simulation not go through, and what happens to them?
put("backpropagate", "node, value =",
    "for sibling in node.parent.children.values() if node.parent else ():\n    sibling.num_visits += sibling is not node")

# %% wrong: at most ten nodes up
# hint: how deep can a tree be?
swap("backpropagate", "while node is not None:", "for _ in range(10):\n    if node is None:\n        return")
