"""What the equations of a program consist of, for analysis: inertias, springs, rows of speeds, motions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np


class SpeedRows(NamedTuple):
    """Speeds as sums over the generalised speeds, which are the first states, and over prescribed motions."""

    states: np.ndarray
    motions: np.ndarray


class Mechanics:
    """The mechanical terms of a program, by number: bodies, branches, motions and locks are in the order of its names.

    >>> program.mechanics.inertias
    array([1.])
    """

    def __init__(self, sizes: Mapping[str, int], arrays: Mapping[str, np.ndarray]) -> None:
        self._sizes, self._arrays = sizes, arrays

    @property
    def inertias(self) -> np.ndarray:
        """Inertia or mass of each body."""
        return self._arrays["body_inertia"]

    @property
    def stiffnesses(self) -> np.ndarray:
        """Of each spring.

        >>> program.mechanics.stiffnesses, program.mechanics.dampings
        (array([2.]), array([0.]))
        """
        return self._arrays["spring_c"]

    @property
    def dampings(self) -> np.ndarray:
        """Of each spring."""
        return self._arrays["spring_d"]

    @cached_property
    def slips(self) -> SpeedRows:
        """Slip of each branch: springs, sources, frictions.

        >>> program.mechanics.slips.motions  # the spring is pulled, the friction is on the ground
        array([[-1.],
               [ 0.]])
        """
        return self._rows("w", sum(self._sizes[name] for name in ("n_spring", "n_source", "n_friction")))

    @cached_property
    def position_rates(self) -> SpeedRows:
        """Rate of each state that is a position."""
        return self._rows("g", self._sizes["n_q"])

    @cached_property
    def body_speeds(self) -> SpeedRows:
        """Speed of each body.

        >>> program.mechanics.body_speeds.states
        array([[1.]])
        """
        return self._rows("b", self._sizes["n_body"])

    def _rows(self, letter: str, n: int) -> SpeedRows:
        arrays = self._arrays
        states, motions = np.zeros((n, self._sizes["n_v"])), np.zeros((n, self._sizes["n_motion"]))
        row = np.repeat(np.arange(n), np.diff(arrays[f"{letter}_ptr"]))
        states[row, arrays[f"{letter}_col"]] = arrays[f"{letter}_val"]
        motions[arrays[f"{letter}p_row"], arrays[f"{letter}p_motion"]] = arrays[f"{letter}p_val"]
        return SpeedRows(states, motions)

    def rigid_branches(self, locked: Sequence[int]) -> list[int]:
        """The branches whose slips are held at 0, by whether each lock is closed; a stuck contact that relaxes is not
        held: its slip is still free.

        >>> compile_model(load_model("stick-slip-switch")).mechanics.rigid_branches([True])
        [1]
        """
        first = self._sizes["n_spring"] + self._sizes["n_source"]
        frictions, relaxes = self._arrays["lock_friction"], self._arrays["lock_local"] > 0
        return [first + int(frictions[k]) for k, on in enumerate(locked) if on and not relaxes[k]]

    def is_position(self, motion: int) -> bool:
        """Whether a motion is prescribed as a position; else it is a speed.

        >>> program.mechanics.is_position(0)
        False
        """
        return bool(self._arrays["motion_order"][motion] == 0)

    @property
    def coupled_motions(self) -> list[int]:
        """The prescribed motions whose accelerations act on bodies through rigid couplings.

        >>> program.mechanics.coupled_motions
        []
        """
        return sorted(set(self._arrays["mp_motion"].tolist()))

    def readers(self, motion: int) -> list[int]:
        """The operations of signals that read the signal of a prescribed motion.

        >>> program.mechanics.readers(0)
        []
        """
        pointer, read = self._arrays["signal_in_ptr"], self._arrays["signal_in"]
        places = np.flatnonzero(read == self._arrays["motion_signal"][motion])
        return [int(np.searchsorted(pointer, place, side="right")) - 1 for place in places]

    def operations_behind(self, motion: int) -> set[int]:
        """All operations of signals that a prescribed motion depends on.

        >>> program.mechanics.operations_behind(0)
        {0}
        """
        pointer, read = self._arrays["signal_in_ptr"], self._arrays["signal_in"]
        seen, waiting = set[int](), [int(self._arrays["motion_signal"][motion])]
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting += read[pointer[node] : pointer[node + 1]].tolist()
        return seen
