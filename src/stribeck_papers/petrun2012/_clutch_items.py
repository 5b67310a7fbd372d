"""Section 6.3: all phases of the clutch on the test bed."""

from __future__ import annotations

from functools import cache
from math import pi

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, ZERO, Picture, label, legend_above, styled

from ..paper import Finding
from ..rules import MUCH, SAME
from ..scorecard import judged, number, statement, unchecked
from ._paper import PAPER
from .clutch import FORCE, RADIUS, ClutchCycle, Lining, TestBed, passing, validation_cycle

RPM = 30 / pi
TIGHT = 1e-11
THIN = {"arrowstyle": "-", "lw": 0.7, "color": ZERO}
LOCKED = (2.0, 6.0)
"""Times (s) between which both sides turn as one, with everything settled at the first."""


@cache
def cycle(flexible: bool = True) -> sb.Result:
    """The cycle on the test bed, with flexible or with rigid shafts."""
    return validation_cycle(flexible=flexible, tolerance=1e-9, intervals=20000)


@cache
def milestones() -> dict[str, float]:
    """When both sides have the same speed, and when they part (s), rigid shafts; the level is 0.5 rad/s."""
    bed = TestBed()
    found = {
        "E.clutch.t_sync(w_rel=0.5 down)": passing(bed, "clutch.w_rel", 0.5, -1, near=1.3, tolerance=TIGHT),
        "E.clutch.t_release(w_rel=0.5 up)": passing(bed, "clutch.w_rel", 0.5, +1, near=7.3, tolerance=TIGHT),
    }
    end = sb.simulate(bed.model(flexible=False), times=[0.0, 6.0], tolerance=TIGHT)
    return {**found, "E.clutch.wES(6s)": float(end["engine.w"][-1])}


def inside(run: sb.Result, first: float, last: float) -> np.ndarray:
    """Marks the times of a run between two."""
    return (run.time >= first) & (run.time <= last)


# --- Figure 7 --------------------------------------------------------------------------------------------------------


@PAPER.item(
    "Figure 7",
    "Speeds of both sides through all phases",
    shows="angular velocities of engine and brake side, measured and simulated: open, synchronisation, locked for some "
    "seconds, break-away while the normal force falls, and back to 500 rpm and rest",
    basis="reconstruction",
)
def figure_7(quick: bool) -> Finding:
    """Speeds over the cycle, and what the controller does to them."""
    run, times = cycle(), milestones()
    sync, release = (times[name] for name in list(times)[:2])
    locked = inside(run, *LOCKED)
    slip = RPM * float(np.abs(np.asarray(run["clutch.w_rel"])[locked]).max())
    engine, brake = (RPM * np.asarray(run[f"{side}.w"]) for side in ("engine", "brake"))
    idle = run.time < ClutchCycle().press[0]
    order = [ClutchCycle().press[0], sync, ClutchCycle().release[0], release, run.time[-1]]
    rest, held = abs(float(run["resistance.tau"][-1])), float(run["load"][-1])
    later, apart = delay(TestBed(lag=0.02)), delay(TestBed(Kp=3.5, Ki=28.0))
    lining = max(
        abs(delay(TestBed(lining=Lining(mu_c=0.225, mu_s=0.315)))), abs(delay(TestBed(lining=Lining(kappa=0.7))))
    )
    return Finding(
        text=f"The sides have the same speed {sync - order[0]:.3f} s after pressing begins and part at "
        f"{release:.3f} s, {release - order[2]:.3f} s after the force begins to fall. In between the discs differ by "
        f"{slip:.2g} rpm at most. Motor and controller determine when the motor answers to a load that has risen: a "
        f"lag of 20 ms of the motor shifts that by {1e3 * later:.1f} ms, softer gains by {1e3 * apart:.1f} ms, the "
        f"lining by {1e3 * lining:.1g} ms.",
        claims=[
            statement(
                "the cycle runs open, synchronisation, locked, break-away, released, in one run",
                order == sorted(order),
                f"pressed from {order[0]:g} s, same speed at {sync:.4f} s, force falls from {order[2]:g} s, break-away "
                f"at {release:.4f} s",
                note="the times are those of our course",
                otherwise="refuted",
            ),
            judged(
                "both discs rotate with the same speed in the locked phase",
                SAME,
                slip / 500.0,
                f"within {slip:.2g} rpm of each other from {LOCKED[0]:g} to {LOCKED[1]:g} s",
                note="what is left is the elastic motion of the bristles under the varying load",
                otherwise="refuted",
            ),
            number(
                "speed of the engine side after the cycle",
                "500",
                float(engine[-1]),
                "rpm",
                basis="put in",
                note=f"the set point of our controller; before the cycle {engine[idle].min():.0f} rpm",
                otherwise="refuted",
            ),
            number("speed of the brake side after the cycle", "0", float(abs(brake[-1])), "rpm", otherwise="refuted"),
            statement(
                "the load acts on the brake side only while that turns",
                rest < 1e-6 < held,
                f"{rest:.1g} N.m at rest, with a load of {held:g} N.m",
                otherwise="refuted",
                basis="put in",
            ),
            judged(
                "a delay in the response comes from motor and controller",
                MUCH,
                min(later, apart) / lining,
                f"{1e3 * later:+.1f} ms by a lag of 20 ms, {1e3 * apart:+.1f} ms by gains of 70 %, "
                f"{1e3 * lining:.1g} ms by the lining",
                note="until the motor gives half of a rise of the load; lining: 10 % less friction, or kappa 0.7",
                otherwise="refuted",
            ),
            unchecked(
                "very good agreement of measured and simulated speeds",
                "the measurements are in a figure that the text does not carry, and its parameters are not printed",
            ),
        ],
        picture=plot_speeds(run, sync, release),
        alt=f"Speeds of both sides over 10 s: 500 rpm and rest, equal from {sync:.2f} s on, apart again from "
        f"{release:.2f} s on; load and normal force below.",
        converged={name: (value, 1e-9) for name, value in times.items()},
    )


