"""Names for examples of the selection of a law."""

from typing import Any

from support.examples import once

import stribeck as sb
from stribeck.identify import LawChoice, Measurement, which_law
from stribeck.identify.laws.starts import Starts


def ties() -> dict[str, Any]:
    return {"outputs": {"load.s": "q"}, "inputs": {"motor.f": "f"}}


def starts(model: sb.Model, run: Measurement, ties: dict[str, Any]) -> Starts:
    return Starts(model, [run], ("joint",), ties, None, {})


@once
def choice(model: sb.Model, run: Measurement, other: Measurement, ties: dict[str, Any]) -> LawChoice:
    records = {"measurement": run.resampled("10 ms"), "held_out": other.resampled("10 ms")}
    return which_law(model, laws=["Coulomb", "Stribeck"], solver="fixed", **records, **ties)
