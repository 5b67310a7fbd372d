"""What each friction law costs: one evaluation, a stick-slip run; by compiled C, and as a law of a user.

    python benchmarks/laws.py [--json FILE]

- Evaluations: flow (friction and rates) and flow_jac (with derivatives) of the generated C and of the tape of the same
  law, built with the flags of the kernel and called over 64 speeds of both signs from 1e-5 to 1 with states of their
  usual size. Times are ns; "tape" is the time of the tape over that of the C.
- Runs: the rig of the model stick-slip (25 s, 2501 points, tolerance 1e-7, ledger and extremes) with each law in place
  of LuGre, and one second of it at fixed steps of 1 ms. Times are ms; "own" is the ratio of the same law outside of
  the package, "LuGre" the ratio to LuGre. Laws of equal elements (ten) have no tapes.
- The first run of a law from text: fresh processes, from the text of a model to the result of the rig, after `import
  stribeck`; the same with the law of the package.

All are timed in turns, the best of many short slices, so that other load of the machine does not count. The summary
has the largest and the median ratio.
"""

from __future__ import annotations

import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from _bench import KERNEL_FLAGS, arguments, in_turns

import stribeck
from stribeck import laws
from stribeck.compile.law_tape import record_law
from stribeck.errors import StribeckError

ROOT = Path(__file__).parents[1]
POINTS = 64
CALLS = 10_000
ROUNDS = 40
SLICE = 2e-3  # s
FIRST_RUNS = 9
STEP = 1e-3
UNITS = {"load": "N.m", "disp": "rad", "vel": "rad/s"}

Task = Callable[[], Any]


@dataclass
class Row:
    """One law: ns per evaluation by C, ms per run; ratios of the tape, or None where there is none."""

    law: str
    flow_ns: float = 0.0
    flow_tape: float | None = None
    flow_jac_ns: float = 0.0
    flow_jac_tape: float | None = None
    run_ms: float | None = None
    run_own: float | None = None
    fixed_ms: float | None = None
    fixed_own: float | None = None
    error: str = ""


# -- evaluations ---


def build(folder: Path) -> ctypes.CDLL:
    """The driver together with the laws, generated as the build does, and the tapes."""
    subprocess.run([sys.executable, "-m", "tools.codegen.generate", folder], cwd=ROOT, check=True)
    kernel = ROOT / "kernel"
    files = [Path(__file__).with_name("laws_driver.c"), folder / "sb_laws.c", kernel / "model" / "law_tape.c"]
    includes = [f"-I{path}" for path in (kernel / "include", kernel, folder)]
    library = folder / "laws.so"
    subprocess.run(["cc", *KERNEL_FLAGS, "-shared", "-fPIC", *includes, *files, "-o", library, "-lm"], check=True)
    loaded = ctypes.CDLL(str(library))
    array, whole, number = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_int), ctypes.c_int
    loaded.evaluate.argtypes = [number, number, number, array, number, array, array, ctypes.c_long]
    loaded.evaluate.restype = ctypes.c_double
    loaded.add_tape.argtypes = [number, whole, number, array, number]
    return loaded


def pointer(values: np.ndarray) -> Any:
    """An array for C."""
    return values.ctypes.data_as(ctypes.POINTER(ctypes.c_int if values.dtype == np.int32 else ctypes.c_double))


class Evaluations:
    """The evaluations of one law with its default parameters."""

    def __init__(self, driver: ctypes.CDLL, law: laws.Law) -> None:
        self.driver, self.number, self.tape = driver, driver.find(law.name.encode()), -1
        p = law.resolve(UNITS, law.name)
        rng = np.random.default_rng(1)
        v = rng.choice([-1.0, 1.0], POINTS) * np.geomspace(1e-5, 1.0, POINTS)
        if law.family == "locking":
            v = np.abs(v)  # such a law is evaluated in the direction of sliding
        z = np.array([[share * s.nominal(p) for s in law.states.values()] for share in rng.uniform(-0.9, 0.9, POINTS)])
        self.arrays = [np.ascontiguousarray(x, float) for x in (law.numbers(p), v, z)]
        if not law.count:
            self.recorded = record_law(type(law))  # whose arrays the tape refers to
            code, constants = self.recorded.code, self.recorded.constants
            self.tape = driver.add_tape(self.number, pointer(code), len(code), pointer(constants), len(constants))

    def task(self, with_jac: bool, tape: bool) -> Task:
        """So many evaluations."""
        p, v, z = map(pointer, self.arrays)
        number, driver = self.tape if tape else -1, self.driver
        return lambda: driver.evaluate(self.number, number, with_jac, p, POINTS, v, z, CALLS)


def measure_evaluations(driver: ctypes.CDLL, rows: list[Row]) -> None:
    every = [Evaluations(driver, laws.get(row.law)()) for row in rows]
    tasks = [
        (row, name, tape, law.task(jac, tape))
        for row, law in zip(rows, every, strict=True)
        for name, jac in (("flow", False), ("flow_jac", True))
        for tape in ((False, True) if law.tape >= 0 else (False,))
    ]
    for (row, name, tape, _), seconds in zip(
        tasks, in_turns([task for *_, task in tasks], ROUNDS, SLICE, min), strict=True
    ):
        ns = 1e9 * seconds / CALLS
        if tape:  # after its C
            setattr(row, f"{name}_tape", ns / getattr(row, f"{name}_ns"))
        else:
            setattr(row, f"{name}_ns", ns)


# -- runs ---


