"""The kinds of players that may climb the ladder: the name in a student's file that chooses the moves, and what it needs."""

PS2, PS3, PS5 = "ps2_uct", "ps3_connect_four", "ps5_alphazero"
LADDER_SETS = (PS3, PS5)  # with a player for the ladder; students have no sources of the sets, whose headers say the same
UCT, NETWORK, IMPROVED, OPEN = "uct", "AlphaMCTS", "challenge_player", "open_player"
SEARCH = "search"  # of problem set 2: it plays any game, so its strength can be measured; it climbs no ladder
# The visible checks of each kind of player; the joint check too, because the exam asks for it.
CHECKS = {
    UCT: ("3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "joint"),
    NETWORK: ("5.1", "5.3", "5.4", "5.5", "joint"),
    IMPROVED: ("joint",),
    OPEN: (),
}
SAYS = {
    UCT: "`uct` of problem set 3 plays",
    NETWORK: "`AlphaMCTS` of problem set 5 plays, over your network with the weights of weights.npz",
    IMPROVED: "`challenge_player` of problem set 3 plays: the better of it and `uct` counts",
    OPEN: "`open_player` plays: it is for the open class of the tournament, not for the exam, and earns no points",
}
# The file at home with the games of each kind of player.
FILES = {UCT: "challenge.json", NETWORK: "challenge.json", IMPROVED: "challenge_improved.json", OPEN: f"challenge_{OPEN}.json"}
BEGINS = {SEARCH: "your 2.9", UCT: "your 3.6", NETWORK: "your search, 5.1 to 5.5,", IMPROVED: "your challenge_player",
          OPEN: "your open_player"}
EXPLORATION = 1.0  # of SEARCH, which has no usual value
