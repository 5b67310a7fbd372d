"""Figures 3 and 4: the rig, and stick-slip of the hybrid model and of LuGre."""

from __future__ import annotations

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..rules import EXACT, VISIBLE, WITHIN
from ..scorecard import Claim, judged, statement
from ._cycle_pictures import plot_figure_4
from ._cycles import AS_STIFF, STIFFNESSES, TIGHT, apart, fits, force_at_peak, slip_period
from ._paper import PAPER
from .friction import hybrid, hybrid_presliding, ideal, lugre, pulled, stick_slip


@PAPER.item(
    "Figure 3",
    "The rig of the stick-slip test",
    shows="A mass on a guide with friction, pulled by a spring K whose other end y moves at a constant speed.",
    equations=("(4)",),
)
def figure_3(quick: bool) -> Finding:
    """The simulated machine as a diagram, and the force of its spring."""
    run = stick_slip(hybrid())
    stretch = 0.1 * run.time - np.asarray(run["mass.s"])
    off = float(np.abs(-np.asarray(run["spring.f"]) - 2.0 * stretch).max())
    return Finding(
        text="The machine as it is simulated here, with K = 2 N/m and a pull of 0.1 m/s of Table 1.",
        claims=[
            judged(
                "the input force is u = K (y - x)",
                EXACT,
                off / 1.5,
                f"the force of the spring differs from it by at most {off:.1g} N of 1.5 N",
                printed="K (y - x)",
                otherwise="refuted",
                basis="put in",
                where="Section 2.3.1",
            )
        ],
        picture=sb.analysis.draw(pulled(hybrid())),
        alt="A block that moves at constant speed pulls a mass by a spring; the mass slides on a guide with friction.",
    )


@PAPER.item(
    "Figure 4",
    "Stick-slip of a mass on a spring",
    shows=(
        "The mass of Figure 3 is pulled by a spring at 0.1 m/s. The hybrid model without presliding (solid) and LuGre "
        "(dashed) give the same behaviour, not quite at the same times. The text lays the difference to presliding, "
        "and says that it is gone with bristles of 1e8 N/m."
    ),
    equations=("(4)", "(5)", "(12)"),
)
def figure_4(quick: bool) -> Finding:
    """Both models, the hybrid model with presliding, and LuGre with stiffer bristles."""
    ours, theirs, presliding = (
        stick_slip(law, tolerance=TIGHT) for law in (ideal(), lugre(), hybrid_presliding(AS_STIFF))
    )
    period, bristle, elastic = slip_period(ours), slip_period(theirs), slip_period(presliding)
    needed = force_at_peak(theirs, "spring.f")
    corrected = slip_period(stick_slip(ideal(needed)))
    runs = {stiffness: stick_slip(lugre(stiffness), tolerance=TIGHT, scanned=True) for stiffness in STIFFNESSES}
    claims = [
        judged(
            "the hybrid model does not fit LuGre perfectly",
            VISIBLE,
            apart(ours, theirs) / float(np.ptp(np.asarray(ours["mass.s"]))),
            f"up to {apart(ours, theirs):.2g} m apart in 28 s; periods of {period:.4f} s and {bristle:.4f} s",
            otherwise="refuted",
        ),
        *_behaviour(ours),
        statement(
            "the small difference from LuGre is due to presliding",
            abs(elastic - bristle) < 0.5 * abs(period - bristle),
            f"hybrid {period:.4f} s, hybrid with presliding {elastic:.4f} s, LuGre {bristle:.4f} s",
            otherwise="refuted",
            because=(
                "presliding as stiff as LuGre's changes the period by "
                f"{1e3 * abs(elastic - period):.1f} ms of {1e3 * abs(period - bristle):.0f} ms. LuGre breaks away at a "
                f"force of {needed:.4f} N instead of 1.5 N, because its limit falls with the speed at which the "
                f"bristles are bent; the hybrid model with f_s = {needed:.4f} N has a period of {corrected:.4f} s. "
                "Stiffer bristles bend more slowly, hence the next row"
            ),
        ),
        fits("with sigma_0 = 1e8 and sigma_1 = sqrt(1e8) the hybrid model fits LuGre perfectly", ours, runs[1e8]),
    ]
    peaks = {stiffness: run.extremes["friction.f"]["max"] for stiffness, run in runs.items()}
    table = titled_table(
        "Stiffer bristles",
        [
            "sigma_0 / (N/m)",
            "sigma_1 / (Ns/m)",
            "period / s",
            "from hybrid / ms",
            "break-away / N",
            "farthest apart / m",
        ],
        [
            [s, s**0.5, slip_period(run), 1e3 * (slip_period(run) - period), peaks[s], apart(ours, run)]
            for s, run in runs.items()
        ],
    )
    return Finding(
        text=(
            f"The ideal hybrid model has a period of {period:.6f} s, LuGre one of {bristle:.6f} s. Presliding in the "
            f"hybrid model leaves its period at {elastic:.4f} s: the difference is that of the forces at which they "
            f"break away, 1.5 N and {needed:.4f} N. With 1e8 N/m LuGre comes within "
            f"{1e3 * abs(slip_period(runs[1e8]) - period):.1f} ms of the hybrid model."
        ),
        claims=claims,
        picture=plot_figure_4(ours, theirs, [(s, slip_period(run)) for s, run in runs.items()], period),
        alt=(
            f"Position and speed of the mass over 28 s: both models stick and slip, the hybrid model every "
            f"{period:.2f} s, LuGre every {bristle:.2f} s. Right: the difference of the periods falls as the bristles "
            "become stiffer, from 0.15 s at 1e5 N/m to a few milliseconds at 1e8 N/m."
        ),
        tables=[table],
        converged={
            "F.hybrid_ideal.stickslip.period": period,
            "F.hybrid_ideal.stickslip.t_cross_vp[0]": ours.crossings("mass.v", 0.1, +1)[0],
        },
    )


def _behaviour(result: sb.Result) -> list[Claim]:
    """When the mass starts and when it stops, by the force of the spring."""
    force = {
        word: [-result.at(e.time, "spring.f") for e in result.events if e.to == word] for word in ("Forward", "Stuck")
    }
    starts, stops = force["Forward"], force["Stuck"]
    return [
        statement(
            "the mass slides when the spring force exceeds stiction",
            bool(np.allclose(starts, 1.5, rtol=0, atol=1e-6)),
            f"break-away {len(starts)} times, each at {np.mean(starts):.4f} N",
            otherwise="refuted",
        ),
        judged(
            "it stops when the spring force has fallen below Coulomb friction",
            WITHIN,
            max(max(stops) - 1.0, 0.0),
            f"it stops {len(stops)} times, each at {np.mean(stops):.4f} N",
            otherwise="refuted",
        ),
    ]
