"""The final Connect-Four challenge: openings, referee, sequential verdict, move quality, replays."""
