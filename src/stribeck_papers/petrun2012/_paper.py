"""What the paper is, and how we read it."""

from __future__ import annotations

from ..paper import Paper

PAPER = Paper(
    key="petrun2012",
    authors="T. Petrun, M. Kegl, J. Flašker",
    title="Development and validation of a friction model for simulation of friction clutch dynamics in a multi-body "
    "system",
    venue="WIT Transactions, University of Maribor and AVL-AST",
    year=2012,
    summary="Dupont's elasto-plastic friction, a bristle that does not creep below break-away, is modified until it "
    "serves as the joint of a clutch in a multi-body code. It is tried on a mass on a moving belt, and compared with "
    "measurements on a test bed with two motors, two shafts and two discs that goes through all phases of a clutch: "
    "open, synchronising, locked under a varying load, released.",
    reading=[
        "The modification of alpha(z, v) is in another paper that was not available. Ours is the reconstruction kappa: "
        "the bristle is elastic up to the share 0.8 of the steady deflection g(v) and slides fully at g(v), so that "
        "steady sliding follows the Stribeck curve at every speed and load.",
        "There is no viscous term in (3), so sigma2 = 0.",
        "Belt: mass, stiffness, damping and speeds are printed; friction is not. The Stribeck curve is ours (1 N at "
        "high, 2 N at low speed, 0.5 m/s, exponent 1), as are sigma0 = 1e4 N/m and sigma1 = 100 N.s/m. The bristle "
        "starts bent as in steady sliding; a straight one would begin with 100 N.",
        "Constant friction: that Figure 5 shows no sticking bounds it by 1.079 N; we take 1 N.",
        "Test bed: only the speed of 500 rpm and the order of the phases are printed. Inertias, shafts, lining, "
        "controller and the course of load and normal force are ours, within what such a test bed would have.",
        "Exudyn replaces AVL EXCITE. The paper does not say how its two codes exchanged values, so three ways "
        "are tried; the normal force is a function of time within the joint.",
        "The figures are not in the text that we have, so they are judged by what the text says about them.",
        "What depends on friction that is not printed is run on drawn belts: Stribeck curve and bristle within the "
        "ranges that Figure 6 states.",
    ],
    equations={
        "(1)": r"F_{Cf} = F_n \mu",
        "(2)": r"x = z + \omega",
        "(3)": r"F_{EPf} = F_n (\sigma_0 z + \sigma_1 \dot{z})",
        "(4)": r"\dot{z} = v \left( 1 - \alpha(z, v) \frac{sign(v)}{g(v)} z \right)",
        "(5)": r"g(v) = \frac{1}{\sigma_0} f_{SS}",
    },
    highlights=["Section 4", "Equation 4", "Section 2", "Figure 6", "Section 5"],
)
