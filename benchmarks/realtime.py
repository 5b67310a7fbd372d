"""Task times of a fixed step of 1 ms: Table 2 of bataus2011, ours beside the same method written by hand.

    python benchmarks/realtime.py [--rounds 40] [--json FILE]

One task is one step of six drivelines of 3 degrees of freedom (engine, clutch, gearbox, elastic shaft, car) with
different commands: launch, lock-up, slip under a small load, lock-up again; 4 s, 4000 tasks. Contenders: the package,
C written by hand for this one machine (realtime_hand.c), the same loop in Numba and in the interpreter
(realtime_loop.py). All use the resolvent step and write speeds and clutch torques in every task. They take turns, one
run of 4 s each, so that a slow moment of the machine hits all of them: once without a clock, for the mean (processor
time), and once with a clock read before and after every task, for the rest: there, p99 and max hold what else the
computer does.
Before anything is timed, the four must agree with each other, and with the adaptive solver as far as 1 ms goes.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import realtime_loop
from _bench import KERNEL_FLAGS
from realtime_loop import CLASSIC, CLASSIC_STRIBECK, DRIVES, KARNOPP, KARNOPP_STRIBECK, LUGRE, POINTS, TANH

import stribeck as sb

H, TASKS = 1e-3, 4000
W1 = 100.0
WIDTH = 4 * DRIVES

# Parameters of the driveline: its launch is the reconstruction with t_lock = 1.0932149662 s
INERTIAS, STIFFNESS, DRIVE, TORQUE = (0.20, 0.05, 0.65), 60.0, 60.0, 250.0
MU_C, MU_STICK_SLIP, V_S = 1.0, 1.2, 10.0
V_0, DV, SIGMA0, SIGMA1 = 6.25, 1.0, 1e4, 10.0
# launch in 1.5 s, lock-up, slip under a small load, lock-up
TIMES, VALUES, DELAY = (0.2, 1.7, 2.5, 2.6, 3.2, 3.4), (0.0, 1.0, 1.0, 0.25, 0.25, 1.0), 0.05


@dataclass(frozen=True)
class Case:
    """A column of Table 2: law of the package, that of the hand-written codes, mean and maximum in the paper (s)."""

    name: str
    law: sb.laws.Law
    code: int
    mu_s: float = MU_C
    paper: tuple[float, float] | None = None


def locking(name: str, law: type[sb.laws.Law], code: int, paper: tuple[float, float], **numbers: float) -> Case:
    """A case of a law with static friction."""
    return Case(name, law(mu_c=MU_C, **numbers), code, numbers["mu_s"], paper)


STEPS, LANES, BY_HAND, INTERPRETER = "  steps alone", "in lanes", "C by hand", "Python"

NARROW = 1e-3
"""A Stribeck speed far below Karnopp's window: no Stribeck effect."""

PYTHON_ROUNDS = 3
SAME, CLOSE = 1e-6, 2.5  # % of the range: contenders among each other, speeds against the adaptive solver

STICK_SLIP, STRIBECK = {"mu_s": MU_STICK_SLIP}, {"mu_s": MU_STICK_SLIP, "v_s": V_S}
CASES = [
    Case("tanh", sb.Tanh(mu_c=MU_C, v_0=V_0), TANH, paper=(3.998e-5, 7.133e-5)),
    locking("classic", sb.Switch, CLASSIC, (3.815e-5, 8.900e-5), mu_s=MU_C),
    locking("Karnopp", sb.Karnopp, KARNOPP, (2.976e-5, 8.000e-5), mu_s=MU_C, v_s=NARROW, dv=DV),
    locking("classic, stick-slip", sb.Switch, CLASSIC, (3.761e-5, 9.133e-5), **STICK_SLIP),
    locking("Karnopp, stick-slip", sb.Karnopp, KARNOPP, (2.966e-5, 7.600e-5), **STICK_SLIP, v_s=NARROW, dv=DV),
    locking("classic, Stribeck", sb.Stribeck, CLASSIC_STRIBECK, (4.993e-5, 1.0233e-4), **STRIBECK),
    locking("Karnopp, Stribeck", sb.Karnopp, KARNOPP_STRIBECK, (3.940e-5, 8.567e-5), **STRIBECK, dv=DV),
    Case("LuGre", sb.LuGre(mu_c=MU_C, mu_s=MU_C, v_s=V_S, sigma0=SIGMA0, sigma1=SIGMA1), LUGRE),
    Case("LuGre, Stribeck", sb.LuGre(mu_c=MU_C, **STRIBECK, sigma0=SIGMA0, sigma1=SIGMA1), LUGRE, MU_STICK_SLIP),
]


