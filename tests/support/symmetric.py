"""Symmetric machines from a seed: equal branches that start alike and are driven alike, so they must move alike.

Two to six branches on a hub, planetaries on one input, wheels behind differentials, chains mirrored about their middle
that are driven from both ends, and pairs of contacts that break away at one instant. A branch is built once, with "{}"
for its label in every name, and then copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .builder import Builder, Draw, Machine, Plain
from .drivelines import random_law
from .kinds import Kinds
from .random_signals import RandomSignals, gain

ODD = ("Inertia", "Mass", "Spring", "SpringDamper", "Clutch", "Brake", "Bearing", "Guide", "Gear", "LossyGear")
"""Elements that show the opposite of everything where everything moves the opposite way."""

HUB = "hub"


def symmetric(seed: int, kinds: Kinds | None = None) -> Machine:
    """The machine of a seed, with all laws or some kinds of them, and which of its elements are images of each other.

    >>> symmetric(7).images
    (('block0', 'block1'), ('arm0', 'arm1'), ('pad0', 'pad1'))
    """
    draw = Draw(np.random.default_rng([16, seed]), kinds)
    kind = draw.one(_Branches, _Branches, _Branches, _Planetaries, _Axles, _Mirrored, _Twins)
    return kind(draw, f"symmetric-{seed}").build()


class _Symmetric(Builder):
    """A hub, a branch and what they are made of; `branch` says what is special about it."""

    turning_share = 0.6
    """Share of the machines that turn."""

    def __init__(self, draw: Draw, name: str) -> None:
        super().__init__(draw, name)
        self.turns = draw.chance(self.turning_share)
        self.labels = [str(k) for k in range(draw.one(2, 2, 3, 4, 5, 6))]
        self.common = RandomSignals(draw)
        self.own = RandomSignals(draw, naming="v#_{}")
        """Signals of a branch, which may sense the branch and the hub."""
        self.alike: list[tuple[str, ...]] = []
        """Images among the elements that are no part of a branch."""

    def build(self) -> Machine:
        draw = self.draw
        self.add_body(HUB)
        self.branch()
        if draw.chance(0.7):
            self.drive(HUB, self.common)
        if draw.chance(0.5):
            self.rub(HUB, self.common)
        self.signals = self.common.named | self.own.named
        self.set_starts()
        return self.expanded()

    def branch(self) -> None:
        raise NotImplementedError

    # --- parts; names of places end with {} if they are part of the branch

    def add_body(self, name: str) -> str:
        word, kind = ("J", "Inertia") if self.turns else ("m", "Mass")
        self.elements[name] = {"type": kind, word: self.draw.between(0.05, 5.0)}
        self.bodies.append(name)
        self.place(name, turns=self.turns)
        sensors = [f"{name}.w", f"{name}.phi"] if self.turns else [f"{name}.v", f"{name}.s"]
        self.own.sensors += sensors
        self.common.sensors += [] if "{}" in name else sensors
        return name

    def part(self, stem: str, kind: str, **values: Any) -> None:
        """An element of the branch."""
        count = sum(key.startswith(stem) for key in self.elements)
        self.elements[f"{stem}{count or ''}_{{}}"] = {"type": kind} | values

    def word(self, rotational: str, translational: str) -> str:
        return rotational if self.turns else translational

    def chain(self, first: str, length: int) -> str:
        """Bodies one behind the other; the last one."""
        for _ in range(length):
            stem = f"body{sum(key.startswith('body') for key in self.elements)}_{{}}"
            self.join(first, last := self.add_body(stem))
            first = last
        return first

    def join(self, a: str, b: str) -> None:
        """A link of a branch, or a rigid coupling."""
        draw = self.draw
        kinds = ["SpringDamper", "SpringDamper", "Spring", "Clutch", "FreeWheel", "OneWayClutch", "Stop"]
        kinds += ["ElastoBacklash", "ElastoBacklash2", *(["Gear", "LossyGear"] if self.turns else ["ElastoGap"])]
        kind = draw.one(*kinds)
        if kind == "Stop" and draw.chance(0.6):  # impacts of all branches at one instant are sensitive
            kind = "SpringDamper"
        if kind in ("Gear", "LossyGear"):
            ratio = draw.one(-2.0, 0.5, 1.0, 3.0)
            self.rows.append({a: 1.0, b: -ratio})
            self.part("gear", kind, a=a, b=b, ratio=ratio, **(self.losses() if kind == "LossyGear" else {}))
            return
        self.part("arm", kind, a=a, b=b, **self.link_values(kind))

    def link_values(self, kind: str) -> Plain:
        draw = self.draw
        c, d, play = draw.between(5.0, 1000.0), draw.between(0.02, 2.0), draw.between(0.01, 0.3)
        if kind in ("Clutch", "OneWayClutch"):
            return self.pressed(self.own)
        return {
            "Spring": {"c": c},
            "SpringDamper": {"c": c, "d": d},
            "ElastoBacklash": {"c": c, "d": d, "play": play},
            "ElastoBacklash2": {"c": c, "d": d, "play": play},
            "ElastoGap": {"c": c, "d": d, "s_rel0": draw.one(0.0, -play)},
            "FreeWheel": {},
            "Stop": self.ends(),
        }[kind]

    def losses(self) -> Plain:
        table = [[0.0, 0.8, 0.5, 0.3, 0.2], [10.0, 0.9, 0.8, 0.4, 0.3]]
        return self.draw.one({"efficiency": 0.97}, {"efficiency": 0.8}, {"loss_table": table})

    def ends(self) -> Plain:
        """The ends of a stop, which may be touched at the start."""
        low, high = self.word("phi_min", "s_min"), self.word("phi_max", "s_max")
        way = self.draw.between(0.005, 0.3)
        sides = self.draw.one({low: -way, high: way}, {low: 0.0}, {high: 0.0}, {high: way})
        return sides | {"restitution": self.draw.one(0.0, 0.0, 0.5, 1.0)}

    def pressed(self, source: RandomSignals) -> Plain:
        draw = self.draw
        command = source.command(opens=True) if draw.chance(0.6) else 1.0
        return {
            "law": random_law(draw, draw.between(0.1, 0.6)),
            "fn_max": draw.between(1.0, 50.0),
            "f_normalized": command,
        }

    def rub(self, place: str, source: RandomSignals) -> None:
        """Friction against the ground: of a branch, or of the hub."""
        draw = self.draw
        kind = draw.one("Brake", self.word("Bearing", "Guide"))
        values = self.pressed(source) if kind == "Brake" else {"law": random_law(draw, draw.between(0.1, 5.0))}
        if "{}" in place:
            self.part("pad", kind, a=place, **values)
        else:
            self.put("rub", kind, a=place, **values)

    def drive(self, place: str, source: RandomSignals) -> None:
        kind, word = ("Torque", "tau") if self.turns else ("Force", "f")
        values = {"a": place, word: source.signal(self.draw.signed(0.5, 30.0))}
        if "{}" in place:
            self.part("drive", kind, **values)
        else:
            self.put("push", kind, **values)

    def add_extras(self, places: list[str]) -> None:
        """Friction, stops, backstops and drives on places of the branch."""
        extras = [self.rub, self.rub, self.hold_base, self.stop, self.back_stop, self.drive, self.resist]
        self.rub(self.draw.one(*places), self.own)
        for _ in range(self.draw.one(0, 1, 1, 2, 3)):
            self.draw.one(*extras)(self.draw.one(*places), self.own)

    def hold_base(self, place: str, source: RandomSignals) -> None:
        """A contact with a body that all branches rub on."""
        if "base" not in self.elements:
            self.add_body("base")
            self.elements["base"][self.word("J", "m")] = self.draw.between(1.0, 900.0)
        self.part("lining", "Clutch", a=place, b="base", **self.pressed(source))

    def stop(self, place: str, source: RandomSignals) -> None:
        self.part("stop", "Stop", b=place, **self.ends())

    def back_stop(self, place: str, source: RandomSignals) -> None:
        if "wall" not in self.elements:
            self.elements["wall"] = {"type": "Fixed"}
        a, b = self.draw.one(("wall", place), (place, "wall"))
        self.part("sprag", "FreeWheel", a=a, b=b)

    def resist(self, place: str, source: RandomSignals) -> None:
        self.part("load", "MovingLoad", a=place, **{self.word("tau", "f"): self.draw.between(0.2, 10.0)})

    def branch_places(self) -> list[str]:
        return [name for name in self.bodies if "{}" in name]

    # --- copies

    def expanded(self) -> Machine:
        """Every branch by its label."""
        elements = dict(self.copies(self.elements))
        images = [tuple(name.format(label) for label in self.labels) for name in self.elements if "{}" in name]
        plain = {"name": self.name, "signals": dict(self.copies(self.signals)), "elements": elements}
        return Machine({key: value for key, value in plain.items() if value}, (*images, *self.alike))

    def copies(self, things: Plain) -> Iterator[tuple[str, Any]]:
        for name, value in things.items():
            for label in self.labels if "{}" in name else [""]:
                yield name.format(label), _labelled(value, label)


def _labelled(value: Any, label: str) -> Any:
    """Plain data of one branch."""
    if isinstance(value, str):
        return value.replace("{}", label)
    if isinstance(value, list):
        return [_labelled(entry, label) for entry in value]
    if isinstance(value, dict):
        return {key: _labelled(entry, label) for key, entry in value.items()}
    return value


# --- kinds of machines ------------------------------------------------------------------------------------------------


class _Branches(_Symmetric):
    """Chains of one to three bodies on a hub."""

    def branch(self) -> None:
        self.chain(HUB, self.draw.one(1, 1, 2, 3))
        self.add_extras(self.branch_places())


class _Planetaries(_Symmetric):
    """Equal planetaries on one input, each with a carrier and a ring, or on one carrier, each with a sun and a ring."""

    turning_share = 1.0

    def branch(self) -> None:
        draw, ratio = self.draw, self.draw.one(1.0, 2.2, 3.0)
        inner, ring = self.add_body("body0_{}"), self.add_body("body1_{}")
        sun, carrier = draw.one((HUB, inner), (inner, HUB))
        self.rows.append({sun: 1.0, carrier: -1.0 - ratio, ring: ratio})
        losses = self.losses() if draw.chance(0.4) else {}
        self.part("set", "Planetary", sun=sun, carrier=carrier, ring=ring, ratio=ratio, **losses)
        if draw.chance(0.4):
            self.chain(inner, 1)
        self.add_extras(self.branch_places())


class _Axles(_Symmetric):
    """Wheels behind one to three differentials, on the hub itself or each on a shaft."""

    turning_share = 1.0

    def branch(self) -> None:
        draw = self.draw
        axles, ratio = range(draw.one(1, 1, 2, 3)), draw.one(1.0, 3.5)
        self.labels = [f"{side}{k}" for k in axles for side in "LR"]
        wheel, springs = self.add_body("body0_{}"), draw.chance(0.5)
        shaft = {"type": "SpringDamper", "a": HUB, "c": draw.between(5.0, 1000.0), "d": draw.between(0.02, 2.0)}
        inertia = {"type": "Inertia", "J": draw.between(0.05, 5.0)}
        for k in axles:
            ends = {"left": f"body0_L{k}", "right": f"body0_R{k}"}
            if springs:
                self.elements |= {f"axle{k}": dict(inertia), f"shaft{k}": shaft | {"b": f"axle{k}"}}
            drive = f"axle{k}" if springs else HUB
            self.elements[f"rear{k}"] = {"type": "Differential", "drive": drive, **ends, "ratio": ratio}
        names = ("rear", "axle", "shaft") if springs else ("rear",)
        self.alike += [tuple(f"{name}{k}" for k in axles) for name in names]
        self.rows.append({wheel: 1.0} if springs else {HUB: 1.0, wheel: -ratio})
        self.chain(wheel, draw.one(0, 0, 1))
        self.add_extras(self.branch_places())


class _Mirrored(_Symmetric):
    """A chain mirrored about its middle; the ends are driven the opposite way, so the middle rests."""

    def build(self) -> Machine:
        self.labels = ["0", "1"]
        self.own.sensors = self.common.sensors = []
        self.add_body(HUB)
        last = self.chain(HUB, self.draw.one(1, 2, 3))
        for place in self.branch_places():
            if self.draw.chance(0.6):
                self.rub(place, self.own)
        kind, word = ("Torque", "tau") if self.turns else ("Force", "f")
        self.part("drive", kind, a=last, **{word: self.own.of_time(self.draw.between(0.5, 30.0))})
        if self.draw.chance(0.4):
            self.stop(last, self.own)
        self.signals = self.own.named
        self.set_starts()
        return self.opposed(self.expanded())

    def join(self, a: str, b: str) -> None:
        """Only what is alike both ways."""
        kind = self.draw.one(
            "SpringDamper", "Spring", "Clutch", "ElastoBacklash", *(["Gear", "LossyGear"] * self.turns)
        )
        if kind in ("Gear", "LossyGear"):
            ratio = self.draw.one(-2.0, 0.5, 3.0)
            self.rows.append({a: 1.0, b: -ratio})
            self.part("gear", kind, a=a, b=b, ratio=ratio, **(self.losses() if kind == "LossyGear" else {}))
        else:
            self.part("arm", kind, a=a, b=b, **self.link_values(kind))

    def pressed(self, source: RandomSignals) -> Plain:
        """With a command that is a function of time."""
        command = {"type": "Sum", "terms": [0.4, source.of_time(0.6)]}
        return super().pressed(source) | {"f_normalized": command}

    def set_starts(self) -> None:
        """The middle rests."""
        self.rows.append({HUB: 1.0})
        super().set_starts()

    def opposed(self, machine: Machine) -> Machine:
        """The second half driven, started and limited the opposite way."""
        for name, values in machine.plain["elements"].items():
            if not name.endswith("_1"):
                continue
            for word in ("tau", "f"):
                if word in values:
                    values[word] = gain(values[word], -1.0)
            for word in ("w0", "v0"):
                if word in values:
                    values[word] = -values[word] or 0.0
            for low, high in (("phi_min", "phi_max"), ("s_min", "s_max")):
                ends = {high: values.pop(low, None), low: values.pop(high, None)}
                values |= {word: -end or 0.0 for word, end in ends.items() if end is not None}
        kinds = machine.plain["elements"]
        images = [(a, f"-{b}") for a, b in machine.images if kinds[a]["type"] in ODD]
        return Machine(machine.plain, tuple(images))


class _Twins(_Symmetric):
    """Blocks on stiff arms that slide on a heavy base, with a force on the hub: contacts break away at one instant."""

    turning_share = 0.0

    def build(self) -> Machine:
        draw = self.draw
        self.labels = self.labels[:4]
        load = draw.between(1e3, 5e3)
        law = random_law(draw, draw.one(0.8, 0.9, 0.5))
        push = draw.between(0.6, 2.0) * load * len(self.labels)
        force = {"type": "Sine", "amplitude": float(f"{push:.3g}"), "f": draw.between(0.5, 5.0)}
        self.elements = {
            "base": {"type": "Mass", "m": draw.between(100.0, 1000.0)},
            HUB: {"type": "Mass", "m": draw.between(1.0, 10.0)},
            "push": {"type": "Force", "a": HUB, "f": force},
            "block_{}": {"type": "Mass", "m": draw.between(2.0, 20.0)},
            "arm_{}": {"type": "SpringDamper", "a": HUB, "b": "block_{}", "c": draw.between(1e4, 1e5), "d": 500.0},
            "pad_{}": {"type": "Clutch", "a": "block_{}", "b": "base", "law": law, "fn_max": load},
        }
        return self.expanded()
