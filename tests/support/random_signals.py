"""Random signals of every kind, as plain data: torques, commands, loads and controllers.

A signal swings within about -size and size. What it senses passes through a function with limits, so that no feedback
grows without bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .builder import T_END, Draw, Plain

RECORDING = str(Path(__file__).with_name("recording.csv"))

DEEPEST = 3
"""Levels of signals within signals."""

Maker = Callable[["RandomSignals", float], Any]

TIME: dict[str, Maker] = {}
"""Functions of time alone."""
OF_SIGNALS: dict[str, Maker] = {}
"""Functions of other signals, without memory."""
MEMORY: dict[str, Maker] = {}
"""Signals that depend on what was before, and references: what no prescribed motion can follow."""


def makers() -> dict[str, Maker]:
    """What makes a signal of each kind.

    >>> makers()["Step"](signals, 3.0)
    {'type': 'Step', 'height': 3.0, 'start': 0.2}
    """
    return TIME | OF_SIGNALS | MEMORY


def _makes(kind: str, registry: dict[str, Maker]) -> Callable[[Maker], Maker]:
    def register(maker: Maker) -> Maker:
        registry[kind] = maker
        return maker

    return register


def gain(u: Any, k: float) -> Plain:
    """A signal times a number."""
    return {"type": "Gain", "u": u, "k": k}


class RandomSignals:
    """Draws signals; sensors and named signals become known as the machine grows.

    >>> RandomSignals(Draw(rng)).signal(3.0)
    {'type': 'Sine', 'amplitude': 3.0, 'f': 2.2, 'phase': 0.7}
    """

    def __init__(self, draw: Draw, naming: str = "u#") -> None:
        self.draw = draw
        self.naming = naming
        """How signals are named; # is their number."""
        self.sensors: list[str] = []
        """Quantities of the machine: positions, speeds, torques of springs, temperatures."""
        self.named: dict[str, Any] = {}
        """Signals of the model by name, of size 1."""
        self._depth = 0

    def signal(self, size: float) -> Any:
        """Any signal."""
        return self._made(makers(), size)

    def of_time(self, size: float) -> Any:
        """A function of time, which may jump."""
        sensors, named, self.sensors, self.named = self.sensors, self.named, [], {}
        made = self._made(TIME | OF_SIGNALS, size)
        self.sensors, self.named = sensors, named
        return made

    def command(self, opens: bool) -> Any:
        """A number near 1, or a signal between 0.2 and 1; one that `opens` is below 0 at times."""
        if self.draw.chance(0.3):
            return 1.0
        middle, swing = (0.3, 0.7) if opens else (0.6, 0.4)
        u = self.signal(1.0) if opens else self.within(self.signal(1.0))
        return {"type": "Sum", "terms": [middle, u], "gains": [1.0, swing]}

    def name(self, signal: Any) -> str:
        """The name of a signal that the machine now knows, by which results show it."""
        name = self.naming.replace("#", str(len(self.named)))
        self.named[name] = signal
        return name

    def within(self, u: Any) -> Plain:
        """A signal kept within -1 and 1."""
        return {"type": "Saturation", "u": u, "low": -1.0, "high": 1.0}

    def swing(self) -> Any:
        """An operand of size 1."""
        draw = self.draw
        deep = self._depth >= DEEPEST
        how = draw.rng.random()
        if self.sensors and how < 0.5:
            return self.sensed()
        if self.named and how < 0.6:
            return draw.one(*self.named)
        if deep or how < 0.8:
            return {"type": "Sine", "amplitude": 1.0, "f": draw.between(0.5, 6.0), "phase": draw.one(0.0, 0.7)}
        return self._made(makers() if self.sensors else TIME | OF_SIGNALS, 1.0)

    def sensed(self) -> Plain:
        """A sensor within -1 and 1: smooth, or with limits."""
        sensor, sign = self.draw.one(*self.sensors), self.draw.one(1.0, -1.0)
        if sensor.endswith(".T"):
            return {"type": "Function", "f": "tanh", "u": {"type": "Sum", "terms": [sensor, -293.15]}}
        if self.draw.chance(0.4):
            return self.within(gain(sensor, sign * self.draw.between(0.1, 2.0)))
        return {"type": "Function", "f": self.draw.one("tanh", "sin", "atan"), "u": gain(sensor, sign)}

    def condition(self) -> Plain:
        """A comparison."""
        relation = self.draw.one("<", "<=", ">", ">=")
        return {"type": "Compare", "left": self.swing(), "relation": relation, "right": self.level()}

    def level(self) -> float:
        """Where something jumps: seldom at 0, where most sensors start."""
        return 0.0 if self.draw.chance(0.1) else self.draw.signed(0.03, 0.5)

    def _made(self, registry: dict[str, Maker], size: float) -> Any:
        self._depth += 1
        made = registry[self.draw.one(*registry)](self, size)
        self._depth -= 1
        return made


