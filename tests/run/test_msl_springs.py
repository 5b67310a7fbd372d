"""Examples of the Modelica Standard Library with the results that its makers publish (Dymola, DASSL, 1e-6)."""

from math import pi
from pathlib import Path

import numpy as np
import pytest

import stribeck as sb
from stribeck.elements import EddyCurrentBrake, ElastoBacklash, ElastoBacklash2, ElastoGap


def backlash() -> sb.Model:
    m = sb.Model("Rotational.Examples.Backlash")
    for name, kind, play in (
        ("springDamper", sb.SpringDamper, {}),
        ("elastoBacklash", ElastoBacklash, {"play": pi / 4}),
        ("elastoBacklash2", ElastoBacklash2, {"play": pi / 4}),
    ):
        wall = m.add(f"{name}_wall", sb.Fixed())
        body = m.add(f"{name}_body", sb.Inertia(J=5, phi0=pi / 2))
        m.add(name, kind(wall, body, c=20e3, d=50, **play))
    return m


def eddy_current_brake() -> sb.Model:
    m = sb.Model("Rotational.Examples.EddyCurrentBrake")
    shaft = m.add("inertia", sb.Inertia(J=1, w0=20))
    u = sb.Ramp(height=1, duration=0.1, start=0.1)
    rotor = m.add("heatCapacitor", sb.ThermalMass(C=1))
    m.add("brake", EddyCurrentBrake(shaft, tau_nominal=100, w_nominal=10, u=u, alpha=3.92e-3, heat=rotor))
    return m


def elasto_gap() -> sb.Model:
    m = sb.Model("Translational.Examples.ElastoGap")
    for name, kind, s_rel0 in (("springDamper", sb.SpringDamper, 1), ("elastoGap", ElastoGap, 1.5)):
        mass = m.add(f"{name}_mass", sb.Mass(m=1, s0=2))
        left, right = (m.add(f"{name}_{side}", sb.Position(s=s)) for side, s in (("left", -2), ("right", 2)))
        m.add(f"{name}1", kind(left, mass, c=10, d=1.5, s_rel0=s_rel0))
        m.add(f"{name}2", kind(mass, right, c=10, d=1.5, s_rel0=s_rel0))
    return m


NAMES = {"eddyCurrentTorque.lossPower": "brake.heat"}


@pytest.mark.parametrize("make", [backlash, eddy_current_brake, elasto_gap])
def test_every_common_signal_agrees(make, shared: Path) -> None:
    """Within 1e-4 of its range: a hundred times the tolerance of the others."""
    model = make()
    file = shared / "reference" / "msl" / model.name / f"{model.name.rpartition('.')[2]}.csv"
    names = file.read_text().partition("\n")[0].replace('"', "").split(",")
    data = np.loadtxt(file, delimiter=",", skiprows=1)
    times, rows = np.unique(data[:, 0], return_index=True)
    result = sb.simulate(model, times=times)
    for name, column in zip(names[1:], data[rows, 1:].T, strict=True):
        assert result[NAMES.get(name, name)] == pytest.approx(column, abs=1e-4 * np.ptp(column)), name
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput
