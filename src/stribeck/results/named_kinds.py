"""Kinds of outputs derived from their usual names, for files and data that do not state them."""

from __future__ import annotations

from ..kinds import Kind

USUAL = {
    "phi": Kind.POSITION,
    "s": Kind.POSITION,
    "w": Kind.SPEED,
    "v": Kind.SPEED,
    "a": Kind.ACCELERATION,
    "phi_rel": Kind.DISPLACEMENT,
    "s_rel": Kind.DISPLACEMENT,
    "w_rel": Kind.SLIP,
    "v_rel": Kind.SLIP,
    "tau": Kind.FORCE,
    "f": Kind.FORCE,
    "T": Kind.TEMPERATURE,
    "power": Kind.POWER,
    "jerk": Kind.JERK,
    "mode": Kind.MODE,
    "mode_low": Kind.MODE,
    "mode_high": Kind.MODE,
}


def kind_by_name(name: str) -> tuple[Kind, str]:
    """Kind and part of an output from its name; a signal if the name is unknown.

    >>> kind_by_name("mass.w"), kind_by_name("end.mode_low")
    ((<Kind.SPEED: 'speed'>, ''), (<Kind.MODE: 'mode'>, 'low'))
    """
    word = name.rpartition(".")[2]
    kind = USUAL.get(word, Kind.SIGNAL)
    return kind, word.partition("_")[2] if kind is Kind.MODE else ""
