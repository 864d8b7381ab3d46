"""Players: whoever answers `choose(state, simulations, rng) -> action`."""
