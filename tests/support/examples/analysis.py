"""Names for examples of the analysis: the stick-slip rig linearised, with fixed steps, and under two laws."""

from typing import Any

import numpy as np
from support.examples import once

import stribeck as sb
from stribeck.analysis.fixed_step.advice import Advice, advise
from stribeck.analysis.fixed_step.contacts import FrictionContact, run_with_contacts
from stribeck.analysis.fixed_step.limits import Stiffness, machine_limits
from stribeck.analysis.fixed_step.verdict import MethodVerdict


@once
def observed() -> tuple[sb.Result, list[FrictionContact]]:
    """Ten seconds with a sample every millisecond."""
    model = sb.load_model("stick-slip")
    return run_with_contacts(model, sb.compile_model(model), h=1e-3, steps=10000)


def reference(observed: tuple[sb.Result, list[FrictionContact]]) -> sb.Result:
    return observed[0]


def contact(observed: tuple[sb.Result, list[FrictionContact]]) -> FrictionContact:
    return observed[1][0]


def advice(contact: FrictionContact) -> Advice:
    return advise(contact, 1e-3)[0]


@once
def points(observed: tuple[sb.Result, list[FrictionContact]], program: sb.Program) -> list[Stiffness]:
    return machine_limits(program, observed[0].events, span=10.0)[0]


def limits(points: list[Stiffness]) -> list[Stiffness]:
    return points


def limit(limits: list[Stiffness]) -> Stiffness:
    return limits[0]


@once
def report() -> sb.analysis.RealtimeReport:
    return sb.load_model("stick-slip").check_realtime("1 ms")


def verdict(report: sb.analysis.RealtimeReport) -> MethodVerdict:
    return report.verdict("resolvent")


@once
def linear() -> sb.analysis.LinearModel:
    return sb.load_model("stick-slip").linearize(at=2.0, inputs=["pull"], outputs=["mass.w", "friction.tau"])


def machine(program: sb.Program) -> Any:
    machine = program.machine()
    machine.start(0.0, program.y0)
    return machine


def changing(program: sb.Program) -> np.ndarray:
    """Which states change: all."""
    return np.ones(len(program.state_names), bool)


@once
def comparison() -> sb.analysis.Comparison:
    return sb.analysis.compare(sb.load_model("stick-slip"), ["LuGre", "Switch"])


@once
def bench() -> sb.analysis.LawBench:
    return sb.analysis.LawBench(sb.LuGre())


def rattling() -> sb.Model:
    """A slider between two stops, shaken at 50 Hz."""
    m = sb.Model("rattle", t_end=2)
    slider = m.add("slider", sb.Mass(m=1))
    m.add("shaker", sb.Force(slider, f=sb.Sine(amplitude=100, f=50)))
    m.add("stop", sb.Stop(slider, s_min=-1e-6, s_max=1e-6))
    return m