@cache
def delay(bed: TestBed) -> float:
    """By how much later (s) than on the usual test bed the motor answers to the load that has risen."""
    return answer(bed) - answer(TestBed())


@cache
def answer(bed: TestBed) -> float:
    """When (s) the motor gives 10 N.m after the load has risen from 5 to 15 N.m at 2.5 s."""
    times = [0.0, *np.linspace(2.5, 3.0, 1001)]
    run = sb.simulate(bed.model(flexible=False), times=times, tolerance=1e-9)
    return float(run.crossings("motor.tau", 10.0, +1)[-1])


@styled
def plot_speeds(run: sb.Result, sync: float, release: float) -> Picture:
    """Speeds of both sides, the course of load and force below."""
    picture = Picture(8.5, 4.6)
    speeds, course = picture.subplots(2, 1, sharex=True, height_ratios=[2, 1])
    speeds.plot(run.time, RPM * np.asarray(run["engine.w"]), color=COLORS[0], label="engine side")
    speeds.plot(run.time, RPM * np.asarray(run["brake.w"]), color=COLORS[1], ls="--", label="brake side")
    edges = [0.0, ClutchCycle().press[0], sync, release, run.time[-1]]
    for first, last, word in zip(edges[:-1], edges[1:], ("open", "synchronises", "locked", "released"), strict=True):
        speeds.axvline(first, color=ZERO, lw=0.7, ls=":")
        middle = (0.5 * (first + last), 250)
        if word == "synchronises":
            speeds.annotate(word, middle, (20, -30), textcoords="offset points", arrowprops=THIN)
        else:
            speeds.text(*middle, word, ha="center", va="center")
    course.plot(run.time, run["load"], color=COLORS[3])
    pressing = course.twinx()
    pressing.grid(False)
    pressing.spines["right"].set_visible(True)
    pressing.plot(run.time, np.asarray(run["clutch.fn"]) / 1e3, color=COLORS[2])
    pressing.set(ylim=(0, 2))
    pressing.set_ylabel(label("kN", "normal force"), color=COLORS[2])
    speeds.set_ylabel(label("rpm", "speed"))
    course.set(xlabel=label("s", "time"), xlim=(0, run.time[-1]), ylim=(0, 16))
    course.set_ylabel(label("N.m", "load"), color=COLORS[3])
    legend_above(speeds)
    picture.finish("Speeds on the test bed", None)
    return picture


# --- Figure 8 --------------------------------------------------------------------------------------------------------


