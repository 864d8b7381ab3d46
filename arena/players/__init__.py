"""Players: objects with a method `choose(state, simulations, rng) -> action`."""
