"""Items of section 2.1: the equations of the clutches."""

from __future__ import annotations

import numpy as np

import stribeck as sb
from stribeck.style import Picture, legend_above, styled

from ..paper import Finding, titled_table
from ..rules import EXACT, MUCH, SAME
from ..scorecard import judged, number, statement
from ._paper import PAPER
from .clutch import one_way_clutch, synchronise, table_6, turned_back

DECLARED = ("mue_s", "mue_c", "ws", "sigma2", "sigma0", "sigma1", "sigma2", "zN", "cgeo", "fn_max")
"""Parameters in the listings ClutchLuGre and OneWayClutchLuGre, as printed."""
RULES = {"frozen": "as when it opened (listing)", "zero": "straight", "steady": "as they slide"}
START = {"rtol": 1e-10, "atol": 1e-14, "method": "Radau"}


def printed(w: float, z: float, force: float = 10.0) -> tuple[float, float]:
    """dz/dt and torque by (12)-(14) with Table 6."""
    p = table_6()
    g = (p.mu_c + (p.mu_s - p.mu_c) * np.exp(-((w / 1e-3) ** 2))) / p.sigma0
    dz = w - abs(w) / g * z
    return dz, (p.sigma0 * z + p.sigma1 * dz) * force


def as_printed(span: float, slip: float = 10.0) -> np.ndarray:
    """These between two bodies of 1 kg.m2 by SciPy: times (s), slip of b against a, torque; bristles begin as they
    slide."""
    from scipy.integrate import solve_ivp

    def right_hand_side(_: float, x: np.ndarray) -> list[float]:
        dz, tau = printed(*x)
        return [-2 * tau, dz]

    t = np.linspace(0, span, round(span * 1000) + 1)
    w, z = solve_ivp(right_hand_side, (0, span), [-slip, -5e-6], t_eval=t, **START).y
    return np.array([t, w, [printed(*x)[1] for x in zip(w, z, strict=True)]])


def gap(result: sb.Result, printed: np.ndarray) -> float:
    """Largest difference of the torques, away from the first instant."""
    return float(np.abs(result.at(printed[0][1:], "clutch.tau") - printed[2][1:]).max())


def peak(result: sb.Result) -> float:
    """Largest torque of the clutch (N.m)."""
    extremes = result.extremes["clutch.tau"]
    return max(extremes["max"], -extremes["min"])


@styled
def plot_rules(runs: dict[str, sb.Result]) -> Picture:
    """Torque after a clutch has closed, by the rule for its bristles; the time since then by its logarithm."""
    picture = Picture(8.5, 3.4)
    axes = picture.add_subplot()
    since = np.geomspace(1e-8, 1.3, 4000)
    for rule, words in (("frozen", "straight, as when it was open (listing)"), ("steady", RULES["steady"])):
        axes.loglog(since, np.abs(runs[rule].at(0.1 + since, "clutch.tau")), label=f"bristles begin {words}")
    axes.set(xlabel="time since it has closed / s", ylabel="torque / N·m", xlim=(1e-8, 1.3), ylim=(0.5, 1e5))
    legend_above(axes)
    return picture.finish("A clutch closes at once on 10 rad/s of slip", None)


@PAPER.item(
    "Section 2.1.1",
    "Clutch with LuGre friction",
    shows="equations (11) to (15): bristles under a normal force that a signal presses, bent at the start so that "
    "dz/dt is 0",
    equations=("(11)", "(12)", "(13)", "(14)", "(15)"),
)
def section_2_1_1(quick: bool) -> Finding:
    """A clutch closes on two bodies, with bristles that begin in three ways."""
    fine = 0.1 + np.geomspace(1e-8, 1.3, 3000)
    times = np.concatenate([[0.0], fine])
    runs = {rule: synchronise(engage=rule, times=times, tolerance=1e-9) for rule in RULES}
    start = synchronise(closes=0.0, tolerance=1e-10)
    apart = gap(start, as_printed(0.2 if quick else 1.5))
    straight = abs(printed(-10.0, 0.0)[1])
    slides = abs(start.at(0.5, "clutch.tau"))
    kick = {rule: peak(result) for rule, result in runs.items()}
    return Finding(
        text=(
            f"The clutch here and the printed equations integrated by SciPy differ by {apart:.1e} N·m. Bent as they "
            f"slide, bristles reach {peak(start):.4g} N·m. The listing bends them so only at time 0: a clutch that "
            "closes later finds them as they were when it opened, here straight, and begins with "
            f"{kick['frozen']:.0f} N·m = sigma1 w_r c_geo F_n, for some microseconds. This is where the peaks of the "
            "gearbox and of the car come from. Bristles that are bent as they slide at every closing have none."
        ),
        claims=[
            judged(
                "(11): a sliding clutch with mu = 0.5, c_geo = 1, F_n = 10 N has 5 N·m",
                SAME,
                slides / 5 - 1,
                f"{slides:.7g} N·m",
                printed="5 N·m",
                otherwise="refuted",
                basis="put in",
                where="Section 2.1.1, (11)",
            ),
            judged(
                "(12)-(14) give the torque of the clutch",
                SAME,
                apart / slides,
                f"{apart:.1e} N·m between our element and the printed equations by SciPy",
                otherwise="refuted",
                where="Section 2.1.1, (12)-(14)",
            ),
            judged(
                "(15): the normal force is F_max times the signal",
                EXACT,
                float(np.abs(np.asarray(start["clutch.fn"]) / 10.0 - np.asarray(start["clutch.f_normalized"])).max()),
                f"F_n = {start['clutch.fn'][-1]:g} N where the signal is {start['clutch.f_normalized'][-1]:g}",
                basis="put in",
                otherwise="refuted",
                where="Section 2.1.1, (15)",
            ),
            judged(
                "bristles that begin with dz/dt = 0 avoid a peak at the start",
                MUCH,
                straight / peak(start),
                f"{peak(start):.5g} N·m, straight ones {straight:.5g} N·m",
                otherwise="refuted",
            ),
            statement(
                "the listings of the clutches declare each parameter once",
                len(DECLARED) == len(set(DECLARED)),
                f"{len(DECLARED)} declarations of {len(set(DECLARED))} parameters",
                otherwise="misprint",
                because="sigma2 is declared twice, which Modelica does not allow",
                basis="arithmetic",
                where="Appendix",
                corrected="one declaration of sigma2",
            ),
        ],
        picture=plot_rules(runs),
        alt=(
            "Torque over the time since a clutch has closed on 10 rad/s: straight bristles begin with "
            f"{kick['frozen']:.0f} N·m and come down to 5 N·m within 10 µs, bent ones have 5 N·m at once."
        ),
        tables=[
            titled_table(
                "Largest torque when it closes at once at 0.1 s",
                ["bristles begin", "torque / N·m"],
                [[words, kick[rule]] for rule, words in RULES.items()],
            )
        ],
    )


