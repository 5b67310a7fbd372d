"""A model with a named signal."""

import stribeck as sb


def model() -> sb.Model:
    m = sb.Model("loop")
    mass = m.add("mass", sb.Inertia(J=1))
    error = m.signal("error", 1 - mass.sensor("phi"))
    m.add("motor", sb.Torque(mass, tau=30 * error))
    return m
