"""What must hold for every driveline, and the smallest machine in which it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import NamedTuple

import numpy as np

import stribeck as sb

from .drivelines import T_END, Plain, relabel

INTERVALS = 53
"""Of the output grid: none of its points is a break of a signal."""

COARSE, TIGHT, TIGHTER = 1e-7, 1e-11, 1e-12
SWITCH = {"Coulomb": "mu_c", "Switch": "mu_s", "Stribeck": "mu_s", "StribeckThreshold": "mu_s", "FrictionTable": "mu"}
"""Laws that stick with slip 0, and the parameter of their static friction."""


STILL = 1e-6
"""Size (SI) below which a quantity is that of something at rest: rounding has no relative accuracy."""


ODD = ("w_rel", "phi_rel", "tau", "z")
"""What changes its sign when an element is turned round."""


class Fault(NamedTuple):
    """Something that does not hold: a kind by which faults are told apart, and the numbers."""

    kind: str
    text: str


def run(plain: Plain, tolerance: float) -> sb.Result:
    """The run of a driveline."""
    return sb.simulate(sb.Model.from_dict(plain), T_END, intervals=INTERVALS, tolerance=tolerance)


def faults(plain: Plain, *, compare: bool = True) -> list[Fault]:
    """Everything that does not hold; with `compare` also between runs at a tight tolerance.

    >>> faults(driveline(7))
    []
    """
    try:
        result = run(plain, COARSE)
        found = [*_finite(result), *_ledger(plain, result), *_rest(plain, result), *_limits(plain, result)]
        if compare and not found:
            found += [*_accuracy(plain, result), *_relabelled(plain)]
    except sb.SimulationError as error:
        return [Fault("run: " + str(error).split(": ")[2].partition(" (")[0].partition(";")[0], str(error))]
    except sb.StribeckError as error:
        return [Fault("refused: " + str(error).partition(": ")[2][:30], str(error))]
    return found


# --- within one run ---------------------------------------------------------------------------------------------------


def _finite(result: sb.Result) -> Iterator[Fault]:
    bad = [name for name, row in zip(result.names, result.data, strict=True) if not np.isfinite(row).all()]
    if bad:
        yield Fault("not finite", ", ".join(bad))


def _ledger(plain: Plain, result: sb.Result) -> Iterator[Fault]:
    """The residual is rounding: of the energies that went back and forth, of which the net sums say nothing."""
    energy = result.energy
    terms = (energy.input, energy.stored, energy.dissipated, energy.initial)
    whole = sum(abs(value) for part in terms for value in part.values())
    for name, values in plain["elements"].items():
        if "J" in values or "m" in values:
            inertia, speed = values.get("J", values.get("m")), _word(result, name, "w", "v")
            whole += 0.5 * inertia * float(np.abs(np.diff(speed**2)).sum())
    if abs(energy.residual) > 1e-12 * whole:
        yield Fault("residual", f"residual {energy.residual:.3g} J of {whole:.3g} J")


def _contacts(plain: Plain, result: sb.Result) -> Iterator[tuple[str, np.ndarray, np.ndarray, str]]:
    """Friction elements whose law sticks with slip 0: name, load, where it is stuck, parameter of static friction."""
    for name, values in plain["elements"].items():
        law = values.get("law", {}).get("type")
        if law in SWITCH:
            load = np.maximum(result[values.get("f_normalized", values.get("load"))], 0.0) * values.get("fn_max", 1.0)
            yield name, np.asarray(load), np.asarray(result[f"{name}.mode"] == 0), SWITCH[law]


def _word(result: sb.Result, name: str, *words: str) -> np.ndarray:
    return np.asarray(next(result[f"{name}.{word}"] for word in words if f"{name}.{word}" in result.names))


def _rest(plain: Plain, result: sb.Result) -> Iterator[Fault]:
    """Stuck means slip 0, to the rounding of the speeds that it is the difference of."""
    speeds = [row for name, row in zip(result.names, result.data, strict=True) if name.endswith((".w", ".v"))]
    scale = np.maximum(1.0, np.max(np.abs(speeds), axis=0))
    for name, _, stuck, _ in _contacts(plain, result):
        slip = np.where(stuck, np.abs(_word(result, name, "w_rel", "v_rel")) / scale, 0.0)
        if slip.max() > 1e-12:
            yield Fault("slip", f"{name} is stuck with a slip of {slip.max():.3g} of the speeds")


def _limits(plain: Plain, result: sb.Result) -> Iterator[Fault]:
    """Holding torques stay within their limits, but for the rounding of the event."""
    for name, load, stuck, word in _contacts(plain, result):
        law = plain["elements"][name]["law"]
        static = law["mu"][0] * law.get("peak", 1.5) if word == "mu" else law[word]
        torque = np.abs(_word(result, name, "tau", "f"))
        beyond = np.where(stuck, torque - (1 + 1e-9) * load * static, 0.0)
        if beyond.max() > 1e-9 * torque.max():
            at = int(np.argmax(beyond))
            yield Fault("limit", f"{name} holds {torque[at]:.9g} of {load[at] * static:.9g} at {result.time[at]:.4g} s")


# --- between runs -----------------------------------------------------------------------------------------------------


def difference(
    one: sb.Result, other: sb.Result, names: dict[str, str], turned: set[str] = frozenset()
) -> dict[str, float]:
    """Largest difference by quantity ("w", "tau", ...) as a share of the largest value of that quantity.

    Where results are apart at an instant at which one of the runs jumps, the jump is left out: the time of an event is
    no more exact than its run.
    """
    near = np.zeros(one.time.size, bool)
    for time in (*one.breaks, *other.breaks):
        near |= np.abs(one.time - time) < 1e-6
    apart: dict[str, float] = {}
    scale: dict[str, float] = {}
    for name in one.names:
        element, _, quantity = name.partition(".")
        if quantity in ("mode", "a") or not quantity:
            continue
        values, mate = np.asarray(one[name]), np.asarray(other[_mate(name, names, turned)])
        if element in turned and not quantity.startswith("tau_"):  # flags of a law may keep their signs
            values, mate = (values, -mate) if quantity in ODD else (np.abs(values), np.abs(mate))
        kind = "tau" if quantity.startswith(("tau", "f")) else quantity
        gap = np.abs(values - mate)[~near]
        apart[kind] = max(apart.get(kind, 0.0), float(gap.max(initial=0.0)))
        scale[kind] = max(scale.get(kind, 0.0), float(np.abs(values).max()))
    return {kind: gap / max(scale[kind], STILL) for kind, gap in apart.items()}


def _mate(name: str, names: dict[str, str], turned: set[str]) -> str:
    """What an output is called in the other machine."""
    element, _, quantity = name.partition(".")
    sides = {"tau_left": "tau_right", "tau_right": "tau_left"} if element in turned else {}
    return f"{names.get(element, element)}.{sides.get(quantity, quantity)}"


def _accuracy(plain: Plain, result: sb.Result) -> Iterator[Fault]:
    apart = difference(result, run(plain, TIGHT), {})
    worst = max(apart, key=lambda kind: apart[kind])
    if apart[worst] > 1e-3:
        yield Fault("accuracy", f"{worst} at the default tolerance is {apart[worst]:.3g} of its range off")


def _relabelled(plain: Plain) -> Iterator[Fault]:
    """Names and order decide on rounding and on the choice of states, so on errors of the size of the tolerance."""
    other, names, turned = relabel(plain, seed=1)
    apart = difference(run(plain, TIGHT), run(other, TIGHT), names, turned)
    worst = max(apart, key=lambda kind: apart[kind])
    if apart[worst] > 1e-8:
        yield Fault("relabelled", f"{worst} changes by {apart[worst]:.3g} of its range")


# --- the smallest machine ---------------------------------------------------------------------------------------------


def shrink(plain: Plain, fails: Callable[[Plain], bool]) -> Plain:
    """The driveline without everything that it fails without: elements, then what they say beyond numbers.

    >>> shrink(driveline(12), lambda p: bool(faults(p)))
    """
    smaller = True
    while smaller:
        smaller = False
        for candidate in _simpler(plain):
            if fails(candidate):
                plain, smaller = candidate, True
                break
    return plain


def _simpler(plain: Plain) -> Iterator[Plain]:
    """Drivelines with one thing less, large pieces first."""
    names = list(plain["elements"])
    for size in (8, 4, 2, 1):
        for k in range(0, len(names), size):
            yield _without(plain, set(names[k : k + size]))
    for name, signal in plain.get("signals", {}).items():
        if isinstance(signal, dict):
            yield _changed(plain, ("signals", name), 1.0)
    for name, values in plain["elements"].items():
        for key, value in values.items():
            if isinstance(value, dict) and key != "law":
                yield _changed(plain, ("elements", name, key), value.get("amplitude", value.get("height", 1.0)))
            if key == "law" and value["type"] not in ("Coulomb", "Switch"):
                size = value.get("mu_c", 1.0)
                yield _changed(plain, ("elements", name, key), {"type": "Switch", "mu_c": size, "mu_s": size})
            if isinstance(value, float) and value not in (0.0, 1.0):
                if key in ("w0", "v0", "play", "d"):
                    yield _changed(plain, ("elements", name, key), 0.0)
                yield _changed(plain, ("elements", name, key), 1.0)


def _without(plain: Plain, gone: set[str]) -> Plain:
    """Without some elements, and without what was connected to them."""
    elements = dict(plain["elements"])
    while gone:
        elements = {name: values for name, values in elements.items() if name not in gone}
        gone = {
            name
            for name, values in elements.items()
            for key, ref in values.items()
            if isinstance(ref, str)
            and key not in ("type", "engage", "f_normalized", "load")
            and ref.partition(".")[0] not in elements
        }
    signals = {
        name: signal
        for name, signal in plain.get("signals", {}).items()
        if any(name in values.values() for values in elements.values())
    }
    connect = [pair for pair in plain.get("connect", []) if all(ref.partition(".")[0] in elements for ref in pair)]
    new = {"name": plain["name"], "signals": signals, "elements": elements, "connect": connect}
    return {key: value for key, value in new.items() if value}


def _changed(plain: Plain, path: tuple[str, ...], value: object) -> Plain:
    new = deepcopy(plain)
    place = new
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return new
