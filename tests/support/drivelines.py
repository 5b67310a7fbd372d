"""Random drivelines from a seed, as plain data: the content of a model file.

Two to forty inertias in a tree of shafts, gears and clutches; planetaries, differentials, racks and further clutches on
top, in circles and side by side; bearings and brakes; torques, commands and prescribed motions of every kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from stribeck import laws

from .builder import T_END, Builder, Draw, Plain
from .kinds import Kinds

MAX_BODIES, MAX_FRICTIONS = 40, 15


def driveline(seed: int, kinds: Kinds | None = None) -> Plain:
    """The driveline of a seed, with all laws or some kinds of them.

    >>> sb.Model.from_dict(driveline(7))
    """
    return _Driveline(Draw(np.random.default_rng([4, seed]), kinds), f"driveline-{seed}").build()


# --- friction laws ----------------------------------------------------------------------------------------------------


def random_law(draw: Draw, size: float) -> Plain:
    """Any law with Coulomb friction near `size`; parameters by their names, those that are not known by default."""
    name = draw.kind(law.__name__ for _, law in sorted(laws.all_laws().items()))
    law = laws.get(name)
    static = float(f"{size * draw.one(1.0, 1.2, 1.5, 2.0):.3g}")
    stiffness = draw.between(1e2, 2e4) * size
    window = draw.between(1e-3, 0.1)
    values: Plain = {
        "mu_c": size,
        "mu_s": static,
        "mu_v": draw.one(0.0, draw.between(0.01, 0.3) * size),
        "v_s": draw.between(5e-3, 1.0),
        "v_0": draw.between(1e-2, 1.0),
        "v_v": draw.between(0.1, 3.0),
        "v_d": draw.between(1e-2, 1.0),
        "dv": window,
        "exponent": draw.one(1.0, 2.0),
        "peak": draw.one(1.0, 1.3, 2.0),
        "sigma0": stiffness,
        "sigma1": stiffness * draw.between(1e-4, 1e-2),
        "sigma2": draw.one(0.0, draw.between(0.01, 0.3) * size),
        "z_ba": 0.6 * size / stiffness,
        "kappa": draw.one(0.3, 0.8),
        "k1": stiffness,
        "k2": stiffness * draw.between(1e-3, 1e-2),
        "z_max": static / stiffness,
        "Sigma": window,
        "Sigma_2": 0.05 * window,
        "p0": draw.between(50, 1000),
        "speed": [0.0, 0.5, 2.0, 20.0],
        "mu": [static, size, 0.9 * size, 1.5 * size],
    }
    values |= {key: number(draw, size) for key, number in REMEMBERING.items() if key in law.params}
    return {"type": law.__name__} | {key: values[key] for key in law.params if key in values}


REMEMBERING: dict[str, Callable[[Draw, float], float]] = {
    "n": lambda draw, size: draw.one(1, 2, 4, 10),
    "C": lambda draw, size: draw.between(1.0, 100.0) * size,
    "fresh": lambda draw, size: draw.one(0.0, 0.4, 1.0),
    "t_rise": lambda draw, size: draw.between(0.01, 3.0),
    "m": lambda draw, size: draw.one(0.4, 0.66, 1.0),
    "tau_L": lambda draw, size: draw.between(1e-3, 0.1),
    "f2": lambda draw, size: draw.one(0.0, draw.between(0.3, 3.0) * size),
    "eta": lambda draw, size: draw.one(0.2, 0.4, 0.8),
    "epsilon": lambda draw, size: draw.between(1e-4, 1e-2),
    "sharpness": lambda draw, size: draw.one(1.0, 2.0, 3.5),
    "beta_share": lambda draw, size: draw.one(0.5, 0.8, 1.3),
}
"""Parameters of laws that came later: drawn for these alone, so that others keep the numbers of their seeds."""


# --- signals ----------------------------------------------------------------------------------------------------------


def random_drive(draw: Draw, size: float, sensed: str) -> Any:
    """A torque or force; some follow the speed `sensed`."""
    start, frequency = draw.between(0.05, 0.7), draw.between(0.5, 6.0)
    return draw.one(
        size,
        {"type": "Sine", "amplitude": size, "f": frequency, "phase": draw.one(0.0, 0.7)},
        {"type": "Step", "height": size, "start": start},
        {"type": "Step", "height": -size, "start": start, "offset": size},
        {"type": "Ramp", "height": size, "duration": start, "start": 0.1},
        {"type": "Table", "time": [0.0, 0.31, 0.62, 1.0], "value": [0.0, size, -size, 0.5 * size]},
        {"type": "Square", "amplitude": size, "f": frequency},
        {"type": "Chirp", "amplitude": size, "f0": 0.5, "f1": 5.0, "duration": T_END},
        {"type": "Sum", "terms": [size, {"type": "Gain", "u": f"{sensed}.w", "k": -0.05 * abs(size)}]},
    )


def random_load(draw: Draw, sensed: str, opens: bool) -> Any:
    """A command between 0 and about 1; some go below 0 where that opens a clutch."""
    start, frequency = draw.between(0.05, 0.7), draw.between(0.5, 4.0)
    closing = [
        1.0,
        1.0,
        {"type": "Sine", "amplitude": 0.4, "f": frequency, "offset": 0.6},
        {"type": "Step", "height": 0.7, "start": start, "offset": 0.3},
        {"type": "Step", "height": -1.0, "start": start, "offset": 1.0},
        {"type": "Ramp", "height": 1.0, "duration": start, "start": 0.1},
        {"type": "Table", "time": [0.1, 0.31, 0.52, 0.83], "value": [1.0, 0.0, 0.0, 1.0]},
        {"type": "Pulse", "height": 1.0, "period": 0.37, "width": 0.2},
    ]
    opening = [
        {"type": "Sine", "amplitude": 0.7, "f": frequency, "offset": 0.3},
        {"type": "Ramp", "height": -1.5, "duration": start, "start": 0.1, "offset": 1.0},
        {"type": "Sum", "terms": [0.5, {"type": "Gain", "u": f"{sensed}.w", "k": 0.1}]},
    ]
    return draw.one(*closing, *(opening if opens else []))


def random_speed(draw: Draw, smooth: bool) -> Any:
    """A prescribed speed; one that jumps only where no body must follow."""
    size = draw.signed(0.3, 10.0)
    steady = [
        size,
        {"type": "Sine", "amplitude": size, "f": draw.between(0.5, 3.0)},
        {"type": "Ramp", "height": size, "duration": 0.6, "start": 0.2},
        {"type": "Sine", "amplitude": size, "f": draw.between(0.5, 3.0), "offset": size},
    ]
    jumps = [{"type": "Step", "height": size, "start": 0.4}, {"type": "Square", "amplitude": size, "f": 2.0}]
    return draw.one(*steady, *([] if smooth else jumps))


def speed_at_start(signal: Any) -> float:
    """The value of a prescribed speed at time 0."""
    if not isinstance(signal, Mapping):
        return float(signal)
    return float(signal.get("offset", 0.0)) + (signal["amplitude"] if signal["type"] == "Square" else 0.0)


# --- the machine ------------------------------------------------------------------------------------------------------


class _Driveline(Builder):
    """Adds element by element; friction elements are counted."""

    def __init__(self, draw: Draw, name: str) -> None:
        super().__init__(draw, name)
        self.n_friction = 0

    def build(self) -> Plain:
        draw = self.draw
        n = int(draw.between(2, MAX_BODIES + 0.99))
        budget = int(draw.between(1, MAX_FRICTIONS + 0.99))
        self.add_body()
        for _ in range(n - 1):
            self.grow()
        for _ in range(int(draw.rng.integers(0, 1 + n // 3 + 1))):
            draw.one(self.add_planetary, self.add_differential, self.add_shaft, self.add_rack, self.add_twin_gear)()
        for _ in range(draw.one(0, 0, 1, 1, 2)):
            self.add_motion()
        while self.n_friction < budget:
            draw.one(self.add_clutch, self.add_clutch, self.add_brake, self.add_bearing, self.add_beside)()
        for _ in range(int(draw.rng.integers(1, 2 + n // 4))):
            self.add_drive()
        for body in self.bodies:
            self.tie(body)
        self.set_starts()
        return self.plain()

    # --- bodies and what ties them

    def add_body(self) -> str:
        name = self.put("J", "Inertia", J=self.draw.between(0.05, 5.0))
        self.bodies.append(name)
        self.place(name)
        return name

    def grow(self) -> None:
        """A new inertia behind an old one."""
        draw = self.draw
        old = self.turning[-1] if draw.chance(0.6) else draw.one(*self.turning)
        new = self.add_body()
        how = draw.rng.random()
        if how < 0.45:
            self.add_shaft(old, new)
        elif how < 0.6 and self.n_friction < MAX_FRICTIONS:
            self.add_clutch(old, new)
        elif how < 0.8:
            self.add_gear(old, new)
        elif how < 0.9:
            gear = self.add_gear(old)
            if gear:
                self.add_shaft(f"{gear}.b", new)

    def add_shaft(self, a: str | None = None, b: str | None = None) -> None:
        draw = self.draw
        if a is None or b is None:
            a, b = self.pick(2)
        values: Plain = {"a": a, "b": b, "c": draw.between(5.0, 1000.0)}
        kind = draw.one("SpringDamper", "SpringDamper", "Spring", "ElastoBacklash")
        if kind != "Spring":
            values["d"] = draw.between(0.02, 2.0)
        values |= {"play": draw.between(0.01, 0.3)} if kind == "ElastoBacklash" else {}
        self.put("shaft", kind, **values)

    def add_gear(self, a: str, b: str | None = None) -> str | None:
        ratio = self.draw.one(-2.5, -1.0, 0.4, 1.0, 1.7, 3.0)
        if b is None:
            name = self.put("gear", "Gear", a=a, ratio=ratio)
            self.place(f"{name}.b")
            self.rows.append({a: 1.0, f"{name}.b": -ratio})
            return name
        if self.fixes({a: 1.0, b: -ratio}):
            return self.put("gear", "Gear", a=a, b=b, ratio=ratio)
        return None

    def add_twin_gear(self) -> None:
        """A second gear between the same places: it follows from the first."""
        gears = [values for values in self.elements.values() if values["type"] == "Gear" and "b" in values]
        if gears:
            self.put("gear", **{"kind" if key == "type" else key: v for key, v in self.draw.one(*gears).items()})

    def add_three(self, stem: str, kind: str, flanges: tuple[str, ...], factors: list[float], ratio: float) -> None:
        """A coupling of three places, one of which may be the ground."""
        if len(self.turning) < 3:
            return
        places = self.pick(3)
        held = self.draw.one(*flanges, "", "", "")
        row = {place: f for place, flange, f in zip(places, flanges, factors, strict=True) if flange != held}
        if self.fixes(row):
            at = {flange: place for flange, place in zip(flanges, places, strict=True) if flange != held}
            self.put(stem, kind, **at, ratio=ratio)

    def add_planetary(self) -> None:
        ratio = self.draw.one(1.5, 2.2, 3.0)
        self.add_three("set", "Planetary", ("sun", "carrier", "ring"), [1.0, -1.0 - ratio, ratio], ratio)

    def add_differential(self) -> None:
        ratio = self.draw.one(1.0, 3.5)
        self.add_three("rear", "Differential", ("drive", "left", "right"), [1.0, -ratio / 2, -ratio / 2], ratio)

    def add_rack(self) -> None:
        """A mass on a rack, with a guide or a spring."""
        draw = self.draw
        mass = self.put("M", "Mass", m=draw.between(0.1, 10.0))
        self.bodies.append(mass)
        self.place(mass, turns=False)
        pinion, ratio = draw.one(*self.turning), draw.one(1.0, 5.0)
        self.put("rack", "RackPinion", a=pinion, b=mass, ratio=ratio)
        self.rows.append({pinion: 1.0, mass: -ratio})
        if draw.chance(0.5):
            self.put("mount", "SpringDamper", a=mass, c=draw.between(5.0, 300.0), d=draw.between(0.02, 2.0))
        elif self.n_friction < MAX_FRICTIONS:
            self.put("guide", "Guide", a=mass, law=random_law(draw, draw.between(0.1, 5.0)), load=self.load(False))

    def add_motion(self) -> None:
        """A prescribed speed: of a body, or of a separate place that shafts and clutches tie to the others."""
        draw = self.draw
        if draw.chance(0.4):
            body = draw.one(*self.turning)
            if body not in self.moved and self.fixes({body: 1.0}):
                signal = random_speed(draw, smooth=True)
                name = self.put("motor", "Speed", w=signal)
                self.connect.append([name, body])
                self.moved[body] = speed_at_start(signal)
            return
        signal = random_speed(draw, smooth=False)
        name = self.put("motor", "Speed", w=signal)
        self.place(name)
        self.rows.append({name: 1.0})
        self.moved[name] = speed_at_start(signal)
        other = draw.one(*self.bodies_turning())
        if draw.chance(0.5) and self.n_friction < MAX_FRICTIONS:
            self.add_clutch(name, other)
        else:
            self.put("shaft", "SpringDamper", a=name, b=other, c=draw.between(5.0, 300.0), d=draw.between(0.02, 2.0))

    def bodies_turning(self) -> list[str]:
        return [name for name in self.bodies if self.elements[name]["type"] == "Inertia"]

    # --- friction

    def load(self, opens: bool) -> str:
        """The name of a new signal, by which results show the load."""
        name = f"load{self.n_friction}"
        self.n_friction += 1
        self.signals[name] = random_load(self.draw, self.draw.one(*self.bodies_turning()), opens)
        return name

    def pressed(self) -> Plain:
        draw = self.draw
        return {
            "law": random_law(draw, draw.between(0.1, 0.6)),
            "fn_max": draw.between(1.0, 50.0),
            "f_normalized": self.load(True),
            "engage": draw.one("steady", "steady", "frozen", "zero"),
        }

    def add_clutch(self, a: str | None = None, b: str | None = None) -> None:
        if a is None or b is None:
            a, b = self.pick(2)
        self.put("clutch", "Clutch", a=a, b=b, **self.pressed())

    def add_brake(self) -> None:
        self.put("brake", "Brake", a=self.draw.one(*self.turning), **self.pressed())

    def add_bearing(self) -> None:
        law = random_law(self.draw, self.draw.between(0.1, 5.0))
        self.put("bearing", "Bearing", a=self.draw.one(*self.turning), law=law, load=self.load(False))

    def add_beside(self) -> None:
        """A clutch or brake that holds the same motion as another one."""
        others = [values for values in self.elements.values() if values["type"] in ("Clutch", "Brake")]
        if others:
            other = self.draw.one(*others)
            at = {key: other[key] for key in ("a", "b") if key in other}
            self.put(other["type"].lower(), other["type"], **at, **self.pressed())
        else:
            self.add_brake()

    # --- drives and starts

    def add_drive(self) -> None:
        draw = self.draw
        at = draw.one(*self.bodies_turning())
        self.put("drive", "Torque", a=at, tau=random_drive(draw, draw.signed(0.5, 30.0), at))

    def tie(self, body: str) -> None:
        """A body that nothing is connected to rubs in oil."""
        ends = [place for values in self.elements.values() for place in values.values() if isinstance(place, str)]
        if body not in ends and not any(body in pair for pair in self.connect):
            self.put("oil", "Damper", a=body, d=self.draw.between(0.02, 2.0))
