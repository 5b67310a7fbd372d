"""A clutch that heats a plate."""

import stribeck as sb


def model() -> sb.Model:
    m = sb.Model("warm")
    shaft = m.add("shaft", sb.Inertia(J=1, w0=10))
    plate = m.add("plate", sb.ThermalMass(C=650))
    m.add("clutch", sb.Brake(shaft, law=sb.Coulomb(mu_c=0.3), fn_max=100, heat=plate))
    return m


def clutch(model: sb.Model) -> sb.Element:
    return model.elements["clutch"]
