"""Section 3.3: friction from the means of sinusoidal tests; Section 6, which comes back to it."""

from __future__ import annotations

from math import pi, sin, sqrt

import numpy as np

import stribeck as sb

from ..paper import Finding
from ..rules import EXACT, MUCH, SAME
from ..scorecard import Claim, judged, statement
from ._cycles import per_cycle
from ._measurement_pictures import plot_section_3_3
from ._paper import PAPER
from .friction import drift, hybrid, limit_cycle, sinusoidal, soft_elasto_plastic, soft_hybrid, soft_lugre, stick_slip

F_C, F_V = 1.0, 0.4
"""Friction of the tests (N, Ns/m), Table 1."""
NOISE = 0.5
"""Standard deviation of the noise on the force (N)."""
T_S = 1e-3
"""Sample time (s)."""
SAMPLES = 2000
"""Of a period."""


def sampled(amplitude: float, mass: float = 1.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Force, speed and acceleration of a sinusoidal test."""
    law = sb.Switch(mu_c=F_C, mu_s=F_C, mu_v=F_V)
    result = sinusoidal(law, amplitude=amplitude, mass=mass, samples=SAMPLES)
    u, v, a = (np.asarray(result[name])[1:] for name in ("drive.f", "mass.v", "mass.a"))
    return u, v, a


def solve(amplitudes: np.ndarray, means: np.ndarray) -> np.ndarray:
    """f_v and f_c from the means of several tests, (36) and (37)."""
    rows = np.column_stack([2 * amplitudes / pi, np.ones_like(amplitudes)])
    found: np.ndarray = np.linalg.lstsq(rows, means, rcond=None)[0]
    return found


@PAPER.item(
    "Section 3.3",
    "Friction from the means of sinusoidal tests",
    shows=(
        "The mass has a prescribed sinusoidal speed. The mean of the force with the sign of the speed is f_v 2V/pi + "
        "f_c (35), whatever the mass; two amplitudes give f_v and f_c (36), more of them give them better (37)."
    ),
    equations=("(32)", "(33)", "(34)", "(35)", "(36)", "(37)"),
)
def section_3_3(quick: bool) -> Finding:
    """Two tests without noise, then many draws of noise."""
    pair = np.array([0.5, 2.0])
    tests = [sampled(float(v)) for v in pair]
    means = np.array([np.mean(u * np.sign(v)) for u, v, _ in tests])
    f_v, f_c = solve(pair, means)
    _, v, a = tests[0]
    heavy = np.mean(sampled(0.5, mass=3.0)[0] * np.sign(v))
    speed, inertia = np.mean(np.abs(v)) / (2 * 0.5 / pi), np.mean(a * np.sign(v)) / np.abs(a).max()
    sampling = (pi / SAMPLES) / sin(pi / SAMPLES)  # the mean of |sine| by samples in the middle of equal parts
    claims = [
        judged(
            "the mean of |v| is 2V/pi",
            EXACT,
            speed / sampling - 1,
            f"{speed:.7f} times that; by {SAMPLES} samples of a period {sampling:.7f} times",
            printed="2V/pi",
            otherwise="refuted",
            where="Section 3.3, (35)",
        ),
        judged(
            "the mean of the acceleration with the sign of the speed is 0",
            EXACT,
            inertia,
            f"{abs(inertia):.0e} of its amplitude",
            printed="0",
            otherwise="refuted",
            where="Section 3.3, (34)",
        ),
        judged(
            "two amplitudes give f_v and f_c",
            EXACT,
            max(abs(f_v / (F_V * sampling) - 1), abs(f_c / F_C - 1)),
            f"f_v = {f_v:.6f} Ns/m, f_c = {f_c:.6f} N; true are {F_V:g} and {F_C:g}",
            printed="(36)",
            otherwise="refuted",
            where="Section 3.3, (36)",
        ),
        judged(
            "the mass has no influence",
            SAME,
            (heavy - means[0]) / means[0],
            f"mean of {means[0]:.6f} N with 1 kg, {heavy:.6f} N with 3 kg",
            otherwise="refuted",
        ),
        *_noise(quick),
        _not_sinusoidal(),
        _samples(),
    ]
    return Finding(
        text=(
            f"Without noise the means of two tests give f_v = {f_v:.5f} Ns/m and f_c = {f_c:.5f} N. Noise without mean "
            "does no harm, and more amplitudes help. What does harm is a speed that is not sinusoidal."
        ),
        claims=claims,
        picture=plot_section_3_3(*tests[1], f_v=F_V, f_c=F_C),
        alt="A period of the test: the force with the sign of the speed, its mean, and what friction and inertia add.",
    )


def _noise(quick: bool) -> list[Claim]:
    """Many draws of noise on the force: no bias, and less scatter with more amplitudes."""
    draws = 50 if quick else 400
    few, many = (_estimates(np.linspace(0.5, 2.0, count), draws) for count in (2, 8))
    bias, allowed = np.abs(few.mean(axis=0) - [F_V, F_C]), 4 * few.std(axis=0) / sqrt(draws)
    return [
        statement(
            "noise on the force without mean gives no bias",
            bool(np.all(bias < allowed)),
            f"with {NOISE:g} N of noise f_v is off by {bias[0]:.0e} Ns/m, f_c by {bias[1]:.0e} N in the mean of "
            f"{draws} draws",
            otherwise="refuted",
            note="within four standard errors",
            where="Section 6",
        ),
        statement(
            "more amplitudes improve the precision",
            many.std(axis=0)[0] < few.std(axis=0)[0],
            f"f_v scatters by {few.std(axis=0)[0]:.1e} Ns/m with 2 amplitudes, by {many.std(axis=0)[0]:.1e} Ns/m with "
            "8 between the same limits",
            otherwise="refuted",
            where="Section 3.3, (37)",
        ),
    ]


def _estimates(amplitudes: np.ndarray, draws: int) -> np.ndarray:
    """f_v and f_c from tests with these amplitudes, for a number of draws of noise."""
    random = np.random.default_rng(1)
    tests = [sampled(float(v))[:2] for v in amplitudes]
    found = []
    for _ in range(draws):
        means = [np.mean((u + random.normal(0.0, NOISE, u.size)) * np.sign(v)) for u, v in tests]
        found.append(solve(amplitudes, np.array(means)))
    return np.array(found)


def _not_sinusoidal() -> Claim:
    """What a third harmonic in the speed does to f_v."""
    errors = []
    for share in (0.0, 0.1, 0.2):
        phase = 2 * pi * (np.arange(2000) + 0.5) / 2000
        v = np.sin(phase) + share * np.sin(3 * phase)
        amplitudes = np.array([0.5, 2.0])
        means = np.array([np.mean(F_V * np.abs(size * v) + F_C) for size in amplitudes])
        errors.append(abs(solve(amplitudes, means)[0] / F_V - 1))
    return statement(
        "the better the speed fits the sine, the better the result",
        errors[0] < errors[1] < errors[2],
        f"f_v is {100 * errors[1]:.1f} % off with a third harmonic of 10 %, {100 * errors[2]:.1f} % with one of 20 %",
        otherwise="refuted",
        where="Section 6",
    )


def _samples() -> Claim:
    f, n = 0.5, 4
    printed, whole = T_S / (2 * f) * n, n / (2 * f * T_S)
    return statement(
        "the mean is taken over (T_e/2f) n samples",
        abs(printed - whole) < 0.5,
        f"for f = {f:g} Hz, T_e = {1e3 * T_S:g} ms and n = {n} half periods these are {printed:g} samples",
        printed="k = (T_e/2f) n",
        otherwise="misprint",
        because=f"n/(2 f T_e) is meant, {whole:g} samples",
        corrected="k = n/(2 f T_e)",
        basis="arithmetic",
        where="Section 3.3, (33)",
    )


@PAPER.item(
    "Section 6",
    "Conclusion",
    shows=(
        "In the tests with friction the hybrid model is as good as LuGre and the elasto-plastic model, or better. "
        "Section 7 adds that a solver that adapts its step to the model would take less time."
    ),
)
def section_6(quick: bool) -> Finding:
    """Drift per cycle of the three models; steps of our solver and steps of 1 ms."""
    laws = {"hybrid": soft_hybrid(), "elasto-plastic": soft_elasto_plastic(), "LuGre": soft_lugre()}
    drifts = {name: abs(per_cycle(drift(law, t_end=42.0))) for name, law in laws.items()}
    text = ", ".join(f"{name} {1e3 * value:.1g} mm" for name, value in drifts.items())
    runs = stick_slip(hybrid(), tolerance=1e-7), limit_cycle(hybrid(), tolerance=1e-7)
    taken, fixed = sum(run.statistics.steps for run in runs), sum(round(run.time[-1] / T_S) for run in runs)
    return Finding(
        text=(
            f"Drift per cycle in the test of Figure 7: {text}. The runs of Figures 4 and 5 take {taken} steps of our "
            f"adaptive solver, {fixed} of 1 ms."
        ),
        claims=[
            statement(
                "in the drift test the hybrid model is equivalent to the elasto-plastic model and better than LuGre",
                drifts["hybrid"] < 1e-9 and drifts["elasto-plastic"] < 1e-9 < drifts["LuGre"],
                f"per cycle: {text}",
                otherwise="refuted",
                basis="reconstruction",
                note="in stick-slip and in the limit cycle LuGre is the reference itself (Figures 4 and 5)",
            ),
            judged(
                "a solver that adapts its step makes the simulation shorter",
                MUCH,
                fixed / taken,
                f"{taken} steps instead of {fixed}",
                otherwise="refuted",
                where="Section 7",
                note="changes of mode are located, so that the rules of Section 2.2 are not needed",
            ),
        ],
    )
