"""What each friction law costs: one evaluation in C, and one stick-slip cycle of a machine.

    python benchmarks/laws.py [--json FILE]

Evaluations: flow (friction and rates) and flow_jac (with derivatives) of the generated C, built with the flags of the
kernel and called over 64 speeds of both signs from 1e-5 to 1 with states of their usual size. Cycles: the rig of the
model stick-slip (25 s, 2501 points, tolerance 1e-7, ledger and extremes) with each law in place of LuGre; a cycle is
the share of its period in the run. Laws that do not oscillate there have the cost of the run alone. All are timed in
turns; ratios are to LuGre, the rank is by the cycle.
"""

from __future__ import annotations

import ctypes
import json
import math
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from _bench import KERNEL_FLAGS, arguments, in_turns

import stribeck
from stribeck import laws
from stribeck.analysis import Oscillation
from stribeck.errors import StribeckError

ROOT = Path(__file__).parents[1]
POINTS = 64
CALLS = 100_000
ROUNDS = 15
T_END = 25.0
UNITS = {"load": "N.m", "disp": "rad", "vel": "rad/s"}


@dataclass
class Row:
    """One law: ns per evaluation; ms per run of the rig, its period (s) and ms per cycle; or why it does not run."""

    law: str
    flow_ns: float
    flow_jac_ns: float
    run_ms: float | None = None
    period: float | None = None
    cycle_ms: float | None = None
    error: str = ""


# -- evaluations ---


def build(folder: Path) -> ctypes.CDLL:
    """The driver together with the laws, generated as the build does."""
    subprocess.run([sys.executable, "-m", "tools.codegen.generate", folder], cwd=ROOT, check=True)
    files = [Path(__file__).with_name("laws_driver.c"), folder / "sb_laws.c"]
    library = folder / "laws.so"
    subprocess.run(
        ["cc", *KERNEL_FLAGS, "-shared", "-fPIC", f"-I{ROOT / 'kernel' / 'include'}", *files, "-o", library, "-lm"],
        check=True,
    )
    loaded = ctypes.CDLL(str(library))
    array = ctypes.POINTER(ctypes.c_double)
    loaded.evaluate.argtypes = [ctypes.c_int, ctypes.c_int, array, ctypes.c_int, array, array, ctypes.c_long]
    loaded.evaluate.restype = ctypes.c_double
    return loaded


def evaluations(driver: ctypes.CDLL, law: stribeck.laws.Law, with_jac: bool):
    """A task: so many evaluations of a law with its default parameters."""
    p = law.resolve(UNITS, law.name)
    rng = np.random.default_rng(1)
    v = rng.choice([-1.0, 1.0], POINTS) * np.geomspace(1e-5, 1.0, POINTS)
    if law.family == "locking":
        v = np.abs(v)  # such a law is evaluated in the direction of sliding
    z = np.array([[share * s.nominal(p) for s in law.states.values()] for share in rng.uniform(-0.9, 0.9, POINTS)])
    numbers = np.array(law.numbers(p), float)
    keep = [np.ascontiguousarray(x, float) for x in (numbers, v, z)]
    pointers = [x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for x in keep]
    number = driver.find(law.name.encode())

    def task() -> float:
        return driver.evaluate(number, with_jac, pointers[0], POINTS, pointers[1], pointers[2], CALLS)

    task.keep = keep
    return task


# -- cycles ---


def rig(law: type[stribeck.laws.Law]) -> stribeck.Program:
    """The model stick-slip with another law, which takes over the parameters that it shares."""
    model = stribeck.load_model("stick-slip")
    present = model.elements["friction"].law
    model.elements["friction"] = model.elements["friction"].replace(law=law().adopt(present))
    return stribeck.compile_model(model)


def ranked(rows: list[Row]) -> list[Row]:
    """The cheapest cycle first; then those without cycles by their run, then those that do not run."""
    return sorted(rows, key=lambda r: (r.cycle_ms is None, r.run_ms is None, r.cycle_ms or r.run_ms or 0.0))


def measure(folder: Path) -> list[Row]:
    driver = build(folder)
    every = [law() for law in laws.all_laws().values()]
    tasks = [evaluations(driver, law, jac) for law in every for jac in (False, True)]
    ns = [1e9 * seconds / CALLS for seconds in in_turns(tasks, ROUNDS)]
    rows = [Row(type(law).__name__, a, b) for law, a, b in zip(every, ns[::2], ns[1::2], strict=True)]

    running, runs = [], []
    for row in rows:
        try:
            program = rig(laws.get(row.law))
            found = Oscillation.of(stribeck.simulate(program), "mass.w").period
            row.period = None if math.isnan(found) else found
        except StribeckError as error:
            row.error = str(error)
        else:
            running.append(row)
            runs.append(lambda program=program: stribeck.simulate(program))
    for row, seconds in zip(running, in_turns(runs, ROUNDS), strict=True):
        row.run_ms = 1e3 * seconds
        row.cycle_ms = row.run_ms * row.period / T_END if row.period else None
    return ranked(rows)


def report(rows: list[Row], json_file: Path | None) -> None:
    lugre = next(row for row in rows if row.law == "LuGre")
    width = max(len(row.law) for row in rows)
    print(f"{'law':<{width}} {'flow/ns':>8} {'ratio':>6} {'+jac/ns':>8} {'ratio':>6} {'run/ms':>8} ", end="")
    print(f"{'period/s':>8} {'cycle/ms':>8} {'ratio':>6}")
    for row in rows:
        print(f"{row.law:<{width}} {row.flow_ns:8.1f} {row.flow_ns / lugre.flow_ns:6.2f} ", end="")
        print(f"{row.flow_jac_ns:8.1f} {row.flow_jac_ns / lugre.flow_jac_ns:6.2f} ", end="")
        if row.run_ms is None:
            print(row.error)
        elif row.period is None:
            print(f"{row.run_ms:8.3f} {'-':>8} {'-':>8} {'-':>6}")
        else:
            print(f"{row.run_ms:8.3f} {row.period:8.3f} {row.cycle_ms:8.3f} {row.cycle_ms / lugre.cycle_ms:6.2f}")
    if json_file is not None:
        content = {row.law: {name: value for name, value in asdict(row).items() if name != "law"} for row in rows}
        json_file.write_text(json.dumps({"laws": content}, indent=2) + "\n")


def main() -> None:
    options = arguments("cost of each friction law: ns per evaluation, ms per stick-slip cycle")
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(Path(folder))
    report(rows, options.json)


if __name__ == "__main__":
    main()
