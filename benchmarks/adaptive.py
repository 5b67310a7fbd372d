"""The adaptive solver against other ways to run the same machine, at equal error.

    python benchmarks/adaptive.py [--json FILE]

The machine is the LuGre stick-slip rig of aberger2002 (Table 1): 25 s, results (angle, speed, bristle deflection and
friction) on 2501 points. The error is the largest deviation of angle and speed on these points from a converged
solution, computed here by the hand-written C code and confirmed by SciPy's Radau.
"""

from __future__ import annotations

import ctypes
import math
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from _bench import KERNEL_FLAGS, Contender, arguments, compare, report
from scipy.integrate import solve_ivp
from sksundae.cvode import CVODE

import stribeck

LIMIT = 1e-6
TIMES = np.linspace(0.0, 25.0, 2501)

# aberger2002, Table 1
SIGMA0, SIGMA1, SIGMA2, TAU_C, TAU_S, V_S = 1e5, 316.23, 0.4, 1.0, 1.5, 1e-3
INERTIA, STIFFNESS, PULL = 1.0, 2.0, 0.1
NOMINAL = np.array([1.0, V_S, TAU_S])


# -- ours ---


def stribeck_solver(**options: bool) -> Callable[[float], np.ndarray]:
    model = stribeck.load_model("stick-slip")
    stribeck.set_parameter(model, "friction.law.sigma1", SIGMA1)
    program = stribeck.compile_model(model)

    def run(tol: float) -> np.ndarray:
        result = stribeck.simulate(program, t_end=25.0, intervals=2500, tolerance=tol, **options)
        return [result[name] for name in ("mass.phi", "mass.w", "friction.z", "friction.tau")]

    return run


# -- C, written by hand for this machine ---


class Rig(ctypes.Structure):
    names = ("sigma0", "sigma1", "sigma2", "mu_c", "mu_s", "v_s", "J", "k", "pull", "inv_v_s", "inv_J")
    _fields_ = [(name, ctypes.c_double) for name in names]


class Stats(ctypes.Structure):
    _fields_ = [(name, ctypes.c_long) for name in ("steps", "rejected", "rhs", "jacobians")]


@dataclass
class HandWritten:
    """benchmarks/rodas5p_stickslip.c, built with the flags of the kernel; call it with a tolerance."""

    folder: Path

    def __post_init__(self) -> None:
        source = Path(__file__).with_name("rodas5p_stickslip.c")
        library = self.folder / "rodas5p_stickslip.so"
        subprocess.run(["cc", *KERNEL_FLAGS, "-shared", "-fPIC", str(source), "-o", str(library), "-lm"], check=True)
        self.function = ctypes.CDLL(str(library)).rodas5p_stickslip
        self.rig = Rig(SIGMA0, SIGMA1, SIGMA2, TAU_C, TAU_S, V_S, INERTIA, STIFFNESS, PULL)
        self.stats = Stats()

    def __call__(self, tol: float) -> np.ndarray:
        out = np.empty((4, TIMES.size))
        status = self.function(
            ctypes.byref(self.rig),
            ctypes.c_double(tol),
            ctypes.c_int(TIMES.size),
            ctypes.c_double(TIMES[1]),
            out.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
            ctypes.byref(self.stats),
        )
        if status != 0:
            raise SystemExit(f"hand-written C: step size too small at tolerance {tol:g}")
        return out


# -- Python, as a user of SciPy or SUNDIALS would write it: bristle as a torque, so that all states are of order one ---


def stribeck_curve(v: float) -> float:
    """(tau_s - tau_c) exp(-(v/v_s)^2)"""
    square = (v / V_S) ** 2
    return (TAU_S - TAU_C) * math.exp(-square) if square < 700 else 0.0


def rhs(t: float, y: np.ndarray) -> list[float]:
    x, v, z = y.tolist()
    rate = v - abs(v) / (TAU_C + stribeck_curve(v)) * z
    friction = z + SIGMA1 * rate + SIGMA2 * v
    return [v, (STIFFNESS * (PULL * t - x) - friction) / INERTIA, SIGMA0 * rate]


