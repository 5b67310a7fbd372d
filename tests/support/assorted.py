"""Assorted machines from a seed, as plain data: every element, signal and law, in small machines that turn and slide.

Two to eight bodies in a tree of joints of every kind, some of them in islands; further elements, of every kind as
likely, on top. About half of the machines start from rest, some have equal parts throughout, and some start at an edge:
a gap that is just closed, a stop that is just touched.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import linprog

from stribeck.elements import all_elements

from .builder import Builder, Draw, EqualDraw, Plain
from .drivelines import random_law, random_speed, speed_at_start
from .kinds import Kinds
from .random_signals import RandomSignals, gain

MAX_BODIES = 8

Adder = Callable[["_Assorted"], None]
Joint = Callable[["_Assorted", str, str], None]

ADDERS: dict[str, Adder] = {}
"""What adds an element of each kind to a machine."""
JOINTS: dict[str, Joint] = {}
"""What joins two places that both turn or both slide, by an element of each kind."""

INFEASIBLE = 2
"""The status of linprog where no speeds do what they must."""

TURNING, SLIDING = "rotational", "translational"


def assorted(seed: int, kinds: Kinds | None = None) -> Plain:
    """The machine of a seed, with all laws and elements or some kinds of them.

    >>> sb.Model.from_dict(assorted(7))
    """
    rng = np.random.default_rng([15, seed])
    draw = (EqualDraw if rng.random() < 0.2 else Draw)(rng, kinds)
    return _Assorted(draw, f"assorted-{seed}").build()


def _adds(kind: str) -> Callable[[Adder], Adder]:
    def register(adder: Adder) -> Adder:
        ADDERS[kind] = adder
        return adder

    return register


def _joins(kind: str) -> Callable[[Joint], Joint]:
    """Registers a joint, which also is an element that can be added anywhere."""

    def register(joint: Joint) -> Joint:
        JOINTS[kind] = joint
        ADDERS[kind] = lambda m: joint(m, *m.two(all_elements()[kind].domain))
        return joint

    return register


class _Assorted(Builder):
    """Adds element by element; what is known of each place: whether it turns, and its position at the start."""

    def __init__(self, draw: Draw, name: str) -> None:
        super().__init__(draw, name)
        self.sliding: list[str] = []
        self.at: dict[str, float] = {}
        """Positions at the start."""
        self.led: set[str] = set()
        """Places of prescribed motions that may jump: no body must follow them."""
        self.floating = False
        """Whether the position of some place follows from those of others."""
        self.one_way: list[dict[str, float]] = []
        """Relative speeds that something blocks where they are negative."""
        self.source = RandomSignals(draw)
        self.signals = self.source.named
        self.warm: list[str] = []
        """Thermal places."""

    def build(self) -> Plain:
        draw = self.draw
        self.add_body(draw.one(TURNING, TURNING, SLIDING))
        for _ in range(int(draw.between(2, MAX_BODIES + 0.99)) - 1):
            self.grow()
        ADDERS[draw.one("Torque", "Torque", "Force")](self)
        ADDERS[draw.one("Bearing", "Guide", "Brake", "Clutch")](self)
        for _ in range(int(draw.rng.integers(1, 7))):
            ADDERS[draw.kind(ADDERS)](self)
        self.add_heat_ports()
        self.connect_apart()
        for place in [*self.bodies, *sorted(self.led), *self.warm]:
            self.tie(place)
        self.set_starts()
        return self.plain()

    # --- places

    def domain(self, place: str) -> str:
        return TURNING if place in self.turning else SLIDING

    def add_place(self, name: str, domain: str, position: float = 0.0) -> None:
        self.place(name, turns=domain == TURNING)
        if domain == SLIDING:
            self.sliding.append(name)
        self.at[name] = position

    def add_body(self, domain: str) -> str:
        draw = self.draw
        position = draw.one(0.0, 0.0, 0.0, draw.signed(0.01, 1.0))
        kind = "Inertia" if domain == TURNING else "Mass"
        word, start = ("J", "phi0") if domain == TURNING else ("m", "s0")
        name = self.put(word.upper(), kind, **{word: draw.between(0.05, 5.0), start: position})
        return self.know_body(name, domain, position)

    def know_body(self, name: str, domain: str, position: float) -> str:
        self.bodies.append(name)
        self.add_place(name, domain, position)
        self.source.sensors += [f"{name}.w", f"{name}.phi"] if domain == TURNING else [f"{name}.v", f"{name}.s"]
        return name

    def some(self, domain: str | None = None) -> str:
        """A place, of any domain or of this one; a new body where there is none."""
        domain = domain or self.domain(self.draw.one(*self.column))
        known = self.turning if domain == TURNING else self.sliding
        return self.draw.one(*known) if known else self.add_body(domain)

    def two(self, domain: str | None = None) -> tuple[str, str]:
        """Two places of a domain."""
        a = self.some(domain)
        known = [name for name in (self.turning if self.domain(a) == TURNING else self.sliding) if name != a]
        return a, self.draw.one(*known) if known else self.add_body(self.domain(a))

    def grow(self) -> None:
        """A new body, joined to an old place or in an island."""
        draw = self.draw
        old = draw.one(*self.column)
        how = draw.rng.random()
        if how < 0.06:
            self.add_body(draw.one(TURNING, SLIDING))
        elif how < 0.16:
            ADDERS[draw.one("Vehicle", "RackPinion", "Wheel")](self)
        else:
            joint = draw.kind(kind for kind in JOINTS if self.fits(kind, old))
            JOINTS[joint](self, *draw.one((old, new := self.add_body(self.domain(old))), (new, old)))

    def fits(self, kind: str, place: str) -> bool:
        own = all_elements()[kind].domain
        return own is None or own == self.domain(place)

    # --- elements

    def add(self, kind: str, at: dict[str, str], **values: Any) -> str:
        """An element at places; parameters by their rotational names, those without a value are left out."""
        params = all_elements()[kind].params
        slides = any(self.domain(place) == SLIDING for place in at.values() if place in self.column)
        words = {key: params[key].aliases[0] if slides and params[key].aliases else key for key in values}
        given = {words[key]: value for key, value in values.items() if value is not None}
        return self.put(kind.lower(), kind, **at, **given)

    def link(self, kind: str, a: str, b: str, **values: Any) -> str:
        """An element between two places, one of which may be a wall instead; its motion can be sensed."""
        wall = "b" in all_elements()[kind].to_ground and not {a, b} & self.led and self.draw.chance(0.15)
        name = self.add(kind, {"a": a} if wall else {"a": a, "b": b}, **values)
        if kind in SENSED:
            words = ("phi_rel", "w_rel", "tau") if self.domain(a) == TURNING else ("s_rel", "v_rel", "f")
            self.source.sensors += [f"{name}.{word}" for word in words[: SENSED[kind]]]
        return name

    def apart(self, a: str, b: str) -> float:
        """Position of b against a at the start."""
        return self.at[b] - self.at[a]

    def way(self) -> float:
        """A way that is left at the start: often none."""
        return self.draw.one(0.0, self.draw.between(0.005, 0.3), self.draw.between(0.005, 0.3))

    def couple(self, kind: str, places: dict[str, str], factors: list[float], **values: Any) -> None:
        """A rigid coupling, if the others leave it open."""
        row = dict(zip(places.values(), factors, strict=True))
        if not self.led & set(row) and (self.agrees(row) or not self.floating) and self.fixes(row):
            self.add(kind, places, **values)

    def agrees(self, row: dict[str, float]) -> bool:
        """Whether positions at the start fulfil a coupling; they need not where every place states its own."""
        return abs(sum(factor * self.at[place] for place, factor in row.items())) < 1e-12

    def fixes(self, row: dict[str, float]) -> bool:
        """As for all machines; what something blocks one way stays open."""
        rows = [*self.rows, row]
        if any(self.follows(blocked, rows) for blocked in self.one_way) or not self.moves(rows, self.one_way):
            return False
        return super().fixes(row)

    def follows(self, row: dict[str, float], rows: list[dict[str, float]]) -> bool:
        """Whether couplings and motions determine a sum of speeds."""
        ranks = [np.linalg.matrix_rank(self.matrix(known), tol=1e-6) if known else 0 for known in (rows, [*rows, row])]
        return bool(ranks[0] == ranks[1])

    def moves(self, rows: list[dict[str, float]], one_way: list[dict[str, float]]) -> bool:
        """Whether every prescribed motion can go both ways, whatever the others do, past everything that blocks."""
        motions = [row for row in rows if len(row) == 1]
        couplings = [row for row in rows if len(row) > 1]
        if not motions or not one_way:
            return True
        fixed, open_ways = self.matrix([*couplings, *motions]), -self.matrix(one_way)
        for speeds in product((1.0, -1.0), repeat=len(motions)):
            target = [*[0.0] * len(couplings), *speeds]
            found = linprog(np.zeros(fixed.shape[1]), open_ways, np.zeros(len(one_way)), fixed, target, (None, None))
            if found.status == INFEASIBLE:
                return False
        return True

    def block(self, kind: str, at: dict[str, str], *ways: float, **values: Any) -> bool:
        """An element that blocks the relative speed of its flanges where it is negative (1) or positive (-1)."""
        signs = {"a": -1.0, "b": 1.0}
        row = {place: signs[flange] for flange, place in at.items() if place in self.column}
        blocked = [{place: way * sign for place, sign in row.items()} for way in ways or (1.0,)]
        if self.follows(row, self.rows) or not self.moves(self.rows, [*self.one_way, *blocked]):
            return False
        self.one_way += blocked
        self.add(kind, at, **values)
        return True

    def law(self, low: float, high: float) -> Plain:
        return random_law(self.draw, self.draw.between(low, high))

    def pressed(self) -> Plain:
        draw = self.draw
        drag = {"tau_drag": draw.between(0.05, 0.5), "d_drag": 0.01, "w_drag": 0.5} if draw.chance(0.2) else {}
        return {
            "law": self.law(0.1, 0.6),
            "fn_max": draw.between(1.0, 50.0),
            "f_normalized": self.source.command(opens=True),
            "engage": draw.one("steady", "steady", "frozen", "zero"),
            "cgeo": draw.one(None, 0.5),
            **drag,
        }

    def loads(self) -> Plain:
        """The load of a bearing, as a number or by name, and for some another one backwards."""
        load = self.source.command(opens=False)
        values: Plain = {"load": load if isinstance(load, float) else self.source.name(load)}
        return values | ({"load_backward": self.draw.one(0.5, 1.4)} if self.draw.chance(0.15) else {})

    # --- heat, loose ends and starts

    def store(self) -> str:
        """A thermal mass."""
        if self.warm and self.draw.chance(0.5):
            return self.draw.one(*self.warm)
        name = self.put("store", "ThermalMass", C=self.draw.between(1.0, 50.0), T0=self.draw.one(293.15, 313.15))
        self.warm.append(name)
        self.source.sensors.append(f"{name}.T")
        return name

    def add_heat_ports(self) -> None:
        """Some of what dissipates warms a thermal mass; friction fades with it."""
        for values in list(self.elements.values()):
            ports = all_elements()[values["type"]].ports
            if "heat" in ports and "heat" not in values and self.draw.chance(0.15):
                warmed = [name for name, other in self.elements.items() if "heat" in other]
                values["heat"] = f"{self.draw.one(*warmed)}.heat" if warmed and self.draw.chance(0.2) else self.store()
                fades = values["type"] not in ("TorqueConverter", "LossyJoint") or "c" in values
                if "law" in values and fades and self.draw.chance(0.5):
                    values |= {"T_fade": [280.0, 300.0, 340.0], "fade": [1.1, 0.9, 0.6]}

    def connect_apart(self) -> None:
        """Some flanges are connected by a separate line."""
        for name, values in self.elements.items():
            if "b" in values and self.draw.chance(0.05):
                self.connect.append([f"{name}.b", values.pop("b")])

    def tie(self, place: str) -> None:
        """A place that nothing is connected to rubs in oil, a thermal mass cools."""
        ends = [end for values in self.elements.values() for end in values.values() if isinstance(end, str)]
        if place not in ends and not any(place in pair for pair in self.connect):
            if place in self.warm:
                self.put("cooling", "Convection", a=place, G=self.draw.between(0.1, 5.0))
            else:
                self.put("oil", "Damper", a=place, d=self.draw.between(0.02, 2.0))

    def set_starts(self) -> None:
        """Speeds that fulfil the couplings; a body that is at rest does not say so."""
        super().set_starts()
        for values in self.elements.values():
            for word in ("w0", "v0"):
                if values.get(word) == 0.0:
                    del values[word]


SENSED = {
    "Spring": 3,
    "SpringDamper": 3,
    "Damper": 2,
    "Clutch": 2,
    "ElastoGap": 2,
    "NonlinearSpring": 2,
    "HystereticSpring": 3,
}
"""Links whose motion is sensed, with the number of quantities: relative position, speed, torque."""


# --- springs and what pushes ------------------------------------------------------------------------------------------


@_joins("Spring")
def _spring(m: _Assorted, a: str, b: str) -> None:
    m.link("Spring", a, b, c=m.draw.between(5.0, 1000.0), phi_rel0=m.draw.one(None, None, m.apart(a, b) or None))


@_joins("Damper")
def _damper(m: _Assorted, a: str, b: str) -> None:
    m.link("Damper", a, b, d=m.draw.between(0.02, 2.0))


@_joins("SpringDamper")
def _spring_damper(m: _Assorted, a: str, b: str) -> None:
    c, d = m.draw.between(5.0, 1000.0), m.draw.between(0.02, 2.0)
    if m.draw.chance(0.2):  # two in series, with nothing in between
        first = m.add("SpringDamper", {"a": a}, c=c, d=d)
        m.add("SpringDamper", {"a": f"{first}.b", "b": b}, c=2 * c, d=2 * d)
    else:
        m.link("SpringDamper", a, b, c=c, d=d, phi_rel0=m.draw.one(None, None, 0.1))


@_joins("NonlinearSpring")
def _nonlinear_spring(m: _Assorted, a: str, b: str) -> None:
    c = m.draw.between(5.0, 300.0)
    if m.draw.chance(0.5):
        m.link("NonlinearSpring", a, b, coefficients=[c, 0.0, 5 * c], d=m.draw.between(0.02, 2.0))
    else:
        tau = [-0.5 * c, -0.02 * c, 0.02 * c, 0.5 * c]
        m.link("NonlinearSpring", a, b, phi=[-0.3, -0.1, 0.1, 0.3], tau=tau, d=m.draw.one(None, 0.1))


@_joins("HystereticSpring")
def _hysteretic_spring(m: _Assorted, a: str, b: str) -> None:
    shape = {
        "alpha": m.draw.one(0.0, 0.1, 0.5),
        "sharpness": m.draw.one(None, 1.0, 3.5),
        "beta_share": m.draw.one(None, 0.8),
    }
    relaxed = m.draw.one(None, m.apart(a, b) or None)
    values = {"c": m.draw.between(5.0, 1000.0), "tau_y": m.draw.between(0.1, 10.0), "d": m.draw.one(None, 0.2)}
    m.link("HystereticSpring", a, b, **values, **shape, phi_rel0=relaxed)


@_joins("CamSpring")
def _cam_spring(m: _Assorted, a: str, b: str) -> None:
    c, f_0 = m.draw.between(5.0, 300.0), m.draw.between(1.0, 30.0)
    m.link("CamSpring", a, b, s=[-1.0, 0.0, 1.0], alpha=[-0.4, m.draw.one(0.0, 0.2), -0.5], c=c, f_0=f_0)


@_joins("ElastoGap")
def _elasto_gap(m: _Assorted, a: str, b: str) -> None:
    opens = round(m.apart(a, b) + m.draw.one(-1.0, -1.0, 0.02) * m.way(), 12)
    values = {"c": m.draw.between(50.0, 5000.0), "d": m.draw.one(None, m.draw.between(0.1, 10.0))}
    m.link("ElastoGap", a, b, phi_rel0=opens or None, n=m.draw.one(None, 1.5), **values)


def _backlash(kind: str) -> None:
    @_joins(kind)
    def joint(m: _Assorted, a: str, b: str) -> None:
        play = m.draw.one(0.0, m.draw.between(0.01, 0.3), m.draw.between(0.01, 0.3))
        middle = round(m.apart(a, b) + m.draw.one(0.0, 0.5, -0.5) * play, 12)  # in the middle, or just touching
        values = {"c": m.draw.between(20.0, 2000.0), "d": m.draw.one(None, m.draw.between(0.02, 2.0))}
        m.link(kind, a, b, play=play, phi_rel0=middle or None, **values)


_backlash("ElastoBacklash")
_backlash("ElastoBacklash2")


@_adds("Fixed")
def _fixed(m: _Assorted) -> None:
    wall, place = m.put("wall", "Fixed"), m.some()
    kind = m.draw.one("Spring", "Damper", "FreeWheel")
    values = {"Spring": {"c": m.draw.between(5.0, 1000.0)}, "Damper": {"d": m.draw.between(0.02, 2.0)}}
    a, b = m.draw.one((wall, place), (place, wall))
    if kind != "FreeWheel" or not m.block(kind, {"a": a, "b": b}):
        kind = "Spring" if kind == "FreeWheel" else kind
        m.add(kind, {"a": a, "b": b}, **values[kind])


# --- friction ---------------------------------------------------------------------------------------------------------


@_adds("Bearing")
def _bearing(m: _Assorted) -> None:
    m.add("Bearing", {"a": m.some(TURNING)}, law=m.law(0.1, 5.0), **m.loads())


@_adds("Guide")
def _guide(m: _Assorted) -> None:
    m.add("Guide", {"a": m.some(SLIDING)}, law=m.law(0.1, 5.0), **m.loads())


@_adds("ServoFriction")
def _servo_friction(m: _Assorted) -> None:
    coefficients = {"K_c": m.draw.between(0.05, 2.0), "K_v": m.draw.one(None, 0.1)}
    coefficients |= {"K_m": m.draw.between(0.02, 0.3), "K_e": m.draw.between(0.02, 0.3)}
    if m.draw.chance(0.5):
        coefficients |= {"K_cs": m.draw.between(0.05, 1.0), "K_ms": 0.1, "K_mq": m.draw.one(None, 0.01)}
    torques = {word: m.source.signal(m.draw.between(0.5, 5.0)) for word in ("tau_m", "tau_e")}
    m.add("ServoFriction", {"a": m.some(TURNING)}, **coefficients, **torques)


@_joins("Clutch")
def _clutch(m: _Assorted, a: str, b: str) -> None:
    m.link("Clutch", a, b, **m.pressed())


@_adds("Brake")
def _brake(m: _Assorted) -> None:
    m.add("Brake", {"a": m.some()}, **m.pressed())


@_joins("OneWayClutch")
def _one_way_clutch(m: _Assorted, a: str, b: str) -> None:
    m.block("OneWayClutch", {"a": a, "b": b}, **m.pressed(), c_max=m.draw.one(None, 10.0))


@_joins("FreeWheel")
def _free_wheel(m: _Assorted, a: str, b: str) -> None:
    m.block("FreeWheel", {"a": a, "b": b})


@_joins("Stop")
def _stop(m: _Assorted, a: str, b: str) -> None:
    wall = m.draw.chance(0.5) and not {a, b} & m.led
    middle, low, high = m.at[b] if wall else m.apart(a, b), m.way(), m.way()
    ends = {"phi_min": round(middle - low, 12), "phi_max": round(middle + max(high, 0.01 * (low == 0.0)), 12)}
    for end in m.draw.one(("phi_min",), ("phi_max",), ()):
        del ends[end]
    at = {"b": b} if wall else {"a": a, "b": b}
    bounce = {"restitution": m.draw.one(None, None, 0.3, 0.8, 1.0), "w_small": m.draw.one(None, None, 0.05)}
    ways = [way for end, way in (("phi_min", 1.0), ("phi_max", -1.0)) if end in ends]
    m.block("Stop", at, *ways, **ends, **bounce)


# --- sources ----------------------------------------------------------------------------------------------------------


@_adds("Torque")
def _torque(m: _Assorted) -> None:
    m.add("Torque", {"a": m.some(TURNING)}, tau=m.source.signal(m.draw.signed(0.5, 30.0)))


@_adds("Force")
def _force(m: _Assorted) -> None:
    m.add("Force", {"a": m.some(SLIDING)}, f=m.source.signal(m.draw.signed(0.5, 30.0)))


@_adds("SpeedTorque")
def _speed_torque(m: _Assorted) -> None:
    forms = ("constant", "linear", "quadratic", "quadratic one way", "constant power", "along the motion")
    size, nominal, form = m.draw.between(0.5, 10.0), m.draw.between(1.0, 20.0), m.draw.one(*forms)
    if form == "quadratic one way":  # along the motion it runs away, in a finite time if it is strong
        size, nominal = 0.05 * size, 20.0
    m.add("SpeedTorque", {"a": m.some()}, tau_nominal=-size, w_nominal=nominal, form=form)


@_adds("MovingLoad")
def _moving_load(m: _Assorted) -> None:
    tau = gain(m.source.command(opens=False), m.draw.between(0.2, 10.0))
    m.add("MovingLoad", {"a": m.some()}, tau=tau, w_0=m.draw.one(None, None, 0.1))


@_adds("EddyCurrentBrake")
def _eddy_current_brake(m: _Assorted) -> None:
    values = {"tau_nominal": m.draw.between(0.5, 10.0), "w_nominal": m.draw.between(1.0, 20.0)}
    m.add("EddyCurrentBrake", {"a": m.some(TURNING)}, **values, u=m.source.signal(1.0), alpha=m.draw.one(None, 0.004))


@_adds("Engine")
def _engine(m: _Assorted) -> None:
    maps = {"w_map": [0.0, 10.0, 50.0], "throttle_map": [0.0, 1.0], "tau_map": [[0.0, 10.0], [-3.0, 20.0], [-8.0, 5.0]]}
    governor = m.draw.one({}, {"w_idle": 3.0, "w_max": 40.0}, {"w_idle": 8.0, "band": 4.0})
    m.add("Engine", {"a": m.some(TURNING)}, u=m.source.command(opens=False), **maps, **governor)


@_joins("TorqueConverter")
def _torque_converter(m: _Assorted, a: str, b: str) -> None:
    size = m.draw.between(0.003, 0.1)
    tables: Plain = {"nu": [0.0, 0.8, 1.0], "capacity": [size, 0.7 * size, 0.0], "ratio": [2.0, 1.0, 1.0]}
    if m.draw.chance(0.5):
        law, command = m.law(0.1, 0.6), m.source.command(opens=True)
        tables |= {"lockup": command, "law": law, "fn_max": m.draw.between(1.0, 50.0)}
    m.add("TorqueConverter", {"a": a, "b": b}, **tables)


@_adds("Speed")
def _speed(m: _Assorted) -> None:
    """Of a body, or of a place that a clutch or a shaft ties to a body."""
    body = m.some()
    word = "w" if m.domain(body) == TURNING else "v"
    if m.draw.chance(0.3) and body not in m.moved and m.fixes({body: 1.0}):
        signal = random_speed(m.draw, smooth=True)
        m.connect.append([m.put("motor", "Speed", **{word: signal}), body])
        m.moved[body] = speed_at_start(signal)
        return
    name = m.put("motor", "Speed", **{word: m.source.of_time(m.draw.between(0.3, 10.0))})
    JOINTS[m.draw.one("SpringDamper", "Clutch", "Damper", "OneWayClutch", "FreeWheel")](m, *_led(m, name, body))


@_adds("Position")
def _position(m: _Assorted) -> None:
    body = m.some()
    word, size, f = "phi" if m.domain(body) == TURNING else "s", m.draw.between(0.05, 1.0), m.draw.between(0.5, 3.0)
    sine = {"type": "Sine", "amplitude": 1.0, "f": f}
    smooth = [gain(sine, size), gain({"type": "Power", "u": sine, "exponent": 2}, size)]
    ramp = {"type": "Ramp", "height": size, "duration": 0.6, "start": 0.2}
    name = m.put("guide", "Position", **{word: m.draw.one(*smooth, ramp)})
    JOINTS[m.draw.one("SpringDamper", "Clutch", "Spring", "ElastoBacklash", "Stop")](m, *_led(m, name, body))


def _led(m: _Assorted, name: str, body: str) -> tuple[str, str]:
    """A prescribed place becomes known; it and the body in either order."""
    m.add_place(name, m.domain(body))
    m.rows.append({name: 1.0})
    m.led.add(name)
    return m.draw.one((name, body), (body, name))


# --- heat -------------------------------------------------------------------------------------------------------------


@_adds("ThermalMass")
def _thermal_mass(m: _Assorted) -> None:
    m.put("rub", "Damper", a=m.some(), d=m.draw.between(0.02, 2.0), heat=m.store())


@_adds("Convection")
def _convection(m: _Assorted) -> None:
    a, b = m.store(), m.store()
    other = {} if a == b else {"b": b}
    how = m.draw.one({"G": m.draw.between(0.1, 5.0)}, {"h": 40.0, "A": 0.05}, {"G": m.source.command(opens=False)})
    m.put("cooling", "Convection", a=a, **other, **how)


@_adds("FixedTemperature")
def _fixed_temperature(m: _Assorted) -> None:
    oil = m.put(
        "sump", "FixedTemperature", T=m.draw.one(353.15, {"type": "Sine", "amplitude": 5.0, "f": 1.0, "offset": 330.0})
    )
    m.put("cooling", "Convection", a=m.store(), b=oil, G=m.draw.between(0.1, 5.0))


@_adds("HeatFlow")
def _heat_flow(m: _Assorted) -> None:
    m.put("heater", "HeatFlow", a=m.store(), Q_flow=m.source.signal(m.draw.between(1.0, 100.0)))


# --- rigid couplings --------------------------------------------------------------------------------------------------


def _rigid(kind: str, word: str) -> None:
    @_joins(kind)
    def joint(m: _Assorted, a: str, b: str) -> None:
        m.couple(kind, {"a": a, "b": b}, [1.0, -1.0], **{word: round(m.apart(a, b), 12) or None})


_rigid("Disc", "deltaPhi")
_rigid("Rod", "L")


@_joins("Gear")
def _gear(m: _Assorted, a: str, b: str) -> None:
    ratio = m.draw.one(-2.5, -1.0, 0.4, 1.0, 1.7, 3.0)
    if m.draw.chance(0.15) and all(m.agrees(row) for row in m.rows):  # a wheel without inertia on a shaft
        m.floating = True
        gear = m.add("Gear", {"a": a}, ratio=ratio)
        m.add("SpringDamper", {"a": f"{gear}.b", "b": b}, c=m.draw.between(5.0, 1000.0), d=m.draw.between(0.02, 2.0))
    else:
        m.couple("Gear", *_supported(m, a, b, ratio), ratio=ratio)


@_joins("LossyGear")
def _lossy_gear(m: _Assorted, a: str, b: str) -> None:
    ratio = m.draw.one(-2.0, -1.0, 0.4, 1.0, 1.5, 3.0)
    m.couple("LossyGear", *_supported(m, a, b, ratio), ratio=ratio, **_losses(m))


@_joins("LossyJoint")
def _lossy_joint(m: _Assorted, a: str, b: str) -> None:
    load = {"tau_0": m.draw.one(None, m.draw.between(0.1, 2.0)), "k_forward": m.draw.between(0.02, 0.5)}
    if m.draw.chance(0.5):
        curve = {"type": "Stribeck", "mu_c": 1.0, "mu_s": 1.5, "v_s": 0.05}
        law = m.draw.one({"type": "Coulomb", "mu_c": 1.0}, {"type": "Switch", "mu_c": 1.0, "mu_s": 1.3}, curve)
        values = {**load, "k_backward": m.draw.one(None, 0.1, 0.6)}
        m.couple("LossyJoint", *_supported(m, a, b, 1.0), law=law, **values)
    else:
        values = {**load, "k_backward": m.draw.one(None, 0.1, 1.0, 1.8), "d_v": m.draw.one(None, 0.1)}
        stiff = {"c": m.draw.between(20.0, 2000.0), "d": m.draw.one(None, m.draw.between(0.02, 2.0))}
        m.add("LossyJoint", {"a": a, "b": b}, law=m.law(0.5, 1.0), **values, **stiff)


def _supported(m: _Assorted, a: str, b: str, ratio: float) -> tuple[dict[str, str], list[float]]:
    """The flanges of a gear and their factors; some rest on a third place."""
    third = [place for place in (m.turning if m.domain(a) == TURNING else m.sliding) if place not in (a, b)]
    if third and m.draw.chance(0.2):
        return {"a": a, "b": b, "support": m.draw.one(*third)}, [1.0, -ratio, ratio - 1.0]
    return {"a": a, "b": b}, [1.0, -ratio]


def _losses(m: _Assorted) -> Plain:
    table = [[0.0, 0.8, 0.5, 0.3, 0.2], [10.0, 0.9, 0.8, 0.4, 0.3]]
    worm = [[0.0, 0.5, 0.0, 0.2, 0.0], [20.0, 0.7, 0.0, 0.1, 0.1]]
    return m.draw.one({"efficiency": 0.97}, {"efficiency": 0.8}, {"loss_table": table}, {"loss_table": worm})


def _three(m: _Assorted, kind: str, flanges: tuple[str, str, str], factors: list[float], **values: Any) -> None:
    """A coupling of three places that turn, one of which may be the ground."""
    while len(m.turning) < 3:
        m.add_body(TURNING)
    held = m.draw.one(*flanges, "", "", "")
    places = {flange: place for flange, place in zip(flanges, m.pick(3), strict=True) if flange != held}
    kept = [factor for flange, factor in zip(flanges, factors, strict=True) if flange != held]
    m.couple(kind, places, kept, **values)


@_adds("Planetary")
def _planetary(m: _Assorted) -> None:
    ratio = m.draw.one(1.0, 1.5, 2.2, 3.0)
    losses = _losses(m) if m.draw.chance(0.5) else {}
    _three(m, "Planetary", ("sun", "carrier", "ring"), [1.0, -1.0 - ratio, ratio], ratio=ratio, **losses)


@_adds("Differential")
def _differential(m: _Assorted) -> None:
    ratio = m.draw.one(1.0, 2.0, 3.5)
    _three(m, "Differential", ("drive", "left", "right"), [1.0, -ratio / 2, -ratio / 2], ratio=ratio)


@_adds("RackPinion")
def _rack_pinion(m: _Assorted) -> None:
    ratio = m.draw.one(-1.0, 1.0, 5.0)
    m.couple("RackPinion", {"a": m.some(TURNING), "b": _slider(m)}, [1.0, -ratio], ratio=ratio)


@_adds("Wheel")
def _wheel(m: _Assorted) -> None:
    radius = m.draw.one(0.3, 1.0)
    m.couple("Wheel", {"a": m.some(TURNING), "b": _slider(m)}, [radius, -1.0], radius=radius)


@_joins("Hydraulic")
def _hydraulic(m: _Assorted, a: str, b: str) -> None:
    area = m.draw.one(1e-3, 2e-3, 5e-3)
    m.couple("Hydraulic", {"a": a, "b": b}, [area, -2e-3], area_a=area, area_b=2e-3)


def _slider(m: _Assorted) -> str:
    """Something that slides: known, or new."""
    return m.some(SLIDING) if m.draw.chance(0.4) else m.add_body(SLIDING)


# --- bodies -----------------------------------------------------------------------------------------------------------


@_adds("Inertia")
def _inertia(m: _Assorted) -> None:
    m.add_body(TURNING)


@_adds("Mass")
def _mass(m: _Assorted) -> None:
    m.add_body(SLIDING)


@_adds("Vehicle")
def _vehicle(m: _Assorted) -> None:
    draw = m.draw
    road = {"c_r": draw.one(0.0, 0.02, 0.2), "slope": draw.one(0.0, 0.1, gain(m.source.signal(1.0), 0.1))}
    air = draw.one({}, {"c_w": 0.4, "A": 2.0}, {"c_w": 0.4, "A": 2.0, "v_wind": m.source.signal(3.0)})
    car = m.put("car", "Vehicle", m=draw.between(0.5, 20.0), s0=0.0, **road, **air)
    m.know_body(car, SLIDING, 0.0)
    radius = draw.one(0.3, 1.0)
    axle = m.some(TURNING)
    m.couple("Wheel", {"a": axle, "b": car}, [radius, -1.0], radius=radius)
