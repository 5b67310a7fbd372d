"""Machines that together hold every element, signal and law, for tests that must hold for all of them."""

from __future__ import annotations

from collections.abc import Callable

import stribeck as sb

MACHINES: dict[str, Callable[[], sb.Model]] = {
    name: lambda name=name: sb.load_model(name) for name in sb.shipped_models()
}
"""Machines by name: the shipped ones, and those that `machine` adds."""


def machine(build: Callable[[sb.Model], None]) -> Callable[[], sb.Model]:
    """Registers a function that fills a model of its name."""

    def model() -> sb.Model:
        m = sb.Model(build.__name__)
        build(m)
        return m

    MACHINES[build.__name__] = model
    return model


def soft_bristle(**changes: float) -> sb.LuGre:
    """LuGre friction with a wide Stribeck curve."""
    return sb.LuGre(**{"sigma0": 300.0, "sigma1": 5.0, "sigma2": 0.4, "mu_c": 0.8, "mu_s": 1.2, "v_s": 0.1} | changes)


@machine
def driveline(m: sb.Model) -> None:
    """Three inertias with every kind of rotational link, driven by every kind of signal."""
    wall = m.add("wall", sb.Fixed())
    motor = m.add("motor", sb.Inertia(J=0.5, w0=0.3))
    gear = m.add("gear", sb.Inertia(J=0.2, phi0=0.02))
    wheel = m.add("wheel", sb.Inertia(J=2.0))
    m.add("shaft", sb.SpringDamper(motor, gear, c=30.0, d=0.2))
    m.add("axle", sb.Spring(gear, wheel, c=20.0, phi_rel0=-0.02))
    m.add("mount", sb.Spring(wall, wheel, c=3.0))
    m.add("oil", sb.Damper(motor, wheel, d=0.1))
    m.add("air", sb.Damper(wheel, d=0.3))
    m.add("seal", sb.Bearing(motor, law=soft_bristle(mu_c=0.2, mu_s=0.3)))
    m.add("brake", sb.Bearing(wheel, law=sb.Switch(mu_c=0.6, mu_s=0.9, mu_v=0.2), load=sb.Sine(0.4, f=0.7, offset=1.0)))
    m.add("plain", sb.Bearing(gear, law=sb.Switch(mu_c=0.1, mu_s=0.1, mu_v=0.0)))
    m.add("constant", sb.Torque(motor, tau=0.4))
    m.add("step", sb.Torque(gear, tau=sb.Step(height=1.0, start=0.6)))
    m.add("ramp", sb.Torque(wheel, tau=sb.Ramp(height=1.5, duration=1.0, start=0.3)))
    m.add("sine", sb.Torque(motor, tau=sb.Sine(amplitude=3.0, f=0.6, phase=0.2)))
    m.add("table", sb.Torque(gear, tau=sb.Table(time=[0.0, 0.5, 1.1, 2.0], value=[0.0, 1.0, -1.0, 0.5])))


@machine
def slide(m: sb.Model) -> None:
    """Masses on guides of both laws behind a prescribed position, with forces."""
    shaker = m.add("shaker", sb.Position(s=sb.Sine(amplitude=0.2, f=0.8, phase=0.5)))
    table, tool = m.add("table", sb.Mass(m=2.0)), m.add("tool", sb.Mass(m=0.5, v0=-0.2))
    m.add("drive", sb.SpringDamper(shaker, table, c=40.0, d=1.0, s_rel0=0.02))
    m.add("clamp", sb.SpringDamper(table, tool, c=25.0, d=0.3))
    m.add(
        "way",
        sb.Guide(table, law=sb.Switch(mu_c=0.2, mu_s=0.3, mu_v=1.0), load=sb.Ramp(-8.0, duration=2.0, offset=20.0)),
    )
    m.add("chip", sb.Guide(tool, law=soft_bristle(), load=sb.Table(time=[0.0, 1.0, 2.0], value=[1.0, 2.0, 0.5])))
    m.add("cut", sb.Force(tool, f=sb.Sine(amplitude=2.0, f=0.9, offset=-1.0)))


@machine
def towed(m: sb.Model) -> None:
    """A prescribed speed that carries a body and friction itself, and pulls another body that sticks and slips."""
    drum = m.add("drum", sb.Speed(w=sb.Sine(amplitude=0.3, f=0.5, offset=0.5)))
    m.add("rim", sb.Inertia(J=0.4))
    m.connect("drum", "rim")
    load = m.add("load", sb.Inertia(J=1.0))
    m.add("rope", sb.SpringDamper(drum, load, c=8.0, d=0.2))
    m.add("drum_seal", sb.Bearing(drum, law=soft_bristle(mu_c=0.1, mu_s=0.2)))
    m.add("drum_brake", sb.Bearing(drum, law=sb.Switch(mu_c=0.3, mu_s=0.4), load=sb.Sine(0.5, f=0.6, offset=1.0)))
    m.add("floor", sb.Bearing(load, law=sb.Switch(mu_c=0.5, mu_s=0.8, mu_v=0.1)))


@machine
def twice_held(m: sb.Model) -> None:
    """Two locking bearings on one inertia, the motion of which either holds already, and one on its neighbour."""
    first, second = m.add("first", sb.Inertia(J=1.0)), m.add("second", sb.Inertia(J=0.5))
    m.add("shaft", sb.Spring(first, second, c=10.0))
    m.add("strong", sb.Bearing(first, law=sb.Switch(mu_c=2.0, mu_s=3.0, mu_v=0.1)))
    m.add("weak", sb.Bearing(first, law=sb.Switch(mu_c=1.0, mu_s=1.5, mu_v=0.2)))
    m.add("far", sb.Bearing(second, law=sb.Switch(mu_c=0.5, mu_s=0.5)))
    m.add("push", sb.Torque(first, tau=sb.Sine(amplitude=8.0, f=0.5)))