@styled
def plot_one_way(rigid: sb.Result, bristles: sb.Result) -> Picture:
    """Speeds and torque of a one-way clutch."""
    picture = Picture(8.5, 4.4)
    above, below = picture.subplots(2, sharex=True)
    above.plot(rigid.time, rigid["shaft.w"], label="shaft")
    above.plot(rigid.time, rigid["wheel.w"], label="wheel")
    above.set_ylabel("speed / (rad/s)")
    below.plot(rigid.time, rigid["clutch.tau"], label="truly locked", linewidth=2.2, alpha=0.6)
    below.plot(bristles.time, bristles["clutch.tau"], "--", color="#333333", label="bristles, (16)", linewidth=1.0)
    below.set(xlabel="time / s", ylabel="torque / N·m")
    for axes in (above, below):
        legend_above(axes)
    return picture.finish("One-way clutch, pressed from 1 s on", None)


@PAPER.item(
    "Section 2.1.2",
    "One-way clutch with LuGre friction",
    shows="equation (16): backwards, where the bristle deflection is negative, a very strong clutch that c_max limits",
    equations=("(16)",),
)
def section_2_1_2(quick: bool) -> Finding:
    """The one-way clutch twisted until it yields, and compared with a clutch in parallel with a free-wheel."""
    cgeo = 0.14
    back, ahead = turned_back(), turned_back(backward=False)
    holds, slides = -back.extremes["sprag.tau"]["min"], ahead.extremes["sprag.tau"]["max"]
    small = {way: turned_back(cgeo=cgeo, backward=way == "min").extremes["sprag.tau"][way] for way in ("min", "max")}
    formula = 100 * table_6().mu_s * 10.0
    rigid, pair = one_way_clutch(), one_way_clutch(parallel=True)
    bristles = one_way_clutch(sb.LuGre(sigma0=1e5, sigma1=300, mu_c=0.1, mu_s=0.12))
    apart = float(np.abs(np.asarray(rigid["wheel.w"]) - np.asarray(pair["wheel.w"])).max())
    bent = -bristles.extremes["clutch.z"]["min"]
    literal = -turned_back(cgeo=cgeo, literally=True).extremes["sprag.tau"]["min"]
    together = float(((np.asarray(pair["clutch.mode"]) == 0) & (np.asarray(pair["free_wheel.mode"]) == 0)).mean())
    return Finding(
        text=(
            f"Backwards the element holds {holds:.4g} N·m, forwards it slides at {slides:.4g} N·m. As printed, (16) "
            f"leaves out c_geo: with c_geo = {cgeo} it would hold {formula / small['max']:.0f} times as much as "
            f"forwards, here {-small['min'] / small['max']:.0f} times. At z = 0 the printed torque jumps, because its "
            "part sigma1 dz/dt is multiplied by the large factor at once; here the factor changes where the torque "
            f"passes 0. It is a strong clutch and no lock: in the machine of the picture it is bent by {bent:.1e} "
            f"rad. A free-wheel and a clutch in parallel move the wheel alike to {apart:.0e} rad/s."
        ),
        claims=[
            number(
                "c_max: torque held backwards over that forwards",
                "100",
                holds / slides,
                basis="put in",
                otherwise="refuted",
                where="Section 2.1.2, (16)",
            ),
            judged(
                "(16): c_max mu_s F_max is the largest torque while locked, whatever c_geo is",
                SAME,
                literal / formula - 1,
                f"{literal:.6g} N·m with c_geo = {cgeo}, c_max mu_s F_max = {formula:g} N·m",
                otherwise="refuted",
                note="for slow twisting; (16) and the listing leave c_geo out. Our element has it, and holds "
                f"{-small['min']:.4g} N·m",
                where="Section 2.1.2, (16)",
            ),
            statement(
                "a free-wheel parallel to a clutch leaves the torque of each open",
                together > 0,
                f"both are locked at once in {100 * together:.0f} % of a run: one speed, two torques; only their sum "
                "follows from the motion",
                otherwise="refuted",
            ),
            statement(
                "the special element is needed to resolve that",
                apart > 1e-6,
                f"{apart:.1e} rad/s between the special element and the two in parallel",
                otherwise="overcome",
                because="the motion is not open: our solver takes the shares of least size and runs the pair as well",
            ),
        ],
        picture=plot_one_way(rigid, bristles),
        alt="Speeds of shaft and wheel, and torque of the one-way clutch between them, truly locked and with bristles.",
    )
