"""Names for examples of bench tests: a rotor in a bearing, seen by a coarse encoder."""

import numpy as np
from support.examples import once

import stribeck as sb
from stribeck.identify import BenchTest, Measurement, Swing, Tracking, VirtualBench, bench_test, swings

INERTIA = 1.32e-5


def rotor() -> sb.Model:
    model = sb.Model("rotor")
    body = model.add("rotor", sb.Inertia(J=INERTIA))
    model.add("bearing", sb.Bearing(body, law=sb.Switch(mu_c=0.11, mu_s=0.14, mu_v=7e-4)))
    model.add("motor", sb.Torque(body, tau=0.0))
    return model


def model() -> sb.Model:
    return rotor()


def bench() -> VirtualBench:
    return VirtualBench(rotor(), "motor.tau", "rotor.phi", encoder=56, sample_time="1 ms", limit="2 N.m")


def tracking() -> Tracking:
    return Tracking(inertia=INERTIA, bandwidth=60, friction=0.11)


@once
def ramps() -> Measurement:
    return bench().ramps(2, 30, rate=0.1, stride=1.0)


def record(ramps: Measurement) -> Measurement:
    return ramps


@once
def records() -> list[Measurement]:
    rig = bench()
    return [rig.sine(speed, swing=25, centre=32, tracking=tracking(), periods=3) for speed in (50, 100, 200)]


@once
def found() -> BenchTest:
    return bench_test(bench(), low=3, high=30, rates=(1.0, 0.4), speeds=(50, 100), degrees=(0, 0), periods=3)


def swing(records: list[Measurement]) -> Swing:
    return swings(records[0], trim=1.0)[0]


def t() -> np.ndarray:
    return 1e-3 * np.arange(800)
