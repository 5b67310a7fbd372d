"""Sections 3.1 and 3.2, with the numbers of Section 5.2: what a coarse encoder can measure."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..scorecard import number, statement
from ._measurement_pictures import plot_section_3_1
from ._paper import PAPER
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


@PAPER.item(
    "Section 3.1",
    "What a coarse encoder can measure",
    shows=(
        "Speed and acceleration from differences of the position (29) are off by up to delta_x/T_s and 2 delta_x/T_s^2 "
        "(30). The signal to noise ratio of the acceleration is at most T_s^2 u_max/(2 m delta_x), which is worth an "
        "uncertainty of the mass (31). Section 5.2 has the numbers of the actuator."
    ),
)
def section_3_1(quick: bool) -> Finding:
    """The two numbers, the bounds on simulated samples, and an inertia that is found all the same."""
    noise = 2 * TICK / T_S**2
    ratio, doubt = (U_MAX / J) / noise, J * noise / (U_MAX / J)
    result = motor()
    angle = np.asarray(result["rotor.phi"])
    read = TICK * np.floor(angle / TICK)
    speed, acceleration = (np.abs(np.diff(read - angle, n=n)).max() / T_S**n for n in (1, 2))
    last = slice(500, 1500)
    found = (
        -(fourier(np.asarray(result["drive.tau"])[last], 20.0) / fourier(read[last], 20.0)).real / (2 * pi * 20.0) ** 2
    )
    miss = abs(found / J - 1)
    claims = [
        statement(
            "the error of the speed is at most delta_x/T_s",
            speed <= TICK / T_S,
            f"{speed:.1f} rad/s in the run; the bound is {TICK / T_S:.1f} rad/s",
            printed="(30)",
        ),
        statement(
            "the error of the acceleration is at most 2 delta_x/T_s^2",
            acceleration <= noise,
            f"{acceleration:.4g} rad/s² in the run; the bound is {noise:.4g} rad/s²",
            printed="(30)",
        ),
        number("signal to noise ratio of the acceleration", "0.68", ratio),
        number("equivalent uncertainty of the inertia", "1.95e-5", doubt, "kg.m2"),
        number(
            "it is so many times the theoretical uncertainty",
            "10",
            doubt / DELTA_J,
            within=1.0,
            note="printed as a round figure",
        ),
        statement(
            "the theoretical value of J is 2.1e-6 kg·m²",
            abs(DELTA_J / J - 1) < 0.1,
            f"Table 3 has J = {J:g} kg·m² with an uncertainty of {DELTA_J:g}",
            printed="2.1e-6 kg·m²",
            because="the text says 'value' where it means the uncertainty of the value",
        ),
        statement(
            "with this encoder it is useless to identify the inertia",
            miss > DELTA_J / J,
            f"from 1 s of simulated samples under {U_MAX:g} N·m at 20 Hz: {found:.4g} kg·m², {100 * miss:.2g} % off; "
            f"the theoretical uncertainty is {100 * DELTA_J / J:.0f} %",
            because=(
                "the ratio is that of one sample at its worst. The component of torque over position at the frequency "
                "of the test uses all samples and needs no differences: most of the noise averages out. Friction acts "
                "with the speed, a quarter of a period off, and does not enter"
            ),
        ),
    ]
    return Finding(
        text=(
            f"With 56 points per revolution and 1 ms the ratio is {ratio:.4f} and the uncertainty {doubt:.4g} kg·m², "
            "as printed. Errors of simulated samples keep within the bounds and come near them. That does not make the "
            "inertia unknowable: a sinusoidal test of 1 s gives it well within the theoretical uncertainty."
        ),
        claims=claims,
        picture=plot_section_3_1(result, read, T_S, noise),
        converged={"F.snr_acc": ratio, "F.deltaJ": (doubt, 1e-15)},
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
            statement(
                "the force at which a motion is seen is slightly higher than f_s",
                0 < excess[0] < 0.01 * 1.5,
                f"by {100 * excess[0] / 1.5:.2f} % at {rates[0]:g} N/s, "
                f"by {100 * excess[-1] / 1.5:.1f} % at {rates[-1]:g} N/s",
                note=f"slightly: below 1 %, at the slowest rate; with a sensor of {1e3 * step:g} mm",
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
