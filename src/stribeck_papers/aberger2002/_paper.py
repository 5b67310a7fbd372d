"""What the paper is, and how it is read here."""

from ..paper import Paper

BEARING = [
    "DASSL itself is not available. DDASPK, its successor by the same authors, runs the equations of the listing where "
    "it is installed (`pip install 'stribeck[dassl]'`, with a Fortran compiler), else IDA of SUNDIALS; relative and "
    "absolute tolerance are equal as in the footnote, and the code is restarted at every change of sign of dz/dt. "
    "First step, number of states and the band in which a sign does not count are free choices of the paper's tool, so "
    "claims are judged over scans of them.",
    "BearingFriction of the Modelica library with its table [0, 1; 1, 1.4] and peak 1.5 is the classic switch: stuck "
    "up to 1.5 N.m, then 1 + 0.4 |w|.",
]

CLUTCHES = [
    "The listings of the clutches bend bristles as they slide at time 0 only, and freeze them while a clutch is open: "
    'this is `engage="frozen"` here, and used where nothing else is said.',
    "Equation (16) of the one-way clutch and its listing leave out c_geo, and multiply the part sigma1 dz/dt at once "
    "where z changes its sign. Our element has c_geo; (16) literally is offered beside it.",
]

GEARBOX = [
    "The gears of Table 5 are those of a Simpson set. Its ratios (110/50 twice) and the shifts at 1.5 and 2.75 s are "
    "ours. Inertias, torque, load and pressures are not printed either: claims on Figures 8 to 14 are judged by the "
    "share of gearboxes drawn at random in which they hold, with the ranges in Section 2.2.1. Pictures show one.",
]

CAR = [
    "The gearbox of the car is read as a ZF 4HP22, whose public ratios follow from three planetary sets. Car, engine, "
    "converter, normal forces, pressures with a lag of 0.2 s and shift speeds that put one up-shift near 122 s are "
    "ours: a reconstruction. Items on peaks use pressures that jump.",
    "For DASSL in gearbox and car the same codes run on the equations of our kernel, with events located within their "
    "steps.",
]

CURVE = r"\left(\tau_C + (\tau_S - \tau_C) e^{-(\omega/\omega_s)^2}\right)"
EQUATIONS = {
    "(1)": r"\frac{dz}{dt} = \omega - \frac{|\omega|}{g(\omega)} z",
    "(2)": r"g(\omega) = \frac{1}{\sigma_0} " + CURVE,
    "(3)": r"\tau = \sigma_0 z + \sigma_1(\omega) \frac{dz}{dt} + \tau_v \omega",
    "(4)": r"\sigma_1(\omega) = \sigma_1 e^{-(\omega/\omega_d)^2}",
    "(5)": r"\sigma_1(\omega) = \sigma_1",
    "(6)": r"\sigma_1 \leq \frac{\tau_C \tau_v}{\tau_S - \tau_C}",
    "(7)": r"z_{ss} = \mathrm{sgn}(\omega) g(\omega)",
    "(8)": r"\tau_{ss} = " + CURVE + r" \mathrm{sgn}(\omega) + \tau_v \omega",
    "(9)": r"z_{neg} = \begin{cases} \text{true} & \frac{dz}{dt} < 0 \\ \text{false} & \text{otherwise} \end{cases}",
    "(10)": r"z_N \approx \frac{1}{\sigma_0}",
    "(11)": r"\tau = \mu(\omega_r) c_{geo} F_n",
    "(12)": r"\frac{dz}{dt} = \omega_r - \frac{|\omega_r|}{g(\omega_r)} z",
    "(13)": r"g(\omega_r) = \frac{1}{\sigma_0} \left(\mu_C + (\mu_S - \mu_C) e^{-(\omega_r/\omega_s)^2}\right)",
    "(14)": r"\tau = \left(\sigma_0 z + \sigma_1 \frac{dz}{dt} + \sigma_2 \omega_r\right) c_{geo} F_n",
    "(15)": r"F_n = F_{n max} u",
    "(16)": r"\tau = c_{max} \left(\sigma_0 z + \sigma_1 \frac{dz}{dt} + \sigma_2 \omega_r\right) F_{n max}",
}

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
    equations=EQUATIONS,
    highlights=("Section 1.3: compilers", "Table 2", "Section 2.2.2", "Section 2.2.1", "Section 1.2"),
)