# --- functions of time ------------------------------------------------------------------------------------------------


@_makes("Constant", TIME)
def _constant(s: RandomSignals, size: float) -> Any:
    return s.draw.one(size, {"type": "Constant", "value": size})


@_makes("Step", TIME)
def _step(s: RandomSignals, size: float) -> Any:
    height, offset = s.draw.one((size, 0.0), (-size, size), (2 * size, -size))
    return {"type": "Step", "height": height, "start": s.draw.between(0.05, 0.7), "offset": offset}


@_makes("Ramp", TIME)
def _ramp(s: RandomSignals, size: float) -> Any:
    return {"type": "Ramp", "height": size, "duration": s.draw.between(0.05, 0.7), "start": s.draw.one(0.0, 0.1)}


@_makes("Sine", TIME)
def _sine(s: RandomSignals, size: float) -> Any:
    return {"type": "Sine", "amplitude": size, "f": s.draw.between(0.5, 6.0), "phase": s.draw.one(0.0, 0.7)}


@_makes("Table", TIME)
def _table(s: RandomSignals, size: float) -> Any:
    between = s.draw.one("linear", "hold")
    return {
        "type": "Table",
        "time": [0.0, 0.31, 0.62, 1.0],
        "value": [0.0, size, -size, 0.5 * size],
        "between": between,
    }


@_makes("Recording", TIME)
def _recording(s: RandomSignals, size: float) -> Any:
    return gain({"type": "Recording", "file": RECORDING, "time": "t", "value": "force"}, 0.5 * size)


@_makes("Chirp", TIME)
def _chirp(s: RandomSignals, size: float) -> Any:
    sweep = s.draw.one("linear", "logarithmic")
    return {"type": "Chirp", "amplitude": size, "f0": 0.5, "f1": 5.0, "duration": T_END, "sweep": sweep}


@_makes("Pulse", TIME)
def _pulse(s: RandomSignals, size: float) -> Any:
    return {"type": "Pulse", "height": size, "period": 0.37, "width": s.draw.one(0.1, 0.2)}


@_makes("Square", TIME)
def _square(s: RandomSignals, size: float) -> Any:
    return {"type": "Square", "amplitude": size, "f": s.draw.between(0.5, 6.0), "duty": s.draw.one(0.5, 0.3)}


@_makes("Time", TIME)
def _time(s: RandomSignals, size: float) -> Any:
    return gain({"type": "Time"}, size)


# --- functions of signals ---------------------------------------------------------------------------------------------


@_makes("Sum", OF_SIGNALS)
def _sum(s: RandomSignals, size: float) -> Any:
    return {"type": "Sum", "terms": [s.swing(), s.swing(), 1.0], "gains": [0.5 * size, -0.5 * size, 0.3 * size]}


@_makes("Gain", OF_SIGNALS)
def _gain(s: RandomSignals, size: float) -> Any:
    return gain(s.swing(), size)


@_makes("Product", OF_SIGNALS)
def _product(s: RandomSignals, size: float) -> Any:
    return {"type": "Product", "u": gain(s.swing(), size), "v": s.swing()}


@_makes("Quotient", OF_SIGNALS)
def _quotient(s: RandomSignals, size: float) -> Any:
    divisor = {"type": "Sum", "terms": [2.5, s.within(s.swing())]}
    return {"type": "Quotient", "u": gain(s.swing(), 2 * size), "v": divisor}


