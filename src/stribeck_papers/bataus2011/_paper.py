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
        "Solvers with fixed steps are taken as Simulink's ode1 to ode5: Euler, Heun, Bogacki-Shampine, Runge-Kutta 4, "
        "Dormand-Prince, with modes seen at the ends of steps. Which of them belongs to which figure is not said.",
        "Adequate, noisy and divergent are judged by eye in the paper, by numbers here: errors within 5 % of the range "
        "of every speed and torque, jumps from step to step above 1 %, swings that grow.",
        "What the paper leaves to typical parameters is also run on drawn powertrains: inertias, stiffness, torque, "
        "speed, clutch and time to close within the ranges of medium class cars.",
        "The figures are not in the text that we have; they are judged by their captions and by what the text says.",
    ],
    equations={
        "(1)": r"T_{fd} = com T_{fmaxd}",
        "(2)": r"T_{fs} = com T_{fmaxs}",
        "(3)": r"T_c = \begin{cases} T_{fd} sign(\omega_r) & \omega_r \neq 0 \\ T_{app} & \omega_r = 0 \end{cases}",
        "(4)": r"T_c = T_{fd} sign(\omega_r)",
        "(5)": r"T_c = \begin{cases} T_{fd} min(2 \omega_r/\omega_0, 1) & \omega_r \geq 0 "
        r"\\ T_{fd} max(2 \omega_r/\omega_0, -1) & \omega_r < 0 \end{cases}",
        "(6)": r"T_c = T_{fd} tanh \left( 2 \frac{\omega_r}{\omega_0} \right)",
        "(6')": r"T_f = T_{fd} + (T_{fs} - T_{fd}) e^{-(|\omega_r|/\omega_s)^i}",
        "Table 1, slip": r"I_1 \dot{\omega}_1 = T_1 - b_1 \omega_1 - T_c, "
        r"I_2 \dot{\omega}_2 = T_c - b_2 \omega_2 - T_2",
        "Table 1, stick": r"(I_1 + I_2) \dot{\omega} = T_1 - (b_1 + b_2) \omega - T_2, "
        r"T_c = \frac{I_2 T_1 + I_1 T_2 - (I_2 b_1 - I_1 b_2) \omega}{I_1 + I_2}",
    },
    highlights=["Table 2", "Table 1", "Section 4", "Section 3: degrees of freedom", "Figure 8"],
)
