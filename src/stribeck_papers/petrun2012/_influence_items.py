"""Section 6.1: which parameters of friction the clutch feels."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from ..paper import Finding, titled_table
from ..rules import MUCH
from ..scorecard import judged
from ._paper import PAPER
from .clutch import ClutchCycle, Lining, TestBed, validation_cycle

OF_CURVE, OF_BRISTLE = ("mu_c", "mu_s", "v_s"), ("sigma0", "sigma1", "kappa")


@PAPER.item(
    "Section 6.1",
    "What the clutch depends on",
    shows="of the tribological parameters only the friction coefficient over sliding speed is studied, as the one "
    "with the most influence; contact stiffness and damping are the other unknowns of the test bed",
    basis="reconstruction",
)
def section_6_1(quick: bool) -> Finding:
    """When the clutch has synchronised and when it breaks away, with each parameter changed."""
    effects = {name: _effect(name) for name in (*OF_CURVE, *OF_BRISTLE)}
    curve, bristle = (max(max(effects[name]) for name in names) for names in (OF_CURVE, OF_BRISTLE))
    return Finding(
        text="Each parameter of the lining is raised and lowered by 10 %. The table shows by how much that moves the "
        "end of synchronisation and break-away, rigid shafts.",
        claims=[
            judged(
                "the curve of the friction coefficient over sliding speed is the parameter with the most influence",
                MUCH,
                curve / bristle,
                f"20 % of a parameter of the curve move synchronisation or break-away by up to {1e3 * curve:.0f} ms, "
                f"of the bristle by up to {1e3 * bristle:.2g} ms",
                otherwise="refuted",
            )
        ],
        tables=[
            titled_table(
                "Shift from 0.9 to 1.1 times the parameter / ms",
                ["parameter", "synchronised", "break-away"],
                [[name, *(round(1e3 * shift, 4) for shift in pair)] for name, pair in effects.items()],
            )
        ],
    )


@cache
def _effect(name: str) -> tuple[float, float]:
    """By how much (s) synchronisation and break-away move between 0.9 and 1.1 times a parameter."""
    usual = Lining()
    low, high = (_times(replace(usual, **{name: part * getattr(usual, name)})) for part in (0.9, 1.1))
    return abs(high[0] - low[0]), abs(high[1] - low[1])


def _times(lining: Lining) -> tuple[float, float]:
    """When (s) the slip falls below 0.5 rad/s, and when it rises above it again."""
    run = validation_cycle(TestBed(lining=lining), flexible=False, tolerance=1e-8)
    down, up = (run.crossings("clutch.w_rel", 0.5, direction) for direction in (-1, +1))
    return float(down[0]), float(up[up > ClutchCycle().release[0]][0])