@_makes("Power", OF_SIGNALS)
def _power(s: RandomSignals, size: float) -> Any:
    u: Plain = {"type": "Power", "u": s.swing(), "exponent": s.draw.one(2, 3)}
    if s.draw.chance(0.4):
        u = {"type": "Power", "u": {"type": "Sum", "terms": [1.5, s.within(s.swing())]}, "exponent": -0.5}
    return gain(u, size)


@_makes("Polynomial", OF_SIGNALS)
def _polynomial(s: RandomSignals, size: float) -> Any:
    return {"type": "Polynomial", "u": s.swing(), "coefficients": [0.2 * size, size, 0.0, -0.5 * size]}


@_makes("Function", OF_SIGNALS)
def _function(s: RandomSignals, size: float) -> Any:
    f = s.draw.one("sqrt", "exp", "log", "sin", "cos", "tanh", "atan", "abs", "abs", "sign")
    u = s.within(s.swing()) if f == "exp" else s.swing()
    if f in ("sqrt", "log"):
        u = {"type": "Sum", "terms": [1.5, s.within(u)]}
    if f == "sign":
        u = {"type": "Sum", "terms": [s.level(), u]}
    return gain({"type": "Function", "f": f, "u": u}, 0.4 * size if f == "exp" else size)


@_makes("Lookup", OF_SIGNALS)
def _lookup(s: RandomSignals, size: float) -> Any:
    y = [size, 0.0, 0.5 * size, -size]
    return {
        "type": "Lookup",
        "u": s.swing(),
        "x": [-0.8, 0.0, 0.4, 0.9],
        "y": y,
        "outside": s.draw.one("hold", "extend"),
    }


@_makes("Map", OF_SIGNALS)
def _map(s: RandomSignals, size: float) -> Any:
    z = [[0.0, 0.5 * size], [size, -0.5 * size], [0.3 * size, size]]
    return {"type": "Map", "u": s.swing(), "v": s.swing(), "x": [-0.7, 0.0, 0.8], "y": [-0.5, 0.6], "z": z}


@_makes("Compare", OF_SIGNALS)
def _compare(s: RandomSignals, size: float) -> Any:
    return gain(s.condition(), size)


@_makes("And", OF_SIGNALS)
def _and(s: RandomSignals, size: float) -> Any:
    return gain({"type": "And", "conditions": [s.condition(), s.condition()]}, size)


@_makes("Or", OF_SIGNALS)
def _or(s: RandomSignals, size: float) -> Any:
    return gain({"type": "Or", "conditions": [s.condition(), s.condition()]}, size)


@_makes("Not", OF_SIGNALS)
def _not(s: RandomSignals, size: float) -> Any:
    return gain({"type": "Not", "condition": s.condition()}, size)


@_makes("Where", OF_SIGNALS)
def _where(s: RandomSignals, size: float) -> Any:
    return {
        "type": "Where",
        "condition": s.condition(),
        "then": gain(s.swing(), size),
        "otherwise": s.draw.one(0.0, -size),
    }


@_makes("Minimum", OF_SIGNALS)
def _minimum(s: RandomSignals, size: float) -> Any:
    return {"type": "Minimum", "terms": [gain(s.swing(), size), gain(s.swing(), size), 0.6 * abs(size)]}


@_makes("Maximum", OF_SIGNALS)
def _maximum(s: RandomSignals, size: float) -> Any:
    return {"type": "Maximum", "terms": [gain(s.swing(), size), -0.4 * abs(size)]}


@_makes("Saturation", OF_SIGNALS)
def _saturation(s: RandomSignals, size: float) -> Any:
    return {"type": "Saturation", "u": gain(s.swing(), 2 * size), "low": -abs(size), "high": 0.7 * abs(size)}


@_makes("DeadZone", OF_SIGNALS)
def _dead_zone(s: RandomSignals, size: float) -> Any:
    return {"type": "DeadZone", "u": gain(s.swing(), 1.5 * size), "low": -0.3 * abs(size), "high": 0.4 * abs(size)}


@_makes("Quantiser", OF_SIGNALS)
def _quantiser(s: RandomSignals, size: float) -> Any:
    mode = s.draw.one("round", "floor")
    u = {"type": "Sum", "terms": [s.level(), s.swing()], "gains": [size, size]}
    return {"type": "Quantiser", "u": u, "step": s.draw.one(0.05, 0.2) * abs(size), "mode": mode}


