"""The other side of `openspiel_alphazero`: OpenSpiel's AlphaZero in Python, in an environment of its own.

Reads a JSON request in each line and writes a JSON answer. Only parts of the library play and learn: its network, its search,
its `_play_game`, its buffer, its update. The loop between them is that of its `learner`, in one process instead of two.
"""
import json
import math
import sys
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pyspiel
from flax import linen
from open_spiel.python.algorithms.alpha_zero import alpha_zero, evaluator, replay_buffer, utils

GAME = pyspiel.load_game("connect_four")
# The settings of the library's own example. But the buffer is small enough for a minute of games, the moves are drawn for longer,
# since games are longer than of Tic-Tac-Toe, and our side gives the sizes of network and search.
SETTINGS = {"learning_rate": 1e-3, "weight_decay": 1e-4, "decouple_weight_decay": False, "train_batch_size": 128,
            "replay_buffer_size": 1024, "replay_buffer_reuse": 4, "uct_c": 1.41, "policy_alpha": 1.0, "policy_epsilon": 0.25,
            "temperature": 1.0, "temperature_drop": 10, "nn_model": "resnet"}


class Silent:
    """A log that keeps nothing, in place of the library's FileLogger."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *words: None


class Trainer:
    """One network in training. What is compiled is compiled before any clock starts.

    compiled: answer with a compiled network; the library's own method calls it operation by operation, and is much slower.
    """

    def __init__(self, channels: int, blocks: int, simulations: int, seed: int, compiled: bool) -> None:
        np.random.seed(seed)
        unused = {"path": None, "max_steps": 0, "checkpoint_freq": 0, "actors": 1, "evaluators": 0, "evaluation_window": 0,
                  "eval_levels": 0, "verbose": False, "quiet": True}
        self.config = alpha_zero.Config(
            game="connect_four", max_simulations=simulations, nn_width=channels, nn_depth=blocks, output_size=7,
            observation_shape=GAME.observation_tensor_shape(), nn_api_version="linen", **SETTINGS, **unused)
        self.model = alpha_zero._init_model_from_config(self.config)
        self.predict = _compiled(self.model)
        if compiled:
            self.model.inference = self.inference
        self.evaluator = evaluator.AlphaZeroEvaluator(GAME, self.model)
        self.bots = [alpha_zero._init_bot(self.config, GAME, self.evaluator, False) for _ in range(2)]
        self.buffer = replay_buffer.Buffer(self.config.replay_buffer_size, seed=seed)
        self._compile()

    def _compile(self) -> None:
        rows = self.config.train_batch_size
        seen = np.zeros((rows, math.prod(GAME.observation_tensor_shape())), np.float32)
        legal, policy, value = np.ones((rows, 7), np.bool_), np.full((rows, 7), 1 / 7, np.float32), np.zeros(rows, np.float32)
        self.model._update_step_fn(self.model._state, seen, legal, policy, value)  # what it returns is thrown away
        self.inference(seen[0], legal[0])

    def inference(self, observation: Any, legal: Any) -> tuple[Any, Any]:
        """Return the value and the policy, as the library's method does."""
        state = self.model._state
        value, policy = self.predict(state.params, state.batch_stats, np.float32(observation), np.bool_(legal))
        return np.asarray(value), np.asarray(policy)

    def play(self) -> int:
        """Play one game into the buffer; return its number of positions."""
        played = alpha_zero._play_game(Silent(), 0, GAME, self.bots, self.config.temperature, self.config.temperature_drop)
        for state in played.states:
            self.buffer.append(utils.TrainInput(
                observation=jnp.asarray(state.observation, jnp.float32), legals_mask=jnp.asarray(state.legals_mask, jnp.bool),
                policy=jnp.asarray(state.policy, jnp.float32), value=jnp.asarray(played.returns[0], jnp.float32)))
        return len(played.states)

    def learn(self) -> None:
        """Learn from the buffer as often as the library does after each portion of games."""
        for _ in range(len(self.buffer) // self.config.train_batch_size):
            self.model.update(self.buffer.sample(self.config.train_batch_size))
        self.evaluator._cache.clear()  # the library's `clear_cache` throws away what is compiled too

    # -- requests -------------------------------------------------------------------------------------------------------

    def rate(self, games: int) -> float:
        """Return the simulations a CPU second of self-play."""
        self.evaluator._cache.clear()
        began = time.process_time()
        positions = sum(self.play() for _ in range(games))
        return float(positions * self.config.max_simulations) / (time.process_time() - began)

    def train(self, cpu_s: float) -> int:
        """Play and learn for `cpu_s` CPU seconds; return the number of positions played."""
        portion = self.config.replay_buffer_size // self.config.replay_buffer_reuse
        began, played, learned_at = time.process_time(), 0, 0
        while time.process_time() - began < cpu_s:
            played += self.play()
            if played - learned_at >= portion:
                self.learn()
                learned_at = played
        return played

    def moves(self, observations: list[list[float]], legal: list[list[bool]]) -> list[int]:
        """Return the network's own move, without a search, in each position."""
        return [int(self.inference(seen, may)[1].argmax()) for seen, may in zip(observations, legal, strict=True)]


def _compiled(model: Any) -> Any:
    apply = model._state.apply_fn

    def predict(params: Any, batch_stats: Any, observation: Any, legal: Any) -> tuple[Any, Any]:
        logits, value = apply({"params": params, "batch_stats": batch_stats}, observation, training=False, mutable=False)
        return value, linen.softmax(jnp.where(legal, logits, jnp.finfo(jnp.float32).min), axis=-1)

    return jax.jit(predict)


def observation(line: list[int]) -> list[float]:
    """Return the library's own input of the network after these moves."""
    state = GAME.new_initial_state()
    for column in line:
        state.apply_action(column)
    return list(state.observation_tensor())


def main() -> None:
    """Answer until the input ends."""
    trainer = None
    for line in sys.stdin:
        name, arguments = json.loads(line)
        if name == "new":
            trainer, answer = Trainer(**arguments), None
        elif name == "observation":
            answer = observation(**arguments)
        else:
            answer = getattr(trainer, name)(**arguments)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
