"""An output-error fit of five LuGre parameters, beside the same fit written with SciPy.

    python benchmarks/identify.py [--rounds 3] [--seconds 25] [--whole] [--json FILE]

A body of 1 kg on a LuGre guide is pushed back and forth for 25 s; its position is read every millisecond by a sensor
with steps of 0.1 mm and noise of half a step. Both fits start from the same values and search on the same log scale.
Ours is `stribeck.identify.fit`. The other one is what one would write with SciPy: `least_squares` with its own
differences around `solve_ivp` (LSODA, the fastest of its methods here) at a tolerance that leaves an error well below
the noise.

In every round our whole fit and one simulation by SciPy take turns. The whole fit by SciPy takes as many simulations as
the same call of `least_squares` needs around our simulation; with --whole it is really run (half an hour).
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

import stribeck as sb
from stribeck.identify.fits.simulation import Rig

SAMPLE = 1e-3
STEP = 1e-4
MASS, SIGMA1 = 1.0, 100.0
TRUTH = {"sigma0": 1e4, "sigma2": 0.4, "mu_c": 1.0, "mu_s": 1.5, "v_s": 0.01}
START = {"sigma0": 3e3, "sigma2": 0.6, "mu_c": 1.2, "mu_s": 1.6, "v_s": 0.02}
TOLERANCE = {"rtol": 1e-7, "atol": 1e-10}


def machine(values: dict[str, float]) -> sb.Model:
    model = sb.Model("rig")
    load = model.add("load", sb.Mass(m=MASS))
    model.add("joint", sb.Guide(load, law=sb.LuGre(sigma1=SIGMA1, **values)))
    model.add("motor", sb.Force(load, f=sb.External(0)))
    return model


def record(seconds: float) -> sb.identify.Measurement:
    t = SAMPLE * np.arange(round(seconds / SAMPLE) + 1)
    force = 2.5 * np.sin(np.pi * t) * (1 - np.exp(-t)) + 0.8 * np.sin(2 * np.pi * 0.13 * t + 1)
    blank = sb.identify.Measurement({"f": force, "s": force}, sample_time=SAMPLE)
    s = Rig(machine(TRUTH), blank, {"load.s": "s"}, {"motor.f": "f"}, {}).simulate({})[0]
    noisy = s + 0.5 * STEP * np.random.default_rng(1).normal(size=s.size)
    return sb.identify.Measurement({"f": force, "s": STEP * np.round(noisy / STEP)}, sample_time=SAMPLE)


# -- ours ---


def ours(run: sb.identify.Measurement) -> sb.identify.FitResult:
    free = [f"joint.law.{name}" for name in TRUTH]
    return sb.identify.fit(machine(START), run, free, outputs={"load.s": "s"}, inputs={"motor.f": "f"})


# -- with SciPy ---


def scipy_position(values: dict[str, float], run: sb.identify.Measurement) -> np.ndarray:
    """The position by solve_ivp, force held from sample to sample."""
    p = {**values, "sigma1": SIGMA1, "m": MASS}
    s0, s1, s2, mu_c, mu_s, v_s, m = (p[name] for name in ("sigma0", "sigma1", "sigma2", "mu_c", "mu_s", "v_s", "m"))
    force, last, rate = run.channels["f"].tolist(), len(run) - 1, 1 / SAMPLE

    def rhs(t: float, y: np.ndarray) -> list[float]:
        f = force[min(int(t * rate + 1e-9), last)]
        _, v, z = y
        dz = v - s0 * abs(v) / (mu_c + (mu_s - mu_c) * math.exp(-((v / v_s) ** 2))) * z
        return [v, (f - s0 * z - s1 * dz - s2 * v) / m, dz]

    grid = run.time
    return solve_ivp(rhs, (0.0, grid[-1]), [0.0, 0.0, 0.0], method="LSODA", t_eval=grid, **TOLERANCE).y[0]


def scipy_fit(
    position: Callable[..., np.ndarray], run: sb.identify.Measurement, tolerance: float
) -> tuple[dict[str, float], int]:
    """The fit by least_squares around a simulation; returns the values and the number of simulations."""
    count = 0

    def values(x: np.ndarray) -> dict[str, float]:
        return {name: START[name] * math.exp(c) for name, c in zip(START, x, strict=True)}

    def residual(x: np.ndarray) -> np.ndarray:
        nonlocal count
        count += 1
        return (position(values(x), run) - run.channels["s"]) / STEP

    found = least_squares(residual, np.zeros(len(START)), diff_step=3e-4, ftol=tolerance, xtol=tolerance)
    return values(found.x), count


def kernel_position(values: dict[str, float], run: sb.identify.Measurement) -> np.ndarray:
    rig = Rig(machine(values), run, {"load.s": "s"}, {"motor.f": "f"}, {})
    return rig.simulate({})[0]


# -- both ---


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=25.0)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    run = record(options.seconds)

    fits: list[tuple[float, float]] = []
    simulations: list[tuple[float, float]] = []
    for _ in range(options.rounds):
        result, spent = clocked(lambda: ours(run))
        fits.append(spent)
        position, spent = clocked(lambda: scipy_position(TRUTH, run))
        simulations.append(spent)
    error = float(np.abs(position - kernel_position(TRUTH, run)).max())
    mine, one = (np.median(np.array(times), axis=0) for times in (fits, simulations))

    position = scipy_position if options.whole else kernel_position
    (values, count), spent = clocked(lambda: scipy_fit(position, run, 1e-8))
    theirs = np.array(spent) if options.whole else count * one

    print(result)
    print(f"\nstribeck.fit: {shown(mine)} for {result.runs} simulations")
    print(f"one simulation by SciPy: {shown(one)}, largest error {error:.1e} m")
    print(f"fit by SciPy: {shown(theirs)} ({'run' if options.whole else 'one simulation times'} {count} simulations)")
    print(f"ratio: {theirs[0] / mine[0]:.0f} on the wall clock, {theirs[1] / mine[1]:.0f} of the processor")
    for name, value in values.items():
        path = f"joint.law.{name}"
        print(f"  {name}: {result.values[path]:.7g} and {value:.7g}, std. error {result.errors[path]:.2g}")
    if options.json:
        rows = {"fit": mine, "scipy_simulation": one, "scipy_fit": theirs, "ratio": theirs / mine}
        numbers = {name: {"wall": row[0], "processor": row[1]} for name, row in rows.items()}
        options.json.write_text(json.dumps({**numbers, "simulations": count}, indent=2) + "\n", encoding="utf-8")


def clocked(task: Callable[[], Any]) -> tuple[Any, tuple[float, float]]:
    """What a task returns, and the seconds that it took on the wall clock and of the processor, all threads together:
    the latter hardly depend on what else the machine is doing."""
    wall, processor = time.perf_counter(), time.process_time()
    made = task()
    return made, (time.perf_counter() - wall, time.process_time() - processor)


def shown(seconds: np.ndarray) -> str:
    return f"{seconds[0]:.4g} s ({seconds[1]:.4g} s of the processor)"


if __name__ == "__main__":
    main()
