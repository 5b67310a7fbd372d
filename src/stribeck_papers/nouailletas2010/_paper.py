"""The paper itself: what it is, and how we read it."""

from ..paper import Paper
from ._equations import EQUATIONS

ACTUATOR = [
    "Sections of pistons, curves of springs and coefficients of friction of the actuator are not printed. Ours are "
    "those that the torques of Table 4 ask for, with mu_c = 0.1, sigma = 0.2, a compensator of 100 N/mm, an efficiency "
    "of 0.9 and 0.01 N·m for the motor (reconstruction).",
    "The range of 65 rad, 13.3 mm of the rack, is not printed; it makes the means of Table 5 those of the text.",
    "The controller of the position test is not printed. Ours is a PID controller on the encoder, every 1 ms, tuned "
    "on the bare rotor; its gains, the target and the friction are then drawn from stated ranges. There is no test "
    "bench: the whole mechanism replaces it, with the friction of the motor that the paper found (reconstruction).",
    "The LPV form of section 7 is not printed; ours is exact for the simple model.",
]

PAPER = Paper(
    key="nouailletas2010",
    authors="R. Nouailletas, E. Mendes, D. Koenig",
    title="Hybrid modeling and identification of dry friction systems, application to a clutch actuator",
    venue="Control Engineering Practice 18, 904-917",
    year=2010,
    summary=(
        "Dry friction as a machine with two modes: one slides on a Stribeck curve, the other is motionless, with or "
        "without an elastic displacement below break-away. The model is compared with LuGre and with elasto-plastic "
        "friction in stick-slip, in the limit cycle of a PID loop and under a force that vibrates below break-away; "
        "rules are given for its simulation parameters. It then describes a clutch actuator, whose friction depends on "
        "position and is identified with a coarse encoder."
    ),
    reading=[
        "The figures of the paper were not at hand, only its text: curves are judged by what the text and the captions "
        "say of them.",
        "The input force of Figure 8 is not printed. Ours rises to 0.7 N within 2 s and then swings by 0.2 N with a "
        "period of 2 s: below Coulomb friction, as the text asks for (reconstruction). Verdicts on Figure 7 rest on "
        "many such forces (ensemble).",
        "The target x_d of the controller is not printed; we take 1 m. The limit cycle does not depend on it. Its "
        "force is limited to the u_max = 2 N of Table 1.",
        "The ideal hybrid model, Sigma = 0 and p_0 infinite, is the law Stribeck with true stick; Hybrid has Sigma, "
        "Sigma_2 = 2 % of Sigma and p_0 as the paper has them, HybridPresliding is (14)-(18).",
        "The solver and its tolerances are not printed, only the largest step of 1 ms.",
        *ACTUATOR,
    ],
    equations=EQUATIONS,
    highlights=["Figure 16", "Section 2.2", "Figure 5", "Table 3", "Figure 7"],
)
