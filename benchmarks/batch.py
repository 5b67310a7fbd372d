"""Many runs: `sb.batch` against other ways to run the same points, at equal error.

    python benchmarks/batch.py [--runs 2000] [--json FILE]

Parameters are spread by +-30 %. The error is the largest deviation of the speeds at the end, over the first points,
from runs at a tight tolerance. `scalar` is a loop of `simulate` in threads, with one result stored per point; `odeint`
is SciPy's LSODA on the equations of the rig in Python, in processes, of which only some points are run. The time is
that of one run, all processors at work.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
from _bench import Row, arguments, report
from scipy.integrate import odeint

import stribeck as sb

LIMIT = 1e-6
CORES = len(os.sched_getaffinity(0))
TOLERANCES = [10 ** (-n / 2) for n in range(8, 19)]
SAMPLE = 40  # points at which errors are measured
ODEINT_RUNS = 40


def rig() -> tuple[sb.Program, dict[str, float], str]:
    names = ("spring.c", "mass.J", "friction.law.mu_s", "pull.w")
    return _spread(sb.load_model("stick-slip"), names, "mass.w")


def gearbox() -> tuple[sb.Program, dict[str, float], str]:
    model = sb.load_model("gearbox")
    names = [path for path in sb.compile_model(model).parameters if path.endswith((".J", ".fn_max"))][:6]
    speed = next(name for name in sb.compile_model(model).output_names if name.endswith(".w"))
    return _spread(model, names, speed)


def joint() -> tuple[sb.Program, dict[str, float], str]:
    model = sb.Model("joint", t_end=2.0)
    motor, load = model.add("motor", sb.Inertia(J=1e-3)), model.add("load", sb.Inertia(J=1e-2))
    model.add("shaft", sb.SpringDamper(motor, load, c=50.0, d=0.02))
    law = sb.LuGre(sigma0=1e3, sigma1=1.0, tau_c=0.1, tau_s=0.15, w_s=0.05)
    model.add("friction", sb.Bearing(load, law=law))
    control = sb.PID(sb.Sine(0.5, 1.0), load.sensor("phi"), Kp=5.0, Ki=10.0, Kd=0.1, T_f=0.01)
    model.add("drive", sb.Torque(motor, tau=control))
    return _spread(model, ("shaft.c", "load.J", "friction.law.mu_s"), "load.w")


def _spread(model: sb.Model, names: object, speed: str) -> tuple[sb.Program, dict[str, float], str]:
    program = sb.compile_model(model)
    return program, {name: program.parameters[name].value for name in names}, speed


def points(values: dict[str, float], n: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    return {name: value * rng.uniform(0.7, 1.3, n) for name, value in values.items()}


def batch(program: sb.Program, values: dict[str, np.ndarray], speed: str, tolerance: float) -> np.ndarray:
    return sb.batch(program, values, measures=[f"{speed}:last"], tolerance=tolerance)[f"{speed}:last"]


def scalar(program: sb.Program, values: dict[str, np.ndarray], speed: str, tolerance: float) -> np.ndarray:
    def run(one: sb.Program) -> float:
        result = sb.simulate(one, outputs=[speed], intervals=1, tolerance=tolerance, energy=False, extremes=False)
        return float(result[speed][-1])

    with ThreadPoolExecutor(CORES) as pool:
        return np.array(list(pool.map(run, program.with_values(values))))


def _odeint_rig(point: tuple[float, ...]) -> float:
    c, J, mu_s, pull, tolerance = point
    sigma0, sigma1, sigma2, mu_c, v_s = 1e5, 316.22776601683796, 0.4, 1.0, 1e-3

    def rates(y: np.ndarray, t: float) -> tuple[float, float, float]:
        phi, w, z = y
        g = (mu_c + (mu_s - mu_c) * np.exp(-((w / v_s) ** 2))) / sigma0
        dz = w - abs(w) / g * z
        return w, (c * (pull * t - phi) - sigma0 * z - sigma1 * dz - sigma2 * w) / J, dz

    y = odeint(
        rates, [0.0, 0.0, 0.0], [0.0, 25.0], rtol=tolerance, atol=tolerance * np.array([1, v_s, 1e-5]), mxstep=10**7
    )
    return float(y[-1, 1])


def tuned(run: object, exact: np.ndarray) -> tuple[float, float]:
    """The loosest tolerance with which the largest error stays within the limit."""
    for tolerance in TOLERANCES:
        error = float(np.abs(run(tolerance) - exact).max())  # type: ignore[operator]
        if error <= LIMIT:
            return tolerance, error
    raise SystemExit("no tolerance reaches the limit")


def timed(run: object, n: int) -> float:
    start = time.perf_counter()
    run()  # type: ignore[operator]
    return (time.perf_counter() - start) / n


def compare(name: str, program: sb.Program, values: dict[str, float], speed: str, n: int) -> list[Row]:
    few, many = points(values, SAMPLE), points(values, n)
    exact = batch(program, few, speed, 1e-11)
    tolerance, error = tuned(lambda tol: batch(program, few, speed, tol), exact)
    turns = [
        (
            timed(lambda: batch(program, many, speed, tolerance), n),
            timed(lambda: scalar(program, many, speed, tolerance), n),
        )
        for _ in range(3)
    ]
    ours, loop = (float(np.median(column)) for column in zip(*turns, strict=True))
    return [Row(f"{name}: batch", ours, error, tolerance), Row(f"{name}: scalar", loop, error, tolerance)]


def compare_odeint(values: dict[str, float], exact_few: np.ndarray) -> Row:
    few = np.column_stack(list(points(values, SAMPLE).values()))
    with ProcessPoolExecutor(CORES) as pool:

        def run(tolerance: float) -> np.ndarray:
            return np.array(list(pool.map(_odeint_rig, [(*row, tolerance) for row in few])))

        tolerance, error = tuned(run, exact_few)
        return Row("rig: odeint", timed(lambda: run(tolerance), ODEINT_RUNS), error, tolerance)


def main() -> None:
    options = arguments(__doc__ or "", runs=2000)
    found: dict[str, object] = {}
    for name, make in (("rig", rig), ("joint", joint), ("gearbox", gearbox)):
        program, values, speed = make()
        rows = compare(name, program, values, speed, options.runs)
        if name == "rig":
            rows.append(compare_odeint(values, batch(program, points(values, SAMPLE), speed, 1e-11)))
        print(f"\n{name}: {1 / rows[0].seconds:.0f} runs a second")
        found = report(rows, options.json, found)


if __name__ == "__main__":
    main()
