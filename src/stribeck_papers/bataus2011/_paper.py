"""What the paper is and how it is read."""

from __future__ import annotations

from ..paper import Paper

PAPER = Paper(
    key="bataus2011",
    authors="Marius Bataus, Andrei Maciac, Mircea Oprean, Nicolae Vasiliu",
    title="Automotive Clutch Models for Real Time Simulation",
    venue="Proceedings of the Romanian Academy, Series A",
    year=2011,
    summary=(
        "Clutch models for hardware in the loop: Coulomb friction, Coulomb friction with a viscous transition, a "
        "hyperbolic tangent, the classic switch between two sets of equations, and Karnopp's window, the last two with "
        "static friction and the Stribeck effect. Each is in a powertrain with three degrees of freedom and is run "
        "with variable and with fixed steps of 1 ms; those that are good enough are timed on a real-time computer."
    ),
    reading=[
        "No parameter of the powertrain is printed. Ours are those of a medium class car, seen from the input of the "
        "gearbox: engine 0.2 kg·m² with 60 N·m, gearbox 0.05 kg·m², shaft 60 N·m/rad, car 0.65 kg·m² (1400 kg behind a "
        "ratio of 14), a clutch that slides with 250 N·m and holds 300 N·m, pressed from 0.2 s on within 1.5 s. What "
        "follows shows that the statements of the paper hold on such a powertrain, or do not; its figures cannot be "
        "compared.",
        "In the locked torque of Table 1 the term I1 T2 has the wrong sign, and in the locked equation b1 + b2 "
        "multiply the acceleration where the speed belongs. Both are read as the balance of momentum requires.",
        "Section 2.3 refers to Table 2 for the classic model; Table 1 is meant. Two equations have the number (6).",
        "Solvers with fixed steps are taken as Simulink's ode1 to ode5: Euler, Heun, Bogacki-Shampine, Runge-Kutta 4, "
        "Dormand-Prince, with modes seen at the ends of steps. Which of them belongs to which figure is not said.",
        "Adequate, noisy and divergent are judged by eye in the paper, by numbers here: errors within 5 % of the range "
        "of every speed and torque, jumps from step to step above 1 %, swings that grow.",
        "Figures 2, 4 and 7 are block diagrams and have no results.",
    ],
)