@dataclass
class Contender:
    """One way to run a case: run(keep, clock) returns the results (tasks, drives, 4), or those of the last task if they
    are not kept, and with a clock ns of each task; reset() goes back to the start before."""

    name: str
    run: Callable[[bool, bool], tuple[np.ndarray, np.ndarray]]
    reset: Callable[[], None] = lambda: None

    def results(self) -> np.ndarray:
        self.reset()
        return np.array(self.run(True, False)[0])

    def mean_ns(self) -> float:
        """Processor time per task, of one run."""
        self.reset()
        start = time.process_time_ns()
        self.run(False, False)
        return (time.process_time_ns() - start) / TASKS

    def task_ns(self) -> np.ndarray:
        self.reset()
        return np.array(self.run(False, True)[1])


# -- ours ---


def drivelines(law: sb.laws.Law) -> sb.Model:
    """Six drivelines that differ in the time of their commands."""
    m = sb.Model("six drivelines")
    for i in range(DRIVES):
        engine = m.add(f"engine{i}", sb.Inertia(J=INERTIAS[0], w0=W1))
        gearbox = m.add(f"gearbox{i}", sb.Inertia(J=INERTIAS[1]))
        car = m.add(f"car{i}", sb.Inertia(J=INERTIAS[2]))
        m.add(f"combustion{i}", sb.Torque(engine, tau=DRIVE))
        m.add(f"shaft{i}", sb.Spring(gearbox, car, c=STIFFNESS))
        command = sb.Table(time=[t + DELAY * i for t in TIMES], value=list(VALUES))
        m.add(f"clutch{i}", sb.Clutch(engine, gearbox, law=law, fn_max=TORQUE, f_normalized=command))
    return m


def driveline(law: sb.laws.Law) -> sb.Model:
    """One of them."""
    m = sb.Model("driveline")
    engine, gearbox = m.add("engine", sb.Inertia(J=INERTIAS[0], w0=W1)), m.add("gearbox", sb.Inertia(J=INERTIAS[1]))
    car = m.add("car", sb.Inertia(J=INERTIAS[2]))
    m.add("combustion", sb.Torque(engine, tau=DRIVE))
    m.add("shaft", sb.Spring(gearbox, car, c=STIFFNESS))
    command = sb.Table(time=list(TIMES), value=list(VALUES))
    m.add("clutch", sb.Clutch(engine, gearbox, law=law, fn_max=TORQUE, f_normalized=command))
    return m


def in_lanes(case: Case) -> Contender:
    """Six copies of one driveline, in the lanes of one task."""
    times = {"clutch.f_normalized.time": [[t + DELAY * i for t in TIMES] for i in range(DRIVES)]}
    copies = sb.realtime(driveline(case.law), h=H, copies=DRIVES, values=times)
    numbers = [copies._number(name) for name in ("engine.w", "gearbox.w", "car.w", "clutch.tau")]
    out = np.empty((TASKS, 4, DRIVES))

    def run(keep: bool, clock: bool) -> tuple[np.ndarray, np.ndarray]:
        copies._kernel.step(TASKS, copies._nodes, copies._inputs, numbers, out)  # as Copies.run, its memory given
        return out.transpose(0, 2, 1), np.full(1, np.nan)

    return Contender(LANES, run, copies.reset)


def columns() -> list[str]:
    """What every task writes."""
    return [name for i in range(DRIVES) for name in (f"engine{i}.w", f"gearbox{i}.w", f"car{i}.w", f"clutch{i}.tau")]


def ours(case: Case) -> list[Contender]:
    """The package, with the outputs of every task; and its steps alone."""
    program = sb.compile_model(drivelines(case.law))
    stepper = sb.realtime(program, h=H, energy=False)
    chosen = [program.output_names.index(name) for name in columns()]
    tasks = stepper._fixed  # beneath Stepper.run: neither mode changes nor a Result of them

    def run(outputs: list[int], keep: bool, clock: bool) -> tuple[np.ndarray, np.ndarray]:
        raw = tasks.run(TASKS, [], [], outputs, 1, keep, clock, False, None)
        return raw["data"].T[1:].reshape(-1, DRIVES, 4), raw["nanoseconds"]

    return [
        Contender("stribeck", lambda *how: run(chosen, *how), stepper.reset),
        Contender(STEPS, lambda *how: run([], *how), stepper.reset),
    ]


def adaptive(case: Case) -> np.ndarray:
    """The same from the adaptive solver, at the ends of the tasks."""
    result = sb.simulate(drivelines(case.law), t_end=TASKS * H, intervals=TASKS, tolerance=1e-8)
    return np.stack([result[name][1:] for name in columns()], axis=1).reshape(TASKS, DRIVES, 4)


