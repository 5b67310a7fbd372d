"""Section 3.1: other methods of identification that the text names, on the mass of Table 1 and on the actuator."""

from __future__ import annotations

from functools import cache

import numpy as np

import stribeck as sb
from stribeck.reports import DataTable

from ..paper import Finding, titled_table
from ..rules import ABOUT, VISIBLE
from ..scorecard import Claim, judged, number, share
from ._method_pictures import plot_two_relays
from ._paper import PAPER
from .actuator import COUNT, F_V, J
from .methods import friction_of, last_swing, power_test, relayed_rotor, two_relays
from .swings import C_R

DRIVES = (1.2, 1.4)
"""Amplitudes of the second relay on the mass of Table 1 (N): ours, above f_c."""
OFF = 0.1
"""A torque that is found farther off than this share is not found: as in the rule for 'about'."""


@cache
def _relayed(static: float, v_s: float) -> tuple[sb.Result, tuple[float, float]]:
    """The last run, and Coulomb and viscous friction by two of them."""
    law = sb.Stribeck(mu_c=1.0, mu_s=static, v_s=v_s, mu_v=0.4)
    runs = [two_relays(law, d) for d in DRIVES]
    return runs[-1], friction_of(DRIVES, [last_swing(run) for run in runs])


@PAPER.item(
    "Section 3.1: two relays",
    "Friction from two relays in the loop",
    shows=(
        "Among the advanced methods of identification the text names the two relays of Besancon-Voda and Besancon "
        "(1999), and says that a coarse position sensor and a bounded speed make such methods very difficult or "
        "impossible. Section 4.1 adds that the Stribeck effect biases them."
    ),
    basis="reconstruction",
    equations=("(28)",),
)
def two_relay_test(quick: bool) -> Finding:
    """The mass of Table 1 with perfect sensors, with and without a Stribeck effect; the actuator with its encoder."""
    run, (f_c, f_v) = _relayed(1.0, 1e-3)
    _, (biased, _) = _relayed(1.5, 0.1)
    _, (narrow, _) = _relayed(1.5, 1e-3)
    return Finding(
        text=(
            "One relay on the position and one on the speed make the mass swing by itself; two amplitudes of the "
            f"second, {DRIVES[0]:g} and {DRIVES[1]:g} N, give f_c = {f_c:.4f} N and f_v = {f_v:.3f} Ns/m by the first "
            "harmonic, of a mass that has 1 N and 0.4 Ns/m. With the encoder of the actuator the second relay switches "
            "late by a sample and a count, which feeds the swing just as friction is fed: what is found is no friction "
            "any more."
        ),
        claims=[
            number(
                "Coulomb friction of the mass of Table 1 by two relays",
                "1",
                f_c,
                "N",
                rule=ABOUT,
                otherwise="refuted",
                note="perfect sensors; f_s = f_c",
                where="Section 3.1",
            ),
            number(
                "viscous friction of the mass of Table 1 by two relays",
                "0.4",
                f_v,
                "Ns/m",
                rule=ABOUT,
                otherwise="refuted",
                note="the swing is no sine, hence the difference",
                where="Section 3.1",
            ),
            judged(
                "the Stribeck effect biases the Coulomb friction that relays find",
                VISIBLE,
                abs(biased - f_c),
                f"{biased:.4f} N with f_s = 1.5 N and the v_s = 0.1 m/s of Table 2, {f_c:.4f} N without",
                otherwise="refuted",
                note=f"with the v_s = 1 mm/s of Table 1 it is {narrow:.4f} N: too narrow to matter",
                where="Section 4.1",
            ),
            _coarse(quick),
        ],
        picture=plot_two_relays(run),
        alt=(
            "Position, speed and force of the mass under two relays: it swings steadily, the force jumps between four "
            "values, two for each side of the position, two for each sign of the speed."
        ),
        tables=[_table()],
    )


def _found(c: float, drives: tuple[float, float], coarse: bool, play: float) -> tuple[float, float]:
    return friction_of(drives, [relayed_rotor(c, d, coarse=coarse, play=play) for d in drives])


def _coarse(quick: bool) -> Claim:
    """Relays of many sizes on the actuator with its encoder."""
    random, held = np.random.default_rng(6), []
    for _ in range(8 if quick else 60):
        low = float(random.uniform(0.2, 0.5))
        drives = (low, low + float(random.uniform(0.1, 0.3)))
        c = drives[1] + float(random.uniform(0.2, 0.5))
        coulomb, _ = _found(c, drives, True, float(random.choice([0.0, 3.0])))
        held.append(not abs(coulomb / C_R - 1) < OFF)
    return share(
        "with a coarse encoder the method of two relays is very difficult or impossible",
        held,
        f"{len(held)} pairs of tests on the actuator (second relay from 0.2 to 0.8 N·m, the first 0.2 to 0.5 N·m above "
        "it, without play or with 3 rad) the Coulomb torque is more than 10 % off",
        because="some pairs of relays find it",
        where="Section 3.1",
    )


def _table() -> DataTable:
    """Coulomb and viscous friction of the actuator by perfect sensors, by the encoder, and with play."""
    rows: list[list[str | float]] = [["true", C_R, F_V]]
    for word, coarse, play in (
        ("perfect sensors", False, 0.0),
        ("encoder", True, 0.0),
        ("encoder and play", True, 3.0),
    ):
        rows.append([word, *_found(0.5, (0.2, 0.3), coarse, play)])
    return titled_table(
        "The actuator by two relays, 0.5 N·m and 0.2 and 0.3 N·m", ["", "Coulomb / N·m", "viscous / (N·m·s)"], rows
    )


@PAPER.item(
    "Section 3.1: power balance",
    "Friction from the balance of power",
    shows=(
        "The text names a least-squares method on an assessment of power (Nouailletas et al. 2008), which needs no "
        "difficult tuning of filters, and counts it among those that a coarse sensor makes very difficult."
    ),
    basis="reconstruction",
    equations=("(28)",),
)
def power_balance_test(quick: bool) -> Finding:
    """The rotor under two sines, read finely and by the encoder."""
    fine, coarse = power_test((6.0, 9.0), resolution=COUNT / 100), power_test((6.0, 9.0))
    rows: list[list[str | float]] = [
        [word, found["inertia"], found["viscous"], found["coulomb"]]
        for word, found in (
            ("true", {"inertia": J, "viscous": F_V, "coulomb": C_R}),
            ("5600 counts per turn", fine),
            ("56 counts per turn", coarse),
        )
    ]
    return Finding(
        text=(
            "Work and losses are balanced over windows of 50 ms, without any filter. From 2 s under two sines a sensor "
            f"of 5600 counts gives {fine['coulomb']:.4f} N·m and {fine['viscous']:.3g} N·m·s, the encoder of 56 counts "
            f"{coarse['coulomb']:.4f} N·m and {coarse['viscous']:.3g} N·m·s; true are {C_R:g} and {F_V:.3g}. The "
            "method weights samples by their speed, which spares it the worst of the encoder."
        ),
        claims=[
            judged(
                "the balance of power finds the parameters of (28) without filters to tune",
                ABOUT,
                max(abs(fine["inertia"] / J - 1), abs(fine["viscous"] / F_V - 1), abs(fine["coulomb"] / C_R - 1)),
                f"inertia {100 * (fine['inertia'] / J - 1):+.1f} %, viscous {100 * (fine['viscous'] / F_V - 1):+.1f} "
                f"%, Coulomb {100 * (fine['coulomb'] / C_R - 1):+.1f} % off, with 5600 counts per turn",
                otherwise="refuted",
                where="Section 3.1",
            ),
            _difficult(quick),
        ],
        tables=[titled_table("The rotor by the balance of power", ["", "J / kg·m²", "f_v / N·m·s", "C_r / N·m"], rows)],
    )


def _difficult(quick: bool) -> Claim:
    """Many pairs of sines and plays, read by the encoder."""
    random, held = np.random.default_rng(8), []
    for _ in range(8 if quick else 60):
        slow = float(random.uniform(4.0, 8.0))
        test = (slow, slow * float(random.uniform(1.3, 1.8)))
        try:
            found = power_test(test, play=float(random.uniform(0.0, 3.0)))
            held.append(not abs(found["coulomb"] / C_R - 1) < OFF)
        except sb.StribeckError:
            held.append(True)
    return share(
        "with a coarse encoder the balance of power is very difficult or impossible",
        held,
        f"{len(held)} tests on the actuator (two sines between 4 and 14 Hz, play of 0 to 3 rad) the Coulomb torque is "
        "more than 10 % off",
        because=(
            "samples are weighted by their speed, so that the encoder does little harm. The limits of speed and way of "
            "a real rig, which the text names as well, were kept to 0.5 N·m and 65 rad"
        ),
        where="Section 3.1",
    )
