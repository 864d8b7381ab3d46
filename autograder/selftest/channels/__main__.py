"""Print the table of channels: `python -m autograder.selftest.channels [PART OF A NAME]`, as root and as an ordinary user."""

import sys

from autograder.sandbox.bubblewrap import root_mode
from autograder.selftest.channels.pairs import PAIRS
from autograder.selftest.channels.trial import Inside, with_control


def main(part: str = "") -> int:
    """Return 1 if a channel that must be closed carried bits."""
    print(f"bits that arrived, {'as root' if root_mode() else 'as an ordinary user'}; 32 of 64 are chance")
    print(f"{'channel':<42} {'when':<7} {'two processes':<28} two sandboxes")
    leaks, inside = 0, Inside()
    for pair in (pair for pair in PAIRS if part in pair.name):
        control, result = with_control(pair, inside)
        leaks += result.carried and not pair.open_because
        note = f"   open: {pair.open_because}, {result.bits_per_s:.0f} bits/s" if pair.open_because and result.carried else ""
        note += "" if control.carried else "   (the pair does not work on this host)"
        print(f"{pair.name:<42} {'beside' if pair.beside else 'after':<7} {control!s:<28} {result}{note}", flush=True)
    inside.close()
    return min(1, leaks)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
