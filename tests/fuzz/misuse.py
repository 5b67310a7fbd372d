"""Wrong arguments: every public function and method, with one argument that does not belong there."""

import datetime
import decimal
import fractions
import inspect
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas

import stribeck as sb
from stribeck.declare import Declared

JUNK: list[Any] = [
    *(None, 0, 1, -1, 1.5, -2.5, float("nan"), float("inf"), 1e308, 1e-308, 10**400, -(10**30), True, 1j),
    *("", "x", "1 parsec", "a.b", "\0", "a" * 5000, b"x", Path("none"), object(), int, len),
    *([], [1], [None], ["x"], [[1, 2], [3]], (), (1, 2), {}, {"a": 1}, {1: 2}, {"type": "Sine"}, set(), range(3)),
    *(np.zeros(3), np.zeros((2, 2)), np.array(["a"]), np.float64("nan"), np.arange(0)),
    # what looks like a number or a list and is none, and what is one and does not look so
    *(-0.0, False, np.bool_(True), np.float16(1), np.int8(-1), np.uint64(2**64 - 1), 2**63, -(2**63), 5e-324),
    *(decimal.Decimal("NaN"), decimal.Decimal(1), fractions.Fraction(1, 3), complex("nan"), datetime.timedelta(1)),
    *(bytearray(b"1"), memoryview(b"12"), Path(), Path("/dev/null"), "1e400 N", "-0", "\ud800", "\u0661", "1_0", " 1 "),
    *(
        np.array(1.0),
        np.array("a"),
        np.array(None),
        np.array([1, None, "x"], object),
        np.array([[1.0]]),
        np.zeros((0, 3)),
    ),
    *(np.array([1 + 1j]), np.array([True, False]), np.array([b"a"]), np.array(["2001-01-01"], "M8[D]")),
    *(np.zeros(2, [("a", "f8")]), np.ma.masked_array([1.0, 2.0], [0, 1]), np.full(3, np.nan), np.arange(6.0)[::-2]),
    *(pandas.Series([1.0, 2.0]), pandas.DataFrame({"t": [0.0, 1.0]}), pandas.Timestamp(0), pandas.NA, pandas.NaT),
    *(iter([1.0]), (x for x in "ab"), {}.values(), {"": None}, {None: 1}, {"mass.J": float("nan")}, [[]], [()], [{}]),
    *(
        type("Sub", (float,), {})(1.0),
        type("Text", (str,), {})("x"),
        NotImplemented,
        Ellipsis,
        slice(None),
        lambda *a: 1,
    ),
]


@cache
def samples() -> dict[str, Any]:
    """Good arguments by the name of the parameter."""
    model = sb.load_model("stick-slip-switch")
    result = sb.simulate(model, 8.0, intervals=50)
    return {
        "model": model,
        "source": "stick-slip",
        "name": "mass.w",
        "names": "mass.w",
        "element": "friction",
        "t": 1.0,
        "h": 1e-3,
        "results": {"a": result},
        "laws": ["lugre"],
        "at": 0.0,
        "level": 0.1,
        "x": "mass",
        "y": "mass",
        "signal": 1.0,
        "values": {"mass.J": 2.0},
        "path": "out.png",
        "value": 2.0,
        "title": "a",
        "data": model.to_dict(),
        "n": 3,
        "folder": "out",
        "outer": 0.2,
        "inner": 0.1,
        "r_outer": 0.2,
        "r_inner": 0.1,
    }


@cache
def owners() -> dict[str, Any]:
    """Objects whose methods are called."""
    model = sb.load_model("stick-slip-switch")
    result = sb.simulate(model, 8.0, intervals=50)
    return {
        "Model": model,
        "Result": result,
        "Program": sb.compile_model(model),
        "LinearModel": sb.analysis.linearize(model),
        "Stepper": sb.realtime(model, 1e-3),
    }


@cache
def calls() -> list[tuple[str, Callable[..., Any]]]:
    """Everything that can be called, by its name."""
    found: list[tuple[str, Callable[..., Any]]] = []
    for space in (sb, sb.analysis, sb.identify):
        for name in space.__all__:
            thing = getattr(space, name)
            if inspect.isfunction(thing) or (inspect.isclass(thing) and not issubclass(thing, BaseException)):
                found.append((name, thing))
    for owner, thing in owners().items():
        found += [(f"{owner}.{name}", getattr(thing, name)) for name in methods(type(thing))]
    return found


def methods(cls: type) -> list[str]:
    skipped = ("measure", "close")
    return [n for n, m in inspect.getmembers(cls, callable) if not n.startswith("_") and n not in skipped]


def attempt(seed: int) -> str:
    """One call with one wrong argument."""
    rng = random.Random(seed)
    title, function = rng.choice(calls())
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:
        return "fine"
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    required = {p.name: samples().get(p.name, rng.choice(JUNK)) for p in named if p.default is p.empty}
    if isinstance(function, type) and issubclass(function, Declared):
        required = {p.name: 1.0 for p in named if p.default is p.empty}
    if not named:
        return "fine"
    wrong = rng.choice(named)
    arguments = required | {wrong.name: rng.choice(JUNK)}
    positional = [arguments.pop(p.name) for p in named if p.kind is p.POSITIONAL_ONLY and p.name in arguments]
    try:
        answer = function(*positional, **arguments)
        if hasattr(answer, "__next__") and not hasattr(answer, "__enter__"):
            next(answer, None)
    except sb.StribeckError as error:
        assert 0 < len(str(error)) <= 2500
        return "refused"
    except TypeError as error:
        if _is_user_function(wrong, arguments):
            return "fine"
        if any(f"'{p.name}'" in str(error) or f"{p.name} =" in str(error) for p in named):
            return "refused"
        raise TypeError(f"{title}({wrong.name}={arguments.get(wrong.name)!r})") from error
    except Exception as error:
        if _is_user_function(wrong, arguments):
            return "fine"
        raise AssertionError(f"{title}({wrong.name}={arguments.get(wrong.name)!r})") from error
    return "fine"


def _is_user_function(wrong: inspect.Parameter, arguments: dict[str, Any]) -> bool:
    """Whether the argument may be a function, and is one: what it raises is then the user's."""
    return callable(arguments.get(wrong.name)) and "Callable" in str(wrong.annotation)