# --- references and memory --------------------------------------------------------------------------------------------


@_makes("Sensor", MEMORY)
def _sensor(s: RandomSignals, size: float) -> Any:
    speeds = [name for name in s.sensors if name.endswith((".w", ".v", ".phi", ".s"))]
    if not speeds:
        return _sine(s, size)
    return {
        "type": "Sum",
        "terms": [size, gain({"type": "Sensor", "quantity": s.draw.one(*speeds)}, -0.05 * abs(size))],
    }


@_makes("Named", MEMORY)
def _named(s: RandomSignals, size: float) -> Any:
    name = s.draw.one(*s.named) if s.named else s.name(s.swing())
    return gain({"type": "Named", "name": name}, size)


@_makes("External", MEMORY)
def _external(s: RandomSignals, size: float) -> Any:
    return {"type": "External", "value": size}


@_makes("Relay", MEMORY)
def _relay(s: RandomSignals, size: float) -> Any:
    width = s.draw.one(0.02, 0.2)
    switch = {"low": -width, "high": width, "off": s.draw.one(0.0, -size), "on": size, "start": s.draw.one(0, 1)}
    return {"type": "Relay", "u": s.swing(), **switch}


@_makes("SampleHold", MEMORY)
def _sample_hold(s: RandomSignals, size: float) -> Any:
    return {
        "type": "SampleHold",
        "u": gain(s.swing(), size),
        "period": s.draw.one(0.01, 0.07),
        "start": s.draw.one(0.0, 0.03),
    }


@_makes("Delay", MEMORY)
def _delay(s: RandomSignals, size: float) -> Any:
    return {"type": "Delay", "u": gain(s.swing(), size), "delay": s.draw.one(0.01, 0.13)}


@_makes("Integral", MEMORY)
def _integral(s: RandomSignals, size: float) -> Any:
    return gain({"type": "Integral", "u": s.swing(), "start": s.draw.one(0.0, 0.3)}, 3 * size)


@_makes("Derivative", MEMORY)
def _derivative(s: RandomSignals, size: float) -> Any:
    T = s.draw.one(0.02, 0.1)
    return gain({"type": "Derivative", "u": s.swing(), "T": T}, T * size)


@_makes("LowPass", MEMORY)
def _low_pass(s: RandomSignals, size: float) -> Any:
    start = s.draw.one({}, {"start": 0.0})
    return {"type": "LowPass", "u": gain(s.swing(), size), "T": s.draw.between(0.005, 0.2), **start}


@_makes("PID", MEMORY)
def _pid(s: RandomSignals, size: float) -> Any:
    gains: Plain = {"Kp": abs(size), "Ki": s.draw.one(0.0, 2.0) * abs(size)}
    if s.draw.chance(0.5):
        gains |= {"Kd": 0.05 * abs(size), "T_f": 0.02}
    limits = s.draw.one({}, {"low": -abs(size), "high": abs(size)}, {"high": 0.8 * abs(size)})
    return {"type": "PID", "setpoint": s.swing(), "measurement": s.swing(), **gains, **limits}


@_makes("TransferFunction", MEMORY)
def _transfer_function(s: RandomSignals, size: float) -> Any:
    system = s.draw.one(
        {"num": [size], "den": [0.01, 0.1, 1.0]},
        {"num": [0.05 * size, size], "den": [0.1, 1.0], "start": "steady"},
        {"num": [0.5 * size], "den": [1.0, -0.5], "dt": 0.05},
    )
    return {"type": "TransferFunction", "u": s.swing(), **system}


@_makes("StateSpace", MEMORY)
def _state_space(s: RandomSignals, size: float) -> Any:
    system = s.draw.one(
        {"A": [[0.0, 1.0], [-100.0, -8.0]], "B": [0.0, 100.0], "C": [size, 0.0], "x0": [0.1, 0.0]},
        {"A": [[-5.0]], "B": [5.0], "C": [size], "D": 0.2 * size},
        {"A": [[0.8]], "B": [0.2], "C": [size], "dt": 0.03},
    )
    return {"type": "StateSpace", "u": s.swing(), **system}
