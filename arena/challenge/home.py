"""The challenge at home: a student's player climbs the ladder, and its report says what to do next.

The matches, their verdicts and the points are those of the exam; the openings are drawn by the public edition, and no exam of
that edition uses them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.challenge.bootstrap import bootstrap_interval
from arena.challenge.kinds import BEGINS, FILES, OPEN, SAYS
from arena.challenge.ladder import Ladder, Rung
from arena.challenge.match import ALIKE, STOPPED, RungResult, Seeds, climb, lost_alike, way_of
from arena.challenge.mistakes import Lesson, lessons, mistake_report
from arena.challenge.move_quality import quality_points
from arena.challenge.report import PLAYED, ChallengeReport, QualityReport, RungReport, Verdict, counted
from arena.challenge.report_text import rung_text
from arena.challenge.standing import HomePlayer, Standing, test_of
from arena.challenge.summary import closing, typed
from arena.check import PASSED
from arena.edition import PUBLIC_SECRET
from arena.errors import Interrupted, UserError, explain_os_error
from arena.files import write_atomic
from arena.players.perfect import PerfectPlayer
from arena.progress import Live
from arena.result import MatchResult
from arena.strength.positions import answers, rates, sample

Tell = Callable[[str], None]
Verdicts = list[tuple[str, str]]  # (verdict, text) of visible checks, see `arena.check`
EVIDENCE = ("evidence: the logarithm of how much likelier your scores are for a passing player than for a failing one; "
            "+{bar:.1f} (ln {odds:g}: {odds:g} to 1) passes, -{bar:.1f} fails")
NOTE = "Played at home, from openings and positions of the public edition: these points do not count."


@dataclass(frozen=True)
class Home:
    """The conditions at home.

    Args:
        name: the hash of all bytes that decide how the player plays; the seeds are derived from it.
        folder: where the report goes; the current folder if nothing can be written there.
        ladder: all rungs. rung: the one that is played; None: all, up to the first that is not passed.
        quality: whether move quality is measured too.
        program: the words by which the `arena` that runs here is called again.
    """

    problem_set: str
    name: str
    folder: Path
    ladder: Ladder
    rung: Rung | None = None
    quality: bool = False
    program: tuple[str, ...] = ("arena",)

    @property
    def played(self) -> Ladder:
        """The ladder as it is played here."""
        return replace(self.ladder, rungs=(self.rung,), highest=self.rung.name) if self.rung else self.ladder


def rung_named(ladder: Ladder, name: str | None) -> Rung | None:
    """Return the rung of this name, None without a name; UserError with the known names if no rung has it."""
    try:
        return ladder.rung(name) if name else None
    except KeyError as error:
        raise UserError(error.args[0]) from None


@dataclass(frozen=True)
class Entry:
    """What a student enters at home: the players of one file, the one that the exam asks first.

    Args:
        name, folder: see `Home`.
        shown: the file, and where its code runs, in words.
        checks: runs the visible checks of each player, by its kind.
    """

    problem_set: str
    name: str
    folder: Path
    shown: str
    players: Sequence[HomePlayer]
    checks: Callable[[str], Verdicts]


def enter(entry: Entry, ladder: Ladder, rung: Rung | None, quality: bool, program: tuple[str, ...], tell: Tell) -> None:
    """Run the visible checks of the players, and let the players of an entry climb the ladder; see `Home` and `hold`."""
    tell(f"your player: {entry.shown}. The visible checks of its exercises run first")
    for player in entry.players:
        for line in warnings(player.kind, entry.checks(player.kind)):
            tell(line)
    hold(Home(entry.problem_set, entry.name, entry.folder, ladder, rung, quality, program), entry.players, tell)


def warnings(kind: str, verdicts: Verdicts) -> list[str]:
    """Return what to say of the visible checks of a player: each that does not pass, and that the challenge goes on."""
    failed = [text for verdict, text in verdicts if verdict != PASSED]
    if not failed:
        return [f"visible checks passed: {len(verdicts)} of {len(verdicts)}"] if verdicts else []
    return [*failed, f"warning: {len(failed)} of the {len(verdicts)} visible checks behind `{kind}` do not pass. The challenge "
            "goes on; the exam enters a player only when everything together passes its hidden check"]


def hold(home: Home, players: Iterable[HomePlayer], tell: Tell = print) -> None:
    """Let each player climb the ladder, save a report of each, and tell how it went and what to do next.

    Raises:
        UserError: a player is not written yet, or no report can be written.
        Interrupted: Ctrl-C; the report of the games until then is saved and shown.
    """
    tell(EVIDENCE.format(bar=test_of(home.ladder.rungs[0], home.ladder, ()).bar, odds=home.ladder.error_odds))
    for player in players:
        tell(f"\n{SAYS[player.kind]}; {home.ladder.student_simulations} simulations a move"
             if player.kind != OPEN else f"\n{SAYS[player.kind]}")
        climbed = _Climb(home, player, tell)
        climbed.play()
        if not climbed.results:
            raise Interrupted("stopped before two games were over; nothing is saved")
        report, worst = climbed.report()
        path = _save(report, home.folder, FILES[player.kind])
        for line in closing(report, worst, home.ladder, player.kind):
            tell(line)
        tell(f"saved: {path.resolve()}")
        tell(f"to see your games: {typed([*home.program, 'replay', str(path), *_game_to_see(report, worst)])}")
        if climbed.stopped:
            raise Interrupted("stopped; the games until then are above and in the file")


class _Climb:
    """One player's way up the ladder at home."""

    def __init__(self, home: Home, player: HomePlayer, tell: Tell) -> None:
        self.home, self.player, self.tell = home, player, tell
        self.seeds = Seeds(PUBLIC_SECRET, home.name, at_home=True)
        self.standing = Standing(home.ladder, player)
        self.results: list[RungResult] = []
        self.quality: QualityReport | None = None
        self.stopped = False  # by Ctrl-C, or by a part that is not written

    def play(self) -> None:
        """Play the rungs, and the positions of move quality if they are wanted."""
        with Live(self.standing.line) as live:
            try:
                for result in climb(self.player, self.home.played, self.seeds, self.standing.watch):
                    self.results.append(result)
                    live.tell(self._sentence(result), self.tell)
                if self.home.quality:
                    self.quality = self._quality()
            except KeyboardInterrupt:
                self.stopped = True
            except NotImplementedError as error:
                if not self.results and not self.standing.games:
                    raise UserError(f"{error}: the challenge begins when {BEGINS[self.player.kind]} is written") from None
                reason = f"{error}. In the exam such a game is lost; here the climb ends, and the games so far are kept"
                live.tell(reason, self.tell)
                self.stopped = True
        if self.stopped:
            self._keep_unfinished()

    def _keep_unfinished(self) -> None:
        rung, games = self.standing.rung, self.standing.games
        if rung and games and rung not in [result.rung for result in self.results]:
            ratio = test_of(rung, self.home.ladder, games).ratio
            self.results.append(RungResult(rung, STOPPED, ratio, MatchResult(("you", rung.name), games)))
            self.tell(self._sentence(self.results[-1]))

    def _sentence(self, result: RungResult) -> str:
        lines = [f"{rung_text(self._rung(result))}, evidence {result.ratio:+.1f}"]
        faults: dict[object, list[str]] = {}
        for game in result.match.games:
            if game.fault and game.fault.by == 0:
                faults.setdefault(way_of(game), []).append(game.fault.reason)
        for reasons in faults.values():
            alike = ", and alike" if len(set(reasons)) > 1 else ""
            times = f"in {len(reasons)} of {len(result.match.games)} games"
            lines.append(f"    lost by a mistake, not on the board, {times}: {reasons[0]}{alike}")
        if result.verdict == STOPPED and lost_alike(result.match.games):
            lines.append(f"    {result.rung.name} ends here: the last {ALIKE} games were lost in the same way")
        return "\n".join(lines)

    def _rung(self, result: RungResult) -> RungReport:
        interval = bootstrap_interval(result.match.pair_scores, self.seeds.dice(f"interval/{result.rung.name}"))
        verdict = Verdict(result.verdict, result.points, result.rung.points, result.ratio)
        return RungReport.of(result.rung.name, result.rung.simulations, result.match, interval, verdict)

    def _quality(self) -> QualityReport:
        """Measure move quality as the exam does, at positions of the public edition."""
        rule, rng = self.home.ladder.quality, self.seeds.dice("quality")
        chosen, seed = sample(rule.each, rng), rng.getrandbits(63)
        self.standing.turn_to(f"move quality: your move at {len(chosen)} solved positions")
        replies = answers(self.player, self.home.ladder.student_simulations, seed, chosen)
        by_stratum = rates(replies)
        return QualityReport(rule.each, {stratum: round(rate, 4) for stratum, rate in by_stratum.items()},
                             quality_points(by_stratum, self.home.ladder), rule.points,
                             counted(answer.fault for answer in replies if answer.fault))

    def report(self) -> tuple[ChallengeReport, list[Lesson]]:
        """Return the report of what was played, and the worst mistakes, which the solver looks for; none after Ctrl-C."""
        worst: list[Lesson] = []
        with Live(self.standing.line):
            self.standing.turn_to("the solver looks for your worst moves")
            try:
                worst = lessons([(result.rung.name, result.match) for result in self.results], PerfectPlayer())
            except KeyboardInterrupt:
                self.stopped = True
        mistakes = tuple(map(mistake_report, worst))
        points = sum(result.points for result in self.results) + (self.quality.points if self.quality else 0)
        return ChallengeReport(self.home.problem_set, self.home.name, PLAYED, NOTE, round(points, 2),
                               simulations=self.home.ladder.student_simulations, rungs=tuple(map(self._rung, self.results)),
                               quality=self.quality, mistakes=mistakes), worst


def _save(report: ChallengeReport, folder: Path, name: str) -> Path:
    """Write a report into the folder, or into the current one where that is not possible; return its path."""
    for place in (folder, Path()):
        try:
            write_atomic(place / name, report.to_json())
            return place / name
        except OSError as error:
            refused = explain_os_error(error)
    raise UserError(f"the report cannot be saved: {refused}")


def _game_to_see(report: ChallengeReport, worst: list[Lesson]) -> list[str]:
    """Return the options of `replay` for the game of the worst mistake, or else for the first game of the last rung."""
    rung, game = (worst[0].rung, worst[0].game) if worst else (report.rungs[-1].name, 0)
    return ["--rung", rung, "--game", str(game + 1)]
