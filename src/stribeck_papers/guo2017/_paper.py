"""What the paper is and how it is read."""

from __future__ import annotations

from ..paper import Paper

PAPER = Paper(
    key="guo2017",
    authors="Guo Jing-hao, Dong Quan-lin",
    title="A Simplified LuGre Model",
    venue="Beihang University, Beijing",
    year=2017,
    summary=(
        "A bristle model between Dahl's and LuGre's: the Stribeck curve is replaced by two straight pieces, one that "
        "leads from static to Coulomb friction within a small speed, one for viscous friction beyond it. Four models "
        "(Dahl, Dahl with static friction below a speed limit, LuGre, the new one) are run on a mass that is pulled by "
        "a spring, and the periods of the stick-slip are compared."
    ),
    reading=[
        "No parameter is printed. The rig is the usual one of this experiment (m = 1 kg, k = 2 N/m, pulled at 0.1 m/s; "
        "sigma0 = 1e5 N/m, sigma1 = sqrt(1e5) N·s/m, Coulomb friction 1 N, static friction 1.5 N, Stribeck speed "
        "1 mm/s); sigma2 = 0.5 N·s/m and the speed limit 0.01 m/s are the round numbers next to the pair that gives "
        "two of the three periods, which Section III solves for. The third period is what is left as a test.",
        "(1) has sigma0 twice. It is read as dF/dt = sigma0 (v - |v| F/F_c) with F = sigma0 z, which has the stiffness "
        "sigma0.",
        "F in the rates of (2) and (4) is the whole friction, as printed. It contains dz/dt, so each of them is an "
        "equation for dz/dt, linear, and solved in closed form here; as a block diagram it is an algebraic loop.",
        "sigma2 in s(|v|) of (4) is in a place that needs a number per speed; it is read as sigma2/F_c, which is the "
        "same for F_c = 1 N.",
        "Text and captions of Figures 7 and 8 are exchanged: Figure 7 shows the results of the simplified model, "
        "Figure 8 its block diagram.",
    ],
)