# -- written by hand ---


class Plant(ctypes.Structure):
    """plant of realtime_hand.c"""

    names = ("h", "I1", "I2", "I3", "K", "T1", "torque", "mu_c", "mu_s", "v_s", "v_0", "dv", "sigma0", "sigma1")
    _fields_ = [
        *((name, ctypes.c_double) for name in names),
        ("time", ctypes.c_double * POINTS),
        ("value", ctypes.c_double * POINTS),
        ("delay", ctypes.c_double),
    ]


def plant_of(case: Case) -> tuple:
    """The numbers of Plant."""
    law = (MU_C, case.mu_s, V_S, V_0, DV, SIGMA0, SIGMA1)
    return (H, *INERTIAS, STIFFNESS, DRIVE, TORQUE, *law, TIMES, VALUES, DELAY)


def build_hand(folder: Path) -> ctypes.CDLL:
    """realtime_hand.c with the flags of the kernel."""
    library = folder / "realtime_hand.so"
    source = Path(__file__).with_name("realtime_hand.c")
    flags = [*KERNEL_FLAGS, "-D_POSIX_C_SOURCE=199309L", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, str(source), "-o", str(library), "-lm"], check=True)
    hand = ctypes.CDLL(str(library))
    hand.now_ns.argtypes, hand.now_ns.restype = [], ctypes.c_int64
    hand.clock_ns.argtypes, hand.clock_ns.restype = [ctypes.c_int], ctypes.c_int64
    return hand


def hand_written(hand: ctypes.CDLL, case: Case) -> Contender:
    (*numbers, times, values, delay) = plant_of(case)
    plant = Plant(*numbers, (ctypes.c_double * POINTS)(*times), (ctypes.c_double * POINTS)(*values), delay)
    out, ns = np.empty((TASKS, DRIVES, 4)), np.empty(TASKS, np.int64)

    def run(keep: bool, clock: bool) -> tuple[np.ndarray, np.ndarray]:
        hand.run_hand(
            ctypes.c_int(case.code),
            ctypes.byref(plant),
            ctypes.c_double(W1),
            ctypes.c_long(TASKS),
            out.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
            ctypes.c_int(keep),
            ns.ctypes.data_as(ctypes.POINTER(ctypes.c_longlong)) if clock else None,
        )
        return out, ns

    return Contender(BY_HAND, run)


def with_numba(loop: Callable, case: Case) -> Contender:
    out, ns = np.empty((TASKS, DRIVES, 4)), np.empty(TASKS, np.int64)

    def run(keep: bool, clock: bool) -> tuple[np.ndarray, np.ndarray]:
        loop(case.code, plant_of(case), W1, TASKS, out, keep, ns if clock else ns[:0])
        return out, ns

    return Contender("Numba", run)


def interpreted(loop: Callable, case: Case) -> Contender:
    out = [[(0.0,) * 4] * DRIVES for _ in range(TASKS)]
    ns = [0] * TASKS

    def run(keep: bool, clock: bool) -> tuple[list, list]:
        loop(case.code, plant_of(case), W1, TASKS, out, keep, ns if clock else [])
        return out, ns

    return Contender(INTERPRETER, run)


# -- the race ---


def check(case: Case, contenders: list[Contender]) -> dict[str, float]:
    """Largest deviations in % of the range of each quantity: "apart" of the contenders from the hand-written C, "error"
    of its speeds from the adaptive solver. Ends the program where they are not the same solution."""
    results = {c.name: c.results() for c in contenders if c.name != STEPS}
    by_hand, reference = results[BY_HAND], adaptive(case)
    scale = np.ptp(reference, axis=(0, 1)) / 100
    apart = max(float((np.abs(result - by_hand) / scale).max()) for result in results.values())
    error = float((np.abs(by_hand - reference) / scale)[..., :3].max())
    if apart > SAME or error > CLOSE:
        raise SystemExit(f"{case.name}: contenders {apart:.2g} % apart, speeds {error:.2g} % from the adaptive ones")
    return {"apart": apart, "error": error}


def race(contenders: list[Contender], rounds: int) -> dict[str, dict[str, float]]:
    """Mean, p50, p99 and max (ns per task) of each; the interpreter, which is slow, runs in a few rounds only."""
    means: dict[str, list[float]] = {c.name: [] for c in contenders}
    times: dict[str, list[np.ndarray]] = {c.name: [] for c in contenders}
    for turn in range(rounds):
        for c in contenders:
            if c.name != INTERPRETER or turn < PYTHON_ROUNDS:
                means[c.name].append(c.mean_ns())
                times[c.name].append(c.task_ns())
    return {name: summary(means[name], np.concatenate(times[name])) for name in means}