def rig(law: type[laws.Law]) -> stribeck.Program:
    """The model stick-slip with another law, which takes over the parameters that it shares."""
    model = stribeck.load_model("stick-slip")
    present = model.elements["friction"].law
    model.elements["friction"] = model.elements["friction"].replace(law=law().adopt(present))
    return stribeck.compile_model(model)


def outside(law: type[laws.Law]) -> type[laws.Law]:
    """The same law, defined outside of the package."""
    return type(f"Own{law.__name__}", (law,), {"__module__": "__main__"}, registered=False)


def measure_runs(rows: list[Row]) -> None:
    tasks: list[tuple[Row, str, str, Task]] = []
    for row in rows:
        law = laws.get(row.law)
        for kind, own in (("ms", law), *([] if law().count else [("own", outside(law))])):
            program = rig(own)
            try:
                stribeck.simulate(program)
            except StribeckError as error:
                row.error = str(error)
                break
            tasks.append((row, "run", kind, lambda program=program: stribeck.simulate(program)))
            stepper = stribeck.realtime(program, STEP)
            tasks.append((row, "fixed", kind, lambda stepper=stepper: stepper.step(round(1 / STEP))))
    for (row, name, kind, _), seconds in zip(
        tasks, in_turns([task for *_, task in tasks], ROUNDS, SLICE, min), strict=True
    ):
        ms = 1e3 * seconds
        setattr(row, f"{name}_{kind}", ms if kind == "ms" else ms / getattr(row, f"{name}_ms"))


# -- the first run ---

FIRST = """
import sys, time
import stribeck as sb
text = sys.stdin.read()
start = time.perf_counter()
sb.simulate(sb.Model.from_yaml(text))
print(time.perf_counter() - start)
"""


def first_runs() -> dict[str, float]:
    """ms from the text of the rig to its result in a fresh process, with the law from text and with LuGre."""
    text = laws_as_text()
    model = stribeck.load_model("stick-slip")
    shipped = model.to_yaml()
    friction = model.elements["friction"]
    model.elements["friction"] = friction.replace(law=text(**friction.law.given))
    texts = {"text": model.to_yaml(), "package": shipped}
    samples = [{name: first_run(content) for name, content in texts.items()} for _ in range(FIRST_RUNS)]
    return {name: min(sample[name] for sample in samples) for name in texts}


def laws_as_text() -> type[laws.Law]:
    """LuGre as text."""
    return stribeck.load_laws(ROOT / "tests" / "laws" / "laws_as_text.yaml")["OwnLuGre"]


def first_run(text: str) -> float:
    cached = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", FIRST]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, env=cached)
    return 1e3 * float(done.stdout)


# -- report ---


def summary(rows: list[Row], first: dict[str, float]) -> dict[str, dict[str, Any]]:
    """Largest and median ratios, the cost of ten elements, and first runs."""
    found: dict[str, dict[str, Any]] = {}
    for name in ("flow_tape", "flow_jac_tape", "run_own", "fixed_own"):
        ratios = {row.law: getattr(row, name) for row in rows if getattr(row, name) is not None}
        worst = max(ratios, key=lambda law: ratios[law])
        found[name] = {"median": statistics.median(ratios.values()), "largest": ratios[worst], "law": worst}
    by = {row.law: row for row in rows}
    found["GMS / LuGre"] = {
        name: getattr(by["GMS"], name) / getattr(by["LuGre"], name) for name in ("run_ms", "fixed_ms")
    }
    return found | {"first_run_ms": first}


def report(rows: list[Row], found: dict[str, dict[str, Any]], json_file: Path | None) -> None:
    lugre = next(row for row in rows if row.law == "LuGre")
    width = max(len(row.law) for row in rows)
    print(f"{'law':<{width}} {'flow/ns':>8} {'tape':>5} {'+jac/ns':>8} {'tape':>5} ", end="")
    print(f"{'run/ms':>8} {'own':>5} {'LuGre':>6} {'fixed/ms':>8} {'own':>5} {'LuGre':>6}")
    for row in rows:
        print(f"{row.law:<{width}} {row.flow_ns:8.1f} {ratio(row.flow_tape)} {row.flow_jac_ns:8.1f} ", end="")
        print(f"{ratio(row.flow_jac_tape)} ", end="")
        for name in ("run", "fixed"):
            ms, own = getattr(row, f"{name}_ms"), getattr(row, f"{name}_own")
            if ms is not None:
                print(f"{ms:8.3f} {ratio(own)} {ms / getattr(lugre, f'{name}_ms'):6.2f} ", end="")
        print(row.error)
    print()
    for name, value in found.items():
        print(f"{name}: {', '.join(f'{key} {_shown(x)}' for key, x in value.items())}")
    if json_file is not None:
        content = {row.law: {name: value for name, value in asdict(row).items() if name != "law"} for row in rows}
        json_file.write_text(json.dumps({"laws": content, "summary": found}, indent=2) + "\n")


def _shown(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.2f}"


def ratio(value: float | None) -> str:
    return f"{'-':>5}" if value is None else f"{value:5.2f}"


def main() -> None:
    options = arguments("cost of each friction law: ns per evaluation, ms per stick-slip run, by C and as a tape")
    rows = [Row(law.__name__) for law in laws.all_laws().values()]
    with tempfile.TemporaryDirectory() as folder:
        measure_evaluations(build(Path(folder)), rows)
    measure_runs(rows)
    rows.sort(key=lambda row: row.run_ms or float("inf"))
    report(rows, summary(rows, first_runs()), options.json)


if __name__ == "__main__":
    main()
