"""The grader proved by banks: verify, repeat, mutants, attack, broken and the demo classes. Nothing that grades imports it."""