@PAPER.item(
    "Figure 8",
    "Transmitted torque through all phases",
    shows="torques at the sensors of both shafts, measured and simulated: in the slip phase the product of normal "
    "force, geometry and friction coefficient, in the stick phase what the external load asks for",
    basis="reconstruction",
)
def figure_8(quick: bool) -> Finding:
    """Torque in slip against R F_n mu(v), in stick against the load."""
    run, rigid = cycle(), cycle(flexible=False)
    slip, most = off_the_product(rigid), rigid.extremes["clutch.tau"]["max"]
    alike, swing = likeness(rigid), float(np.ptp(np.asarray(rigid["load"])[inside(rigid, *LOCKED)]))
    harder = validation_cycle(TestBed(force=1.3 * FORCE), flexible=False, tolerance=1e-9, intervals=20000)
    less = float(
        np.abs(np.asarray(harder["clutch.tau"]) - np.asarray(rigid["clutch.tau"]))[inside(rigid, *LOCKED)].max()
    )
    release = milestones()["E.clutch.t_release(w_rel=0.5 up)"]
    falling = inside(rigid, ClutchCycle().release[0], release)
    tau, fn = (np.asarray(rigid[f"clutch.{name}"])[falling] for name in ("tau", "fn"))
    mu = float((tau / (RADIUS * fn)).max())
    peak = run.extremes["clutch.tau"]
    return Finding(
        text=f"While the clutch slips its torque is within {slip:.2g} N.m of R F_n mu(v), of up to {most:.1f} N.m; "
        f"while it is locked it follows the load (correlation {alike:.4f}), whatever the normal force: with 1.3 times "
        f"the force it changes by {less:.2g} N.m. Before it parts it uses a friction coefficient of {mu:.4f}. At the "
        f"end of synchronisation, where friction rises steeply, the flexible shafts ring ({peak['max']:.1f} N.m at "
        f"{peak['t_max']:.3f} s).",
        claims=[
            judged(
                "transmitted torque in the slip phase is normal force times geometry times friction coefficient",
                SAME,
                slip / most,
                f"within {slip:.2g} N.m of R F_n mu(v), of up to {most:.1f} N.m",
                note="sliding faster than 1 rad/s",
                otherwise="refuted",
            ),
            judged(
                "transmitted torque in the stick phase depends on the external load",
                SAME,
                1 - alike,
                f"correlation with the load {alike:.4f}, while that changes by {swing:g} N.m",
                otherwise="refuted",
            ),
            judged(
                "and not on the normal force",
                SAME,
                less / swing,
                f"changes by {less:.2g} N.m with 1.3 times the normal force",
                note="follows from what the paper says",
                otherwise="refuted",
            ),
            statement(
                "break-away occurs as the normal force is reduced",
                0.9 * Lining().mu_s < mu <= Lining().mu_s,
                f"coefficient of {mu:.4f} before it parts at {release:.4f} s, mu at rest is {Lining().mu_s:g}",
                otherwise="refuted",
            ),
            unchecked(
                "very good agreement of measured and simulated torques",
                "the measurements are in a figure that the text does not carry, and its parameters are not printed",
            ),
        ],
        picture=plot_torques(run),
        alt=f"Torques of both shafts over the cycle: up to {peak['max']:.0f} N·m at the end of synchronisation, then "
        "as the load, falling after break-away; below, the ringing of the shafts in detail.",
    )


def off_the_product(run: sb.Result, slow: float = 1.0) -> float:
    """Largest difference (N.m) between the torque and R F_n mu(v), sliding faster than `slow` (rad/s), rigid shafts."""
    w, tau, fn = (np.asarray(run[f"clutch.{name}"]) for name in ("w_rel", "tau", "fn"))
    return float(np.abs(tau - RADIUS * fn * coefficient(w))[w > slow].max())


def coefficient(w: np.ndarray) -> np.ndarray:
    """The Stribeck curve of the lining at a slip (rad/s)."""
    lining = Lining()
    mu: np.ndarray = lining.mu_c + (lining.mu_s - lining.mu_c) * np.exp(-RADIUS * np.abs(w) / lining.v_s)
    return mu


def likeness(run: sb.Result) -> float:
    """Correlation of torque and load while locked."""
    locked = inside(run, *LOCKED)
    return float(np.corrcoef(np.asarray(run["clutch.tau"])[locked], np.asarray(run["load"])[locked])[0, 1])


@styled
def plot_torques(run: sb.Result) -> Picture:
    """Torques at both sensors over the whole cycle, and the end of synchronisation in detail."""
    picture = Picture(8.5, 5.2)
    whole, detail = picture.subplots(2, 1, height_ratios=[3, 2])
    for axes in (whole, detail):
        axes.plot(run.time, run["engine_shaft.tau"], color=COLORS[0], label="engine side")
        axes.plot(run.time, run["brake_shaft.tau"], color=COLORS[1], ls="--", label="brake side")
        axes.set_ylabel(label("N.m"))
    slides = np.asarray(run["clutch.w_rel"]) > 1.0
    product = RADIUS * np.asarray(run["clutch.fn"]) * coefficient(np.asarray(run["clutch.w_rel"]))
    shown = np.where(slides, product, np.nan)
    whole.plot(run.time, shown, color=COLORS[2], lw=3, alpha=0.5, zorder=1, label=r"$R\,F_n\,\mu(v)$ while it slips")
    whole.annotate("the brake side stops:\nits load ends with it", (7.62, 2.0), (8.3, 9.0), arrowprops=THIN, size=8)
    whole.plot(run.time, run["load"], color=COLORS[6], lw=1, ls=":", label="load")
    whole.set(xlim=(0, run.time[-1]), ylim=(-1, 33))
    detail.set(xlim=(1.25, 1.45), xlabel=label("s", "time"))
    legend_above(whole)
    picture.finish("Torques at the sensors of both shafts", None)
    return picture