def jacobian(_t: float, y: np.ndarray) -> list[list[float]]:
    _, v, z = y.tolist()
    curve = stribeck_curve(v)
    g, dg = TAU_C + curve, -2 * v / V_S**2 * curve
    by_v = 1 - z * (math.copysign(1, v) - abs(v) * dg / g) / g
    by_z = -abs(v) / g
    acceleration = [-STIFFNESS / INERTIA, -(SIGMA1 * by_v + SIGMA2) / INERTIA, -(1 + SIGMA1 * by_z) / INERTIA]
    return [[0.0, 1.0, 0.0], acceleration, [0.0, SIGMA0 * by_v, SIGMA0 * by_z]]


def with_friction(states: np.ndarray) -> np.ndarray:
    """Rows angle, speed, deflection, friction from states of shape (3, n)."""
    x, v, z = states
    g = TAU_C + (TAU_S - TAU_C) * np.exp(-np.minimum((v / V_S) ** 2, 700))
    return np.stack([x, v, z / SIGMA0, z + SIGMA1 * (v - np.abs(v) / g * z) + SIGMA2 * v])


def scipy_solver(method: str) -> Callable[[float], np.ndarray]:
    def run(tol: float) -> np.ndarray:
        solution = solve_ivp(
            rhs, (0.0, 25.0), np.zeros(3), method, t_eval=TIMES, jac=jacobian, rtol=tol, atol=tol * NOMINAL
        )
        return with_friction(solution.y)

    return run


def cvode_solver() -> Callable[[float], np.ndarray]:
    def fill_rhs(t: float, y: np.ndarray, yp: np.ndarray) -> None:
        yp[:] = rhs(t, y)

    def fill_jacobian(t: float, y: np.ndarray, _yp: np.ndarray, matrix: np.ndarray) -> None:
        matrix[:] = jacobian(t, y)

    def run(tol: float) -> np.ndarray:
        solver = CVODE(fill_rhs, jacfn=fill_jacobian, rtol=tol, atol=tol * NOMINAL, max_num_steps=100_000)
        return with_friction(solver.solve(TIMES, np.zeros(3)).y.T)

    return run


# -- reference and main ---


def largest_deviation(result: np.ndarray, reference: np.ndarray) -> float:
    """Largest deviation of angle and speed."""
    return float(np.abs(result[:2] - reference[:2]).max())


def converged(hand_written: HandWritten) -> np.ndarray:
    """The reference, from two independent codes that must agree far below the limit."""
    reference = hand_written(1e-12)
    deviation = largest_deviation(scipy_solver("Radau")(1e-12), reference)
    if deviation > 1e-4 * LIMIT:
        raise SystemExit(f"reference not converged: hand-written C and SciPy Radau differ by {deviation:.1e}")
    print(f"converged solution: hand-written C and SciPy Radau at 1e-12 agree to {deviation:.1e}")
    return reference


def main() -> None:
    options = arguments("adaptive solver against others, LuGre stick-slip, at equal error")
    with tempfile.TemporaryDirectory() as folder:
        hand_written = HandWritten(Path(folder))
        reference = converged(hand_written)
        contenders = [
            Contender("stribeck", stribeck_solver()),
            Contender("stribeck, traces only", stribeck_solver(energy=False, extremes=False)),
            Contender("hand-written C", hand_written),
            Contender("SciPy LSODA", scipy_solver("LSODA")),
            Contender("SciPy Radau", scipy_solver("Radau")),
            Contender("SciPy BDF", scipy_solver("BDF")),
            Contender("scikit-sundae CVODE", cvode_solver()),
        ]
        rows = compare(contenders, lambda result: largest_deviation(result, reference), LIMIT)
        print(f"hand-written C: {hand_written.stats.steps} steps, {hand_written.stats.rejected} rejected")
    report(rows, options.json)


if __name__ == "__main__":
    main()
