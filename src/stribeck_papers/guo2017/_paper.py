"""What the paper is and how it is read."""

from __future__ import annotations

from ..paper import Paper

RATES = r"F = \sigma_0 z + \sigma_1 \frac{dz}{dt} + \sigma_2 v"

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
        "The figures are not in the text that we have; they are judged by their captions and by what the text says.",
        "No parameter is printed. The rig is the usual one of this experiment (m = 1 kg, k = 2 N/m, pulled at 0.1 m/s; "
        "sigma0 = 1e5 N/m, sigma1 = sqrt(1e5) N·s/m, Coulomb friction 1 N, static friction 1.5 N, Stribeck speed "
        "1 mm/s); sigma2 = 0.5 N·s/m and the speed limit 0.01 m/s are the round numbers next to the pair that gives "
        "two of the three periods, which Section III solves for.",
        "Section III also draws rigs: stiffness, pull, speed limit, sigma2 and Stribeck speed within the ranges that "
        "it states, those that give the three printed periods being solved for.",
        "F in the rates of (2) and (4) is the whole friction, as printed. It contains dz/dt, so each of them is an "
        "equation for dz/dt, linear, and solved in closed form here; as a block diagram it is an algebraic loop.",
    ],
    equations={
        "(1)": r"\frac{dz}{dt} = v - \frac{|v|}{F_c} F, F = \sigma_0 z",
        "(2)": r"\frac{dz}{dt} = v \left( 1 - \frac{h(|v|) sgn(v)}{F_s} F \right), "
        + RATES
        + r", h(|v|) = \begin{cases} 1 & |v| \leq \Delta v \\ F_s/F_c & |v| > \Delta v \end{cases}",
        "(3)": RATES + r", \frac{dz}{dt} = v - \frac{|v|}{g(v)} z, "
        r"g(v) = \frac{1}{\sigma_0} \left( F_c + (F_s - F_c) e^{-(v/v_s)^2} \right)",
        "(4)": r"\frac{dz}{dt} = v \left( 1 - \frac{s(|v|) sgn(v)}{F_s} F \right), "
        + RATES
        + r", s(|v|) = \begin{cases} 1 + \frac{|v|}{\Delta v} \left( \frac{F_s}{F_c} - 1 \right) & |v| \leq \Delta v "
        r"\\ \frac{F_s}{F_c} - \frac{\sigma_2}{F_c} (|v| - \Delta v) & |v| > \Delta v \end{cases}",
    },
    highlights=["Section III", "Equation 4", "Section IV", "Figure 8", "Figure 4"],
)
