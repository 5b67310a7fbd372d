"""Sections 3.1 and 3.2, with the numbers of Section 5.2: what a coarse encoder can measure."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..rules import ABOUT, SAME, WITHIN
from ..scorecard import Claim, judged, number, share
from ._measurement_pictures import plot_section_3_1
from ._paper import PAPER
from .actuator import single_mass
from .friction import ideal, loaded

J, DELTA_J = 1.32e-5, 2.1e-6
"""Inertia of the actuator and its uncertainty (kg.m2), Table 3."""
TICK = 2 * pi / 56
"""Resolution of its encoder (rad), 56 points per revolution."""
T_S, U_MAX = 1e-3, 2.0
"""Sample time (s) and largest torque (N.m), Section 5.2."""


# --- Section 3.1 ------------------------------------------------------------------------------------------------------


def motor(torque: float = U_MAX, f: float = 20.0) -> sb.Result:
    """The inertia of the actuator with its mean friction under a sinusoidal torque, sampled at 1 ms."""
    m = sb.Model("motor")
    rotor = m.add("rotor", sb.Inertia(J=J))
    m.add("friction", sb.Bearing(rotor, law=sb.Switch(tau_c=0.1094, tau_s=0.14, tau_v=7.1746e-4)))
    m.add("drive", sb.Torque(rotor, tau=sb.Sine(amplitude=torque, f=f)))
    return sb.simulate(m, t_end=1.5, intervals=1500, tolerance=1e-10)


def fourier(samples: np.ndarray, f: float) -> complex:
    """The component of a frequency (Hz) in whole periods of samples."""
    times = T_S * np.arange(samples.size)
    return complex(2 * np.mean(samples * np.exp(-2j * pi * f * times)))


def measured_inertia(torque: float, f: float, *, play: float, noise: float, seed: int) -> float:
    """The inertia (kg.m2) from 1 s of a sinusoidal test on the whole actuator: friction of Table 5 over its way, play
    (rad) before the rack, the encoder, and noise (N.m) on the torque that is recorded."""
    run = sb.simulate(
        single_mass(sb.Sine(amplitude=torque, f=f, phase=pi / 2), start=32.0, play=play), t_end=1.5, intervals=1500
    )
    read = TICK * np.floor(np.asarray(run["rotor.phi"]) / TICK)
    drive = np.asarray(run["motor.tau"]) + noise * np.random.default_rng(seed).standard_normal(read.size)
    last = slice(500, 1500)
    return -(fourier(drive[last], f) / fourier(read[last], f)).real / (2 * pi * f) ** 2


@PAPER.item(
    "Section 3.1",
    "What a coarse encoder can measure",
    shows=(
        "Speed and acceleration from differences of the position (29) are off by up to delta_x/T_s and 2 delta_x/T_s^2 "
        "(30). The signal to noise ratio of the acceleration is at most T_s^2 u_max/(2 m delta_x), which is worth an "
        "uncertainty of the mass (31). Section 5.2 has the numbers of the actuator."
    ),
    equations=("(28)", "(29)", "(30)", "(31)"),
)
def section_3_1(quick: bool) -> Finding:
    """The two numbers, the bounds on simulated samples, and an inertia that is found all the same."""
    noise = 2 * TICK / T_S**2
    ratio, doubt = (U_MAX / J) / noise, J * noise / (U_MAX / J)
    result = motor()
    angle = np.asarray(result["rotor.phi"])
    read = TICK * np.floor(angle / TICK)
    speed, acceleration = (np.abs(np.diff(read - angle, n=n)).max() / T_S**n for n in (1, 2))
    claims = [
        judged(
            "the error of the speed is at most delta_x/T_s",
            WITHIN,
            max(speed - TICK / T_S, 0.0),
            f"{speed:.1f} rad/s in the run; the bound is {TICK / T_S:.1f} rad/s",
            printed="delta_x/T_s",
            otherwise="refuted",
            where="Section 3.1, (30)",
        ),
        judged(
            "the error of the acceleration is at most 2 delta_x/T_s^2",
            WITHIN,
            max(acceleration - noise, 0.0),
            f"{acceleration:.4g} rad/s² in the run; the bound is {noise:.4g} rad/s²",
            printed="2 delta_x/T_s^2",
            otherwise="refuted",
            where="Section 3.1, (30)",
        ),
        *_numbers(ratio, doubt),
        _inertia(quick),
    ]
    return Finding(
        text=(
            f"With 56 points per revolution and 1 ms the ratio is {ratio:.4f} and the uncertainty {doubt:.4g} kg·m², "
            "as printed. Errors of simulated samples keep within the bounds and come near them. That does not make the "
            "inertia unknowable: a sinusoidal test of 1 s gives it within the theoretical uncertainty, with the play "
            "of the actuator, friction that depends on its position, and noise on the torque."
        ),
        claims=claims,
        picture=plot_section_3_1(result, read, T_S, noise),
        alt=(
            "Acceleration of the rotor over time: differences of the encoder jump between a few values as large as the "
            "true acceleration, so that single samples say nothing."
        ),
        converged={"F.snr_acc": ratio, "F.deltaJ": (doubt, 1e-15)},
    )


def _numbers(ratio: float, doubt: float) -> list[Claim]:
    """What the text prints, from Table 3 and the data of the acquisition."""
    return [
        number(
            "signal to noise ratio of the acceleration",
            "0.68",
            ratio,
            otherwise="contradicts itself",
            because="the printed data give another one",
            basis="arithmetic",
            where="Section 5.2, (30)",
        ),
        number(
            "equivalent uncertainty of the inertia",
            "1.95e-5",
            doubt,
            "kg.m2",
            otherwise="contradicts itself",
            because="the printed data give another one",
            basis="arithmetic",
            where="Section 5.2, (31)",
        ),
        number(
            "it is so many times the theoretical uncertainty",
            "10",
            doubt / DELTA_J,
            rule=ABOUT,
            otherwise="contradicts itself",
            because="the printed data give another one",
            basis="arithmetic",
            note="printed as a round figure",
            where="Section 5.2",
        ),
        number(
            "theoretical value of J",
            "2.1e-6",
            J,
            "kg.m2",
            otherwise="misprint",
            because=f"Table 3 has {J:g} kg·m² with an uncertainty of {DELTA_J:g}: it is the uncertainty that is meant",
            corrected="the theoretical uncertainty of J is 2.1e-6 kg·m²",
            basis="arithmetic",
            where="Section 5.2",
        ),
    ]


def _inertia(quick: bool) -> Claim:
    """The inertia from many sinusoidal tests on the actuator with its play, its friction and noise."""
    random, misses = np.random.default_rng(5), []
    for seed in range(10 if quick else 100):
        torque, f = float(random.uniform(1.0, 2.0)), float(random.integers(15, 31))
        play, noise = float(random.uniform(0.0, 3.0)), float(random.uniform(0.0, 0.2))
        misses.append(abs(measured_inertia(torque, f, play=play, noise=noise, seed=seed) / J - 1))
    return share(
        "with this encoder it is useless to identify the inertia",
        [miss > DELTA_J / J for miss in misses],
        f"{len(misses)} sinusoidal tests of 1 s (1 to 2 N·m, 15 to 30 Hz, play of 0 to 3 rad, noise on the torque up "
        f"to 10 % of u_max) it misses by more than the {100 * DELTA_J / J:.0f} % of the design; at most "
        f"{100 * max(misses):.2g} %",
        because=(
            "the ratio is that of one sample at its worst. The component of torque over position at the frequency of "
            "the test uses all samples and needs no differences: most of the noise averages out. Friction acts with "
            "the speed, a quarter of a period off"
        ),
        where="Section 5.2",
    )


# --- Section 3.2 ------------------------------------------------------------------------------------------------------


@PAPER.item(
    "Section 3.2",
    "Break-away with a coarse sensor",
    shows="The force is raised slowly until a motion is seen; it is then slightly higher than f_s.",
)
def section_3_2(quick: bool) -> Finding:
    """The mass of Table 1 under forces that rise at several rates, until it has moved by one step of a sensor."""
    step, rates = 1e-3, [0.05, 0.2, 1.0]
    seen = []
    for rate in rates:
        result = loaded(ideal(), rate=rate, t_end=2.0 / rate, intervals=200_000)
        seen.append(float(result.at(result.crossings("mass.s", step, +1)[0], "push.f")))
    excess = [force - 1.5 for force in seen]
    expected = [rate * sqrt(2 * step / 0.5) for rate in rates]
    rows = [list(row) for row in zip(rates, seen, [1e3 * e for e in excess], [1e3 * e for e in expected], strict=True)]
    return Finding(
        text=(
            f"With a sensor of {1e3 * step:g} mm the motion is seen at {seen[0]:.4f} N when the force rises by "
            f"{rates[0]:g} N/s, and at {seen[-1]:.4f} N with {rates[-1]:g} N/s; f_s is 1.5 N. The excess is the rate "
            "times the time that the mass takes for one step of the sensor, about sqrt(2 delta_x m/(f_s - f_c)), and "
            "some more, because it starts slowly."
        ),
        claims=[
            judged(
                "the force at which a motion is seen is slightly higher than f_s",
                SAME,
                excess[0] / 1.5 if excess[0] > 0 else float("inf"),
                f"by {100 * excess[0] / 1.5:.2f} % at {rates[0]:g} N/s, "
                f"by {100 * excess[-1] / 1.5:.1f} % at {rates[-1]:g} N/s",
                otherwise="refuted",
                note=f"at the slowest rate, as the text asks for; with a sensor of {1e3 * step:g} mm, which is ours",
            )
        ],
        tables=[
            titled_table(
                "Seen break-away",
                ["rate / (N/s)", "force / N", "excess / mN", "estimate / mN"],
                rows,
            )
        ],
    )
