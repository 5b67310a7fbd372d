"""A motor that drives a wheel through a gear."""

import stribeck as sb


def model() -> sb.Model:
    m = sb.Model("gear")
    motor = m.add("motor", sb.Inertia(J=1, w0=30))
    wheel = m.add("wheel", sb.Inertia(J=1))
    m.add("pair", sb.Gear(motor, wheel, ratio=3))
    return m
