"""What the paper is, and how it is read here."""

from ..paper import Paper

BEARING = [
    "Table 1 has sigma1 = 316.23, the listing of the model 316.22: Table 1 is used. Both round sqrt(sigma0 J).",
    "The scaling of the bristle deflection is z_N = 1e-5 = 1/sigma0, as in (10) and in the listing; the 1e5 in the "
    "text on Figure 5 is its inverse.",
    "DASSL is not available: IDA of SUNDIALS, which grew out of it (the same formulas of order 1 to 5), runs the "
    "equations of the listing, with relative and absolute tolerance equal as in the footnote, and is restarted at "
    "every change of sign of dz/dt. The first step is a free choice of such a code, so claims at a loose tolerance "
    "are judged over a range of first steps.",
    "BearingFriction of the Modelica library with its table [0, 1; 1, 1.4] and peak 1.5 is the classic switch: stuck "
    "up to 1.5 N.m, then 1 + 0.4 |w|.",
]

CLUTCHES = [
    "The listings of the clutches bend bristles as they slide at time 0 only, and freeze them while a clutch is open: "
    'this is `engage="frozen"` here, and used where nothing else is said. Both listings declare sigma2 twice.',
    "Equation (16) of the one-way clutch lacks c_geo; our element has it.",
]

GEARBOX = [
    "The gears of Table 5 are those of a Simpson set. Its ratios (110/50 twice), the torque of the engine (2 N.m), the "
    "load (0.05 N.m.s/rad), the shifts at 1.5 and 2.75 s and pressures that rise within 0.1 s and fall at once are "
    "ours: a reconstruction, which can show that a statement is sensible, not that it is right.",
    "Inertias are not printed either. With 1 kg.m2 at the engine, 0.1 at each member and 5 at the load nearly all "
    "statements on Figures 9 to 14 come true; with a tenth of that and less (the converged values) some do not. "
    "Section 2.2.1 counts how often each is true in gearboxes drawn at random.",
]

CAR = [
    "The gearbox of the car is read as a ZF 4HP22, whose public ratios follow from three planetary sets. Car, engine, "
    "converter, normal forces, pressures with a lag of 0.2 s and shift speeds that put one up-shift near 122 s are "
    "ours: a reconstruction. Items on peaks use pressures that jump.",
    "For DASSL in gearbox and car CVODE of SUNDIALS is used, of the same formulas, on the equations of our kernel.",
]

PAPER = Paper(
    key="aberger2002",
    authors="M. Aberger, M. Otter",
    title="Modeling Friction in Modelica with the Lund-Grenoble Friction Model",
    venue="2nd International Modelica Conference, Oberpfaffenhofen, pp. 285-294",
    year=2002,
    summary=(
        "Bearing, clutch and one-way clutch with LuGre bristles are written in Modelica and compared with the friction "
        "elements of the Modelica library, which stick truly. A mass that a spring pulls over a rubbing bearing shows "
        "what integrators make of bristles: scaling, events, tolerances, fixed steps. A gearbox with three gears and a "
        "car with an automatic gearbox show what happens where several such clutches act on each other."
    ),
    reading=[*BEARING, *CLUTCHES, *GEARBOX, *CAR],
)
