"""A game at the board as requests and answers, both plain data for JSON; a page or a notebook carries them.

A request names what to do; every answer holds the board as it then is, or `error`, a sentence for the reader.

    {"do": "games"}                                       the games and their opponents
    {"do": "new", "game": "othello", "opponent": "uct", "you": "X", "simulations": 400}
    {"do": "position", "game": "connect_four", "moves": "4435"}      open a position; you are the player to move; with "to": 2
                                                          the line is all these moves, and two of them are shown
    {"do": "play", "action": 3}
    {"do": "undo"}                                        back to your last turn; the moves that were played stay in the line
    {"do": "step", "to": 7}                               look at the position after 7 moves of the line; the opponent waits
    {"do": "think", "simulations": 50}                    the opponent thinks on; with its budget used up, it plays
    {"do": "minds", "step": 10}                           the four minds on the position, after 10 more simulations of the
                                                          searches, or with "step" 0 after one more move of the solver
    {"do": "curve"}                                       what was thought of every position of the line
    {"do": "summary"}                                     at the end: the result for you, and the move that decided it

A field that is left out keeps its present value; without moves a game begins where the session's first game began, as a rule
at its start. Another move than that of the line begins a new line. Values in thoughts are for the player to move; those of the
curve are for X. An answer with `waiting`, a few words, asks for the same request again soon.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from arena.board import engines
from arena.board.minds import MOST_SIMULATIONS, Mind
from arena.board.opponents import NOBODY, Opponent, catalogue, think_truth, think_uct
from arena.board.positions import GAMES, TITLES, Position, describe, open_position
from arena.board.truth import Decision, deciding_move
from arena.errors import UserError
from arena.games import result_for

Answer: TypeAlias = dict[str, Any]
MOST_STEPS = 5_000  # simulations in one request, so that each is answered soon
RESULTS = {1.0: "You won", -1.0: "You lost"}
SOLVER, UCT, NETWORK, ALPHAZERO = "solver", "uct", "network", "alphazero"


class Session:
    """One reader at one board.

    Args:
        more: more opponents of a game, in front of those that ship.
        game: the first game.
        moves: with which each new game of the first game begins.
        seed: of all random choices; None: other choices every time.
    """

    def __init__(self, more: Callable[[str], Sequence[Opponent]] = lambda game: (), *, game: str = "connect_four",
                 moves: str = "", seed: int | None = None) -> None:
        self._opponents = catalogue(more)
        self._rng = random.Random(seed)
        self._does = {"games": self._games, "new": self._new, "position": self._open, "play": self._play, "undo": self._undo,
                      "step": self._step, "think": self._think, "minds": self._show_minds, "curve": self._show_curve,
                      "summary": self._summarize}
        self._first = open_position(game, moves)
        self._you = self._first.mover
        self._begin(self._first, self._opponents[game][0])

    def answer(self, request: Any) -> Answer:
        """Carry out a request and return the answer; a request that cannot be carried out changes nothing."""
        try:
            if not isinstance(request, dict):
                raise UserError("a request is an object with a field `do`")
            do = self._does.get(_text(request, "do", ""))
            if do is None:
                raise UserError(f"a request is one of {', '.join(self._does)}")
            answer = do(request)
        except UserError as error:
            answer = {"error": str(error)}
        except engines.Loading as loading:
            answer = {"waiting": str(loading)}
        return {"board": self._board(), **answer}

    def _begin(self, position: Position, opponent: Opponent) -> None:
        self._opponent, self._simulations = opponent, opponent.simulations
        self._curve: list[dict[str, float]] = []
        self._move_to(position)

    def _move_to(self, position: Position) -> None:
        """Go to a position; what was thought about the one before it is forgotten."""
        self._line = position  # what was played; the reader may look at an earlier position of it
        self._decision: Decision | None = None
        self._look_at(position)
        kept = self._curve[:len(position.actions)]
        self._curve = [*kept, *({} for _ in range(len(position.actions) + 1 - len(kept)))]

    def _look_at(self, position: Position) -> None:
        self._position = position
        self._mind: Mind | None = None
        self._minds: dict[str, Mind] = {}

    def _board(self) -> Answer:
        opponent = self._opponent
        return {
            **describe(self._position), "line": list(self._line.actions), "you": "XO"[self._you], "turn": self._turn(),
            "opponent": {"key": opponent.key, "name": opponent.name, "simulations": self._simulations},
            "mistakes": self._mistakes(),
        }

    def _mistakes(self) -> list[Answer]:
        """Return the deciding move, once it is known, for the marks of the board: its ply, better actions, the value after it."""
        move = self._decision
        if move is None:
            return []
        return [{"ply": move.number - 1, "better": list(move.better), "value": _result_for_x(self._line)}]

    def _turn(self) -> str:
        """Return whose turn it is: "you", "opponent", or "nobody" when the game is over or an earlier turn is looked at."""
        if self._position.over:
            return "nobody"
        if self._opponent.key == NOBODY or self._position.mover == self._you:
            return "you"
        return "opponent" if self._position.actions == self._line.actions else "nobody"

    def _games(self, request: Answer) -> Answer:
        return {"games": [{"game": game, "title": TITLES[game], "opponents": [_listed(each) for each in self._opponents[game]]}
                          for game in GAMES]}

    def _new(self, request: Answer) -> Answer:
        name = _text(request, "game", self._position.name)
        usual = self._first.moves if name == self._first.name else ""
        return self._start_with(request, open_position(name, _text(request, "moves", usual)), "XO"[self._you])

    def _open(self, request: Answer) -> Answer:
        """Open a position; its opponent waits, as the reader is to move unless the request says otherwise."""
        line = open_position(_text(request, "game", self._position.name), _text(request, "moves", ""))
        shown = line.back_to(_whole(request, "to", len(line.actions), len(line.actions)))
        answer = self._start_with(request, line, "XO"[shown.mover])
        self._look_at(shown)
        return answer

    def _start_with(self, request: Answer, position: Position, you: str) -> Answer:
        usual = self._opponent.key if position.name == self._position.name else self._opponents[position.name][0].key
        opponent = self._named(position.name, _text(request, "opponent", usual))
        chosen = self._simulations if opponent is self._opponent else opponent.simulations
        simulations = _whole(request, "simulations", chosen, MOST_SIMULATIONS) if opponent.adjustable else opponent.simulations
        if opponent.adjustable and simulations < 1:
            raise UserError("a search needs at least 1 simulation")
        you = _text(request, "you", you)
        if you not in ("X", "O"):
            raise UserError("`you` is X or O")
        self._you = "XO".index(you)
        self._begin(position, opponent)
        self._simulations = simulations
        return {}

    def _named(self, game: str, key: str) -> Opponent:
        known = {opponent.key: opponent for opponent in self._opponents[game]}
        if key not in known:
            raise UserError(f"{TITLES[game]} has no opponent {key[:40]!r}; choose from {', '.join(known)}")
        return known[key]

    def _play(self, request: Answer) -> Answer:
        if not self._position.over and self._turn() != "you":
            raise UserError(f"it is the turn of {self._opponent.name}")
        self._move_to(self._position.play(_whole(request, "action", None, self._position.game.num_actions - 1)))
        return {}

    def _undo(self, request: Answer) -> Answer:
        position = self._position
        for ply in reversed(range(len(position.actions))):
            earlier = position.back_to(ply)
            if self._opponent.key == NOBODY or earlier.mover == self._you:
                self._look_at(earlier)
                return {}
        raise UserError("you have no move to take back")

    def _step(self, request: Answer) -> Answer:
        self._look_at(self._line.back_to(_whole(request, "to", None, len(self._line.actions))))
        return {}

    def _think(self, request: Answer) -> Answer:
        """Let the opponent think; its search ends at its budget, or when it knows all."""
        if self._turn() != "opponent":
            raise UserError("it is not the opponent's turn")
        if self._mind is None:
            self._mind = self._opponent.think(self._position, self._simulations, self._rng)
        made = self._mind.thought().simulations
        count = _whole(request, "simulations", MOST_STEPS, MOST_STEPS)
        self._mind.step(min(count, self._simulations - made) if self._simulations else 1)
        thought = self._mind.thought()
        answer: Answer = {"thought": thought.to_json(), "budget": self._simulations, "about": describe(self._position),
                          "played": None}
        if thought.value is not None:
            self._note("opponent", thought.value)
        ended = thought.done or 0 < self._simulations <= thought.simulations
        if ended and thought.best is not None:
            answer["played"] = thought.best
            self._move_to(self._position.play(thought.best))
        return answer

    def _show_minds(self, request: Answer) -> Answer:
        if self._position.over:
            raise UserError("the game is over, so there is no move to think about")
        count = _whole(request, "step", 0, MOST_STEPS)
        absent: dict[str, Answer] = {}
        for name in (SOLVER, UCT, NETWORK, ALPHAZERO):
            try:
                if name not in self._minds:
                    self._minds[name] = self._new_mind(name)
            except engines.Loading as loading:
                absent[name] = {"waiting": str(loading)}
            except UserError as error:
                absent[name] = {"missing": str(error)}
        waiting = any("waiting" in answer for name, answer in absent.items() if name != SOLVER)
        made = 0 if waiting else count  # the searches keep in step
        for name, mind in self._minds.items():
            mind.step(int(count == 0) if name == SOLVER else made)
        return {"stepped": made, "minds": {name: absent.get(name) or self._shown(name)
                                           for name in (SOLVER, UCT, NETWORK, ALPHAZERO)}}

    def _shown(self, name: str) -> Answer:
        thought = self._minds[name].thought()
        if name in (SOLVER, NETWORK) and thought.value is not None:
            self._note(name, thought.value)
        return thought.to_json()

    def _new_mind(self, name: str) -> Mind:
        position = self._position
        if name == SOLVER:
            return think_truth(position, 0, self._rng)
        if name == UCT:
            return think_uct(position, 0, self._rng)
        net = engines.usual_net(position.name).get()
        return net.prior(position.state) if name == NETWORK else net.puct(position.state)

    def _show_curve(self, request: Answer) -> Answer:
        """Return, for each position of the game, the values for X; the network is asked about every position."""
        answer: Answer = {}
        line = self._line
        try:
            net = engines.usual_net(line.name).get()
            for ply, point in enumerate(self._curve):
                at = line.back_to(ply)
                if NETWORK not in point and not at.over:
                    value = net.prior(at.state).thought().value
                    point[NETWORK] = _for_x(at, value or 0.0)
        except engines.Loading as loading:
            answer["waiting"] = str(loading)
        except UserError as error:
            answer["missing"] = str(error)
        if line.over:
            self._curve[-1]["result"] = _result_for_x(line)
        return {**answer, "curve": self._curve}

    def _summarize(self, request: Answer) -> Answer:
        """Return a sentence on a finished game against somebody; the caption has said a draw, so only its move is new."""
        line = self._line
        if not line.over or self._opponent.key == NOBODY:
            return {"summary": ""}
        result = result_for(line.game, line.state, self._you)
        self._decision = move = deciding_move(line, self._you)
        if result == 0.0:
            return {"summary": f"Move {move.number} gave the win away." if move else ""}
        return {"summary": RESULTS[result] + (f": move {move.number} gave it away" if move else "") + "."}

    def _note(self, whose: str, value: float) -> None:
        """Keep a value of the present position, which is for the player to move, for the curve."""
        self._curve[len(self._position.actions)][whose] = _for_x(self._position, value)


def _for_x(position: Position, value: float) -> float:
    return value if position.mover == 0 else 0.0 - value


def _result_for_x(line: Position) -> float:
    return result_for(line.game, line.state, 0)


def _listed(opponent: Opponent) -> Answer:
    return {"key": opponent.key, "name": opponent.name, "description": opponent.description, "simulations": opponent.simulations,
            "adjustable": opponent.adjustable}


def _text(request: Answer, field: str, default: str) -> str:
    value = request.get(field, default)
    if not isinstance(value, str):
        raise UserError(f"`{field}` must be a text")
    return value


def _whole(request: Answer, field: str, default: int | None, most: int) -> int:
    """Return a whole number of a request, 0 .. `most`; with None for `default` the request must have it."""
    value = request.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise UserError(f"`{field}` must be a whole number from 0 to {most:,}")
    return value