def summary(means: list[float], ns: np.ndarray) -> dict[str, float]:
    """The mean is the median over the runs: a run in which the machine did something else does not count."""
    p50, p99, most = np.percentile(ns, (50, 99, 100)).tolist()
    return {"mean": statistics.median(means), "p50": p50, "p99": p99, "max": most}


def report(case: Case, rows: dict[str, dict[str, float]], checked: dict[str, float]) -> None:
    paper = f"; paper: mean {1e6 * case.paper[0]:.1f} us, max {1e6 * case.paper[1]:.1f} us" if case.paper else ""
    print(f"{case.name}: speeds within {checked['error']:.2g} % of the adaptive ones{paper}")
    by_hand = rows[BY_HAND]["mean"]
    for name, row in rows.items():
        numbers = " ".join(f"{row[key]:10.0f}" for key in ("mean", "p50", "p99", "max"))
        print(f"  {name:<13} {numbers} {row['mean'] / by_hand:8.2f}")


def six_drivelines(rows: dict[str, dict[str, float]], checked: dict[str, float]) -> dict[str, float]:
    """Six drivelines in the lanes of one task; ratio: to the C by hand."""
    lanes, by_hand = rows[LANES]["mean"], rows[BY_HAND]["mean"]
    return {"seconds": 1e-9 * lanes, "error": 0.01 * checked["apart"], "ratio": lanes / by_hand}


def joint() -> sb.Model:
    """Two masses with an elastic shaft and a bearing with bristles, driven from outside."""
    m = sb.Model("joint", t_end=10.0)
    motor, load = m.add("motor", sb.Inertia(J=1e-3)), m.add("load", sb.Inertia(J=1e-2))
    m.add("shaft", sb.SpringDamper(motor, load, c=50.0, d=0.02))
    law = sb.LuGre(sigma0=1e3, sigma1=1.0, tau_c=0.1, tau_s=0.15, w_s=0.05)
    m.add("friction", sb.Bearing(load, law=law))
    m.add("drive", sb.Torque(motor, tau=sb.External()))
    return m


def vector_environment(copies: int = 1024, calls: int = 200) -> dict[str, float]:
    """Steps of a vector environment of joints with new actions in every step: wall time, all processors. The ratio is
    that to a million steps a second."""
    envs = sb.VectorEnvironment(
        joint(),
        "1 ms",
        copies=copies,
        actions={"drive.tau": (-1, 1)},
        observations=["motor.w", "load.w", "load.phi"],
        reward=lambda plants: -np.abs(plants["load.phi"] - 1.0),
    )
    actions = np.random.default_rng(1).uniform(-1, 1, (calls, copies, 1))
    best = np.inf
    for _ in range(3):
        envs.reset(seed=1)
        start = time.perf_counter()
        for action in actions:
            envs.step(action)
        best = min(best, (time.perf_counter() - start) / (copies * calls))
    return {"seconds": best, "error": 0.0, "ratio": best / 1e-6}


def report_lanes(rows: dict[str, dict[str, float]]) -> None:
    """What runs in lanes."""
    print("in lanes: ns of one task of six drivelines, ratio to the C by hand; of the vector environment per step")
    for name, row in rows.items():
        print(f"  {name:<36} {1e9 * row['seconds']:10.1f} {row['ratio']:8.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="task times at a fixed step of 1 ms, as Table 2 of bataus2011")
    parser.add_argument("--rounds", type=int, default=40, help="runs of 4 s of each contender")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    options = parser.parse_args()
    import numba  # here, because the tests use the rest without it

    content: dict[str, dict] = {}
    six: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        hand = build_hand(Path(folder))
        compiled = realtime_loop.build(numba.njit, hand.now_ns)
        plain = realtime_loop.build(lambda function: function, time.perf_counter_ns)
        print(f"ns per task of six drivelines; the clock itself shows {hand.clock_ns(100_000)} ns in p50, p99, max")
        print(f"  {'':<13} {'mean':>10} {'p50':>10} {'p99':>10} {'max':>10} {'ratio':>8}")
        for case in CASES:
            contenders = [*ours(case), in_lanes(case), hand_written(hand, case), with_numba(compiled, case)]
            contenders.append(interpreted(plain, case))
            checked = check(case, contenders)
            rows = race(contenders, options.rounds)
            report(case, rows, checked)
            content[case.name] = {"contenders": rows, **checked}
            six[f"six drivelines: {case.name}"] = six_drivelines(rows, checked)
    content["contenders"] = six | {"vector environment": vector_environment()}
    report_lanes(content["contenders"])
    if options.json is not None:
        options.json.write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main()
