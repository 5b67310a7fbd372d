"""Starting a run where another one has ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..compile import Program
from ..errors import SpecError
from ..kernel import fields, fixed_fields
from ..results import End, Origin, Result

ADAPTIVE, OUTSIDE = "adaptive", "outside"
"""Kinds of ends: of an adaptive run, and of one with an integrator of others; all others are fixed steps."""

SOLVER = ("solver.", "task.")
"""Fields of what solves the equations: another solver does without them."""

_origins: WeakKeyDictionary[Program, Origin] = WeakKeyDictionary()


def end_of(
    program: Program,
    kind: str,
    since: float,
    kept: tuple[np.ndarray, np.ndarray],
    tasks: int = 0,
    time: float | None = None,
) -> End:
    """The end of a run at a `time` (s), some tasks `since` another one: what the kernel has `kept`.

    >>> simulate(program, t_end=10).end
    <End of a run of stick-slip at t = 10 s>
    """
    now = since if time is None else time
    return End(program.name, kind, *kept, (since, tasks), now, partial(_origin, program, kind))


def origin_of(program: Program) -> Origin:
    """What a start must fit to go on with this program.

    >>> origin_of(program).structure["states"]
    ('mass.w', 'pull.phi', 'spring.phi_rel', 'friction.z')
    """
    if program not in _origins:
        _origins[program] = Origin(_structure(program), program.equations_hash, tuple(fields(program.kernel)))
    return _origins[program]


def _origin(program: Program, kind: str) -> Origin:
    """The same with the fields that a kind of run has."""
    known = origin_of(program)
    if kind == ADAPTIVE:
        return known
    if kind == OUTSIDE:
        return replace(known, fields=tuple(field for field in known.fields if not field[0].startswith(SOLVER)))
    return replace(known, fields=tuple(fixed_fields(program.kernel)))


def is_same(program: Program, start: End, kind: str) -> bool:
    """Whether a run goes on as if it had not been interrupted: the same equations, solved in the same way.

    >>> is_same(program, result.end, ADAPTIVE)
    True
    """
    return start.kind == kind and start.origin.values == origin_of(program).values


def check_start(program: Program, start: End | Result, caller: str) -> End:
    """An end that fits the structure of the program; another one is refused with the difference."""
    start = start.end if isinstance(start, Result) else start
    wanted = origin_of(program)
    different = _differences(start.origin.structure, wanted.structure)
    different = different or _other_sizes(start.origin.fields, wanted.fields)
    if different:
        raise SpecError(
            f"{caller}: the start is the end of a run of '{start.model}' and does not fit '{program.name}': "
            f"{'; '.join(different)}. Start from a run of a model with the same elements, laws and signals"
        )
    return start


def _structure(program: Program) -> dict[str, tuple[str, ...]]:
    """Names of all that evolves."""
    structure = program.structure
    signals = zip(structure.signal_owners, structure.signal_ops, structure.signal_memory, strict=True)
    return {
        "states": program.state_names,
        "contacts": program.contacts,
        "laws": tuple(f"{name} ({law})" for name, law in zip(program.frictions, program.laws, strict=True)),
        "signals": tuple(f"{owner} ({op.lower()}{f' of {n} numbers' * (n > 0)})" for owner, op, n in signals),
    }


def _differences(has: Mapping[str, tuple[str, ...]], wanted: Mapping[str, tuple[str, ...]]) -> list[str]:
    """What only one of two structures has, in words."""
    found = []
    for what, names in wanted.items():
        ours, theirs = Counter(names), Counter(has.get(what, ()))
        for more, less, whose in ((theirs, ours, "start"), (ours, theirs, "model")):
            extra = list((more - less).elements())
            if extra:
                found.append(f"only the {whose} has the {what} {_few(extra)}")
        if ours == theirs and tuple(has.get(what, ())) != tuple(names):
            found.append(f"the {what} are in another order")
    return found


def _other_sizes(has: tuple[Any, ...], wanted: tuple[Any, ...]) -> list[str]:
    """Parts of the memory, but for that of the solver, of other lengths."""
    theirs = {name: n for name, _, n in has}
    other = [name for name, _, n in wanted if not name.startswith(SOLVER) and theirs.get(name) != n]
    return [f"the memory differs in {_few(other)}"] if other else []


def _few(names: list[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
