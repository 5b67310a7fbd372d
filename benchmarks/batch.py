"""Many runs: `sb.batch` against other ways to run the same points, at equal error.

    python benchmarks/batch.py [--runs 10000] [--rounds 3] [--json FILE]

Parameters are spread by +-30 %. A contender takes part if its largest error of the speed at the end, over the first
points, is at most 1e-6; it takes the loosest tolerance for that. The reference are runs at a tight tolerance, which
tighter ones do not change. The time is that of one run, all processors at work; contenders take turns.

`scalar` is our kernel with one run after the other in every thread. On the LuGre rig there are also: numbalsoda and
SciPy's odeint, both LSODA in processes, the former with equations compiled by Numba; and lanes written by hand for this
rig in C (batch_hand.c). `traces` keep all outputs at 2501 times. Slow contenders run only the first points.

numbalsoda is built from its sources, with a C++ and a Fortran compiler; pip fetches CMake (on Debian):

    apt install g++ gfortran
    pip install -e .[bench] numbalsoda
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _bench import Contender, Row, arguments, in_turns, loosest, report
from scipy.integrate import odeint

import stribeck as sb

LIMIT = 1e-6
TIGHT = 1e-11
CORES = len(os.sched_getaffinity(0))
TOLERANCES = [10 ** (-n / 4) for n in range(16, 41)]
SAMPLE = 100
"""Points at which errors are measured."""
HAND_FLAGS = ["-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-Wno-psabi", "-shared", "-fPIC"]

Points = dict[str, np.ndarray]


@dataclass(frozen=True)
class Task:
    """A machine, the parameters that vary, and the output whose last value is found."""

    name: str
    program: sb.Program
    values: dict[str, float]
    speed: str

    def points(self, n: int) -> Points:
        """The first n points."""
        rng = np.random.default_rng(1)
        spread = rng.uniform(0.7, 1.3, (n, len(self.values)))
        return {name: value * spread[:, i] for i, (name, value) in enumerate(self.values.items())}

    def batch(self, points: Points, tolerance: float, **options: Any) -> np.ndarray:
        """The speeds at the end."""
        measure = f"{self.speed}:last"
        return sb.batch(self.program, points, measures=[measure], tolerance=tolerance, **options)[measure]

    def traces(self, points: Points, tolerance: float, **options: Any) -> np.ndarray:
        """The same, with all outputs at all times."""
        found = sb.batch(self.program, points, outputs="*", intervals=2500, tolerance=tolerance, **options)
        return found[self.speed][:, -1]


@dataclass(frozen=True)
class Way:
    """A way to run points at a tolerance; `share` of them in a turn, so that turns are of similar length."""

    name: str
    run: Callable[[Points, float], np.ndarray]
    share: float = 1.0


# -- machines ---


def rig() -> Task:
    names = ("spring.c", "mass.J", "friction.law.mu_s", "pull.w")
    return _task("rig", sb.load_model("stick-slip"), names, "mass.w")


def joint() -> Task:
    model = sb.Model("joint", t_end=2.0)
    motor, load = model.add("motor", sb.Inertia(J=1e-3)), model.add("load", sb.Inertia(J=1e-2))
    model.add("shaft", sb.SpringDamper(motor, load, c=50.0, d=0.02))
    law = sb.LuGre(sigma0=1e3, sigma1=1.0, tau_c=0.1, tau_s=0.15, w_s=0.05)
    model.add("friction", sb.Bearing(load, law=law))
    control = sb.PID(sb.Sine(0.5, 1.0), load.sensor("phi"), Kp=5.0, Ki=10.0, Kd=0.1, T_f=0.01)
    model.add("drive", sb.Torque(motor, tau=control))
    return _task("joint", model, ("shaft.c", "load.J", "friction.law.mu_s"), "load.w")


def gearbox() -> Task:
    model = sb.load_model("gearbox")
    program = sb.compile_model(model)
    names = [path for path in program.parameters if path.endswith((".J", ".fn_max"))][:6]
    return _task("gearbox", model, names, next(name for name in program.output_names if name.endswith(".w")))


def _task(name: str, model: sb.Model, names: Any, speed: str) -> Task:
    program = sb.compile_model(model)
    return Task(name, program, {path: program.parameters[path].value for path in names}, speed)


# -- the rig by others ---


def rows_of(task: Task, points: Points) -> np.ndarray:
    """A row per point: c, J, mu_s, pull, then what is the same at all points: sigma0, sigma1, sigma2, mu_c, v_s."""
    names = ("sigma0", "sigma1", "sigma2", "mu_c", "v_s")
    law = [task.program.parameters[f"friction.law.{name}"].value for name in names]
    varied = np.column_stack(list(points.values()))
    return np.ascontiguousarray(np.hstack([varied, np.tile(law, (len(varied), 1))]))


class HandTask(ctypes.Structure):
    """`task` of batch_hand.c."""

    _fields_ = [
        *((name, ctypes.c_double) for name in ("sigma0", "sigma1", "sigma2", "mu_c", "v_s", "t_end", "tolerance")),
        *((name, ctypes.c_void_p) for name in ("points", "speeds")),
        *((name, ctypes.c_long) for name in ("n", "next", "steps")),
    ]


@contextmanager
def hand_written(task: Task) -> Iterator[Way]:
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(__file__).with_name("batch_hand.c"), Path(folder) / "hand.so"
        subprocess.run(["cc", *HAND_FLAGS, str(source), "-o", str(library), "-lpthread"], check=True)
        code = ctypes.CDLL(str(library))

        def run(points: Points, tolerance: float) -> np.ndarray:
            rows = rows_of(task, points)
            varied, speeds = np.ascontiguousarray(rows[:, :4]), np.full(len(rows), np.nan)
            t_end = task.program.simulation.t_end
            hand = HandTask(*rows[0, 4:], t_end, tolerance, varied.ctypes.data, speeds.ctypes.data, len(rows), 0, 0)
            if code.batch_rig(ctypes.byref(hand), CORES):
                raise SystemExit("batch_hand.c: no thread could be started")
            return speeds

        yield Way("hand-written lanes", run)


@contextmanager
def numbalsoda(task: Task) -> Iterator[Way]:
    import batch_numbalsoda

    t_end = task.program.simulation.t_end
    with ProcessPoolExecutor(CORES) as pool:

        def run(points: Points, tolerance: float) -> np.ndarray:
            parts = np.array_split(rows_of(task, points), 4 * CORES)
            done = [pool.submit(batch_numbalsoda.speeds, part, t_end, tolerance) for part in parts]
            return np.concatenate([part.result() for part in done])

        yield Way("numbalsoda", run, share=0.2)


def _odeint_rig(job: tuple[np.ndarray, float, float]) -> float:
    (c, J, mu_s, pull, sigma0, sigma1, sigma2, mu_c, v_s), t_end, tolerance = job

    def rates(y: np.ndarray, t: float) -> tuple[float, float, float]:
        phi, w, z = y
        r = w - abs(w) * z / (mu_c + (mu_s - mu_c) * np.exp(-((w / v_s) ** 2)))
        return w, (c * (pull * t - phi) - z - sigma1 * r - sigma2 * w) / J, sigma0 * r

    scales = tolerance * np.array([1.0, v_s, 1.0])
    return float(odeint(rates, [0.0, 0.0, 0.0], [0.0, t_end], rtol=tolerance, atol=scales, mxstep=10**7)[-1, 1])


@contextmanager
def scipy_odeint(task: Task) -> Iterator[Way]:
    t_end = task.program.simulation.t_end
    with ProcessPoolExecutor(CORES) as pool:

        def run(points: Points, tolerance: float) -> np.ndarray:
            return np.array(list(pool.map(_odeint_rig, [(row, t_end, tolerance) for row in rows_of(task, points)])))

        yield Way("odeint", run, share=0.01)


OTHERS = {"numbalsoda": numbalsoda, "odeint": scipy_odeint, "hand-written lanes": hand_written}


# -- comparison ---


def converged(task: Task, points: Points) -> np.ndarray:
    """Speeds that do not change with the tolerance."""
    exact = task.batch(points, TIGHT)
    change = float(np.abs(task.batch(points, TIGHT / 10) - exact).max())
    if not change < LIMIT / 50:
        raise SystemExit(f"{task.name}: runs at a tolerance of {TIGHT:g} differ by {change:.1e} from tighter ones")
    return exact


def compare(name: str, task: Task, ways: list[Way], runs: int, rounds: int) -> list[Row]:
    """All ways at equal error, timed in turns."""
    few = task.points(SAMPLE)
    exact = converged(task, few)
    found = [
        loosest(
            Contender(f"{name}: {way.name}", lambda tolerance, way=way: way.run(few, tolerance), TOLERANCES),
            lambda speeds: float(np.abs(speeds - exact).max()),
            LIMIT,
        )
        for way in ways
    ]
    counts = [max(4 * CORES, round(way.share * runs)) for way in ways]
    tasks = [
        partial(way.run, task.points(count), tolerance)
        for way, count, (tolerance, _) in zip(ways, counts, found, strict=True)
    ]
    seconds = in_turns(tasks, rounds)
    rows = zip(ways, counts, found, seconds, strict=True)
    return [Row(f"{name}: {way.name}", time / count, error, tol) for way, count, (tol, error), time in rows]


def own(run: Callable[..., np.ndarray], share: float = 1.0) -> list[Way]:
    """Our kernel, and the same without lanes."""
    return [Way("batch", run, share), Way("scalar", lambda points, tol: run(points, tol, lanes=False), share)]


def compare_rig(task: Task, runs: int, rounds: int) -> list[Row]:
    """The rig with those of the others that can be had."""
    ways = own(task.batch)
    with ExitStack() as stack:
        for name, make in OTHERS.items():
            try:
                ways.append(stack.enter_context(make(task)))
            except (ImportError, OSError, subprocess.CalledProcessError) as error:
                print(f"rig: {name} does not take part: {error}")
        return compare("rig", task, ways, runs, rounds)


def main() -> None:
    options = arguments(__doc__ or "", runs=10_000, rounds=3)
    found: dict[str, object] = {}
    first = rig()
    counts = {"runs": options.runs, "rounds": options.rounds}
    tables = [
        partial(compare_rig, first, **counts),
        partial(compare, "rig traces", first, own(first.traces, share=0.02), **counts),
        *(partial(compare, task.name, task, own(task.batch), **counts) for task in (joint(), gearbox())),
    ]
    for table in tables:
        rows = table()
        print(f"\n{rows[0].name}: {1 / rows[0].seconds:.0f} runs a second")
        found = report(rows, options.json, found)


if __name__ == "__main__":
    main()
