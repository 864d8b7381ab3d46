"""`challenge_player` as students may write it: the improvements that the course names, and broken ones.

Each text is put below our solution of problem set 3, as in a submission. The grader makes the object anew for every game and
calls `choose` alone, so a player that keeps its tree finds the answer of the other player itself.
"""

KEPT = '''
class Keeping(Searcher):
    """Keeps its tree: what the other player answered is the child with the state that we are asked about."""

    def choose(self, state, simulations, rng):
        children = self.root.children if self.root is not None else {}
        answer = next((action for action, child in children.items() if child.state == state), None)
        self.observe(answer)
        action = super().choose(state, simulations, rng)
        self.observe(action)
        return action


def challenge_player(game):
    return Keeping(game)
'''

PROOFS = '''
class Proving:
    def __init__(self, game):
        self.game = game

    def choose(self, state, simulations, rng):
        return solve(self.game, state, simulations, rng)[0]


def challenge_player(game):
    return Proving(game)
'''

TACTICS = '''
def challenge_player(game):
    return Searcher(game, tactical_rollout)
'''

ANOTHER_C = '''
def challenge_player(game):
    return Searcher(game, c=1.0)
'''

ALL = '''
class Everything(Searcher):
    """A kept tree, proofs, tactical rollouts and c = 1."""

    def choose(self, state, simulations, rng):
        children = self.root.children if self.root is not None else {}
        self.observe(next((action for action, child in children.items() if child.state == state), None))
        root = self.root = self.root or Node(self.game, state)
        for _ in range(simulations):
            if root.proven is not None:
                break
            leaf = root
            while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
                unknown = [child for child in leaf.children.values() if child.proven is None]
                leaf = max(unknown, key=lambda child: bound(child, self.c))
            if leaf.outcome is None:
                leaf = expand(self.game, leaf, rng)
            backup(leaf, self.rollout(self.game, leaf.state, rng))
            prove(leaf)
        best = max(root.children.values(), key=lambda child: (-(child.proven or 0.0), child.num_visits))
        self.observe(best.action)
        return best.action


def challenge_player(game):
    return Everything(game, tactical_rollout, 1.0)
'''

IMPROVEMENTS = {"a kept tree": KEPT, "proofs": PROOFS, "another c, 1": ANOTHER_C, "tactics": TACTICS, "all of them": ALL}

ANSWER_FORGOTTEN = '''
class Forgetting(Searcher):
    """Follows its own moves and never the answers: it searches where the other player was to move."""

    def choose(self, state, simulations, rng):
        legal = self.game.legal_actions(state)
        if self.root is None or self.root.outcome is not None:
            self.root = Node(self.game, state)
        action = super().choose(self.root.state, simulations, rng)
        self.observe(action)
        return action if action in legal else legal[0]


def challenge_player(game):
    return Forgetting(game)
'''

PROOFS_FLIPPED = '''
class Flipped:
    """Prefers what is proven won for the other player."""

    def __init__(self, game):
        self.game = game

    def choose(self, state, simulations, rng):
        _, root = solve(self.game, state, simulations, rng)
        return max(root.children.values(), key=lambda child: (child.proven or 0.0, child.num_visits)).action


def challenge_player(game):
    return Flipped(game)
'''

BROKEN = {"the answer is not followed": ANSWER_FORGOTTEN, "proofs with the wrong sign": PROOFS_FLIPPED}
