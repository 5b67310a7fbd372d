"""Terms from other channels of a record and from the position: gravity, temperature, load, another joint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...declare import unknown
from ...errors import SpecError, StribeckError, UnknownName
from .terms import TERMS, Motion, Term, harmonic_terms, position_terms, stribeck_term

FACTORS: dict[str, tuple[str, Callable[[Motion], np.ndarray]]] = {
    "offset": ("{load}/{channel}", lambda m: np.ones_like(m.v)),
    **{name: (f"{TERMS[name].unit}/{{channel}}", TERMS[name].force) for name in TERMS if name != "offset"},
}
"""What a channel may multiply: a constant force, or a term of the motion."""


def gravity_terms(name: str = "gravity") -> list[Term]:
    """Torque of a weight on a rotating arm: gravity.sin times the sine of the angle plus gravity.cos times its cosine.

    The angle is that of the position channel, from any reference.

    >>> inverse_model(run, "f", "q", terms=["inertia", "viscous", "coulomb", *gravity_terms()])
    """
    return [
        Term(f"{name}.sin", "{load}", lambda m: np.sin(m.q)),
        Term(f"{name}.cos", "{load}", lambda m: np.cos(m.q)),
    ]


def channel_term(channel: str, times: str = "offset", about: float | None = None, name: str | None = None) -> Term:
    """A channel as regressor: as it is, or times a term of the motion ("coulomb", "viscous", ...).

    A load that presses a joint is `times="coulomb"`, a temperature that thins grease `times="viscous"`. The channel is
    taken relative to `about` (SI), by default its mean, so that the other parameters are those of the mean; 0 is for a
    load.

    >>> inverse_model(run, "f", "q", terms=["inertia", "coulomb", "viscous", channel_term("v", times="viscous")])
    """
    if times not in FACTORS:
        raise UnknownName(unknown(f"channel '{channel}': there is no term", times, list(FACTORS)))
    unit, factor = FACTORS[times]

    def force(motion: Motion) -> np.ndarray:
        values = motion.value(channel)
        return np.asarray((values - (float(values.mean()) if about is None else about)) * factor(motion))

    label = name or (channel if times == "offset" else f"{channel}.{times}")
    return Term(label, unit, force, channel)


def coupled_term(channel: str, order: int = 2, name: str | None = None) -> Term:
    """The acceleration (or with `order` 1 the speed) of another position channel, such as that of another joint.

    >>> coupled_term("q2").name
    'acceleration(q2)'
    """
    if order not in (1, 2):
        raise SpecError(f"channel '{channel}': order = {order} must be 1 for its speed or 2 for its acceleration")
    word = ("speed", "acceleration")[order - 1]

    def force(motion: Motion) -> np.ndarray:
        other = motion.other(channel)
        return other.v if order == 1 else other.a

    return Term(name or f"{word}({channel})", "{load}.s" + ("2" if order == 2 else "") + "/{position}", force, channel)


def term_from_text(text: str) -> list[Term]:
    """Terms as a text, as on the command line: a name, or a name with arguments in brackets.

    >>> [term.name for term in term_from_text("gravity")]
    ['gravity.sin', 'gravity.cos']
    >>> [term.name for term in term_from_text("channel(T, viscous)")]
    ['T.viscous']
    """
    name, bracket, rest = text.partition("(")
    words = [word.strip() for word in rest.removesuffix(")").split(",")] if bracket else []
    if not bracket and name in TERMS:
        return [TERMS[name]]
    if name.strip() not in WORDS or (bracket and not rest.endswith(")")):
        raise UnknownName(unknown("there is no term", text, [*TERMS, *(f"{n}({WORDS[n][1]})" for n in WORDS)]))
    make, shape = WORDS[name.strip()]
    try:
        return make(words)
    except StribeckError:
        raise
    except (ValueError, IndexError, TypeError):
        raise SpecError(f"term '{text}': write {name}({shape})") from None


def _channel(words: Sequence[str]) -> list[Term]:
    times = words[1] if len(words) > 1 else "offset"
    return [channel_term(words[0], times, float(words[2]) if len(words) > 2 else None)]


def _stribeck(words: Sequence[str]) -> list[Term]:
    return [stribeck_term(float(words[0]), float(words[1]) if len(words) > 1 else 2.0)]


WORDS: dict[str, tuple[Callable[[Sequence[str]], list[Term]], str]] = {
    "gravity": (lambda w: gravity_terms(), ""),
    "channel": (_channel, "CHANNEL, coulomb, 0"),
    "acceleration": (lambda w: [coupled_term(w[0])], "CHANNEL"),
    "speed": (lambda w: [coupled_term(w[0], 1)], "CHANNEL"),
    "harmonics": (lambda w: harmonic_terms(w[0], [int(n) for n in w[1:]] or (1,)), "PERIOD, 1, 2"),
    "polynomial": (lambda w: position_terms(int(w[0])), "DEGREE"),
    "load_polynomial": (lambda w: position_terms(int(w[0]), signed=False, name="load"), "DEGREE"),
    "stribeck": (_stribeck, "SPEED, EXPONENT"),
}
"""Terms with arguments: how they are made, and what the arguments are."""
