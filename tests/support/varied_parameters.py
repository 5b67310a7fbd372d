"""Random machines whose friction parameters follow signals."""

from __future__ import annotations

import numpy as np

from stribeck import laws

from .builder import Plain


def with_signals(data: Plain, seed: int) -> int:
    """Lets parameters of all laws of a machine follow time or the position of a body, in place; the number of laws.

    Both levels of a law follow one signal, which keeps their order.
    """
    rng, found = np.random.default_rng(seed), 0
    bodies = [(name, kind) for name, kind in _types(data).items() if kind in ("Inertia", "Mass")]
    for element in data["elements"].values():
        law = element.get("law")
        rigid = element["type"] == "LossyJoint" and "c" not in element
        if isinstance(law, dict) and laws.get(law["type"]).variable and not rigid:
            element["law"] = _varied(law, rng, bodies)
            found += 1
    return found


def _types(data: Plain) -> dict[str, str]:
    return {name: element["type"] for name, element in data["elements"].items()}


def _varied(law: Plain, rng: np.random.Generator, bodies: list[tuple[str, str]]) -> Plain:
    kind = laws.get(law["type"])
    given = kind.canonical({name: value for name, value in law.items() if name != "type"})
    swing: Plain = {"type": "Sine", "amplitude": 0.15, "f": float(rng.uniform(0.3, 2.0)), "offset": 1.0}
    if bodies and rng.random() < 0.5:
        body, type_ = bodies[rng.integers(len(bodies))]
        wave = {"type": "Function", "f": "sin", "u": f"{body}.{'phi' if type_ == 'Inertia' else 's'}"}
        swing = {"type": "Sum", "terms": [1.0, {"type": "Gain", "u": wave, "k": 0.2}]}
    for name in kind.variable:
        value = getattr(kind(**given), name)
        level = name in ("mu_c", "mu_s", "f2")
        if isinstance(value, int | float) and (level or (name != "v_s" and rng.random() < 0.4)):
            given[name] = {"type": "Gain", "u": swing, "k": value}
    return {"type": law["type"], **given}
