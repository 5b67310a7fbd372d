"""Laws that stick: curves, windows, the threshold of viscous friction."""

import numpy as np
import pytest

import stribeck as sb
from stribeck.elements.domains import DOMAINS
from stribeck.errors import SpecError, UnitError
from stribeck.laws import Coulomb, CoulombViscous, FrictionTable, Karnopp, Stribeck, StribeckThreshold, Switch, Tanh


def numbers(law):
    return law.numbers(law.resolve({"load": "N.m", "disp": "rad", "vel": "rad/s"}, law.name))


def test_positive_slope(natives):
    """Friction of wet clutches rises with speed: static below kinetic is allowed."""
    law = Stribeck(mu_c=1, mu_s=0.8, v_s=0.1, exponent=1)
    assert natives["stribeck"].breakaway(numbers(law)) == 0.8
    assert natives["stribeck"].flow(numbers(law), 0.0)[0] == 0.8
    assert natives["stribeck"].flow_jac(numbers(law), 0.01)[1][0, 0] > 0


@pytest.mark.parametrize("exponent", [0.5, 1, 1.7, 2, 5])
def test_any_exponent(natives, exponent):
    p = numbers(Stribeck(exponent=exponent))
    for v in (1e-5, 1e-3, 3e-3):
        assert natives["stribeck"].flow(p, v)[0] == pytest.approx(
            1 + 0.5 * np.exp(-((v / 1e-3) ** exponent)), rel=1e-14
        )


def test_names_of_torques_and_forces():
    assert Stribeck(tau_c=0.5, tau_s=1, w_s=0.01, tau_v=0) == Stribeck(f_c=0.5, f_s=1, v_s=0.01, f_v=0)
    assert Karnopp(dw=0.1) == Karnopp(dv=0.1)
    assert Tanh(f_c=2, w_0=0.1) == Tanh(mu_c=2, v_0=0.1)
    assert CoulombViscous(tau_c=2) == CoulombViscous(mu_c=2)
    assert Coulomb(tau_c=2) == Coulomb(f_c=2)


def test_karnopps_window(natives):
    assert list(natives["karnopp"].stick(numbers(Karnopp(dv=0.02)))) == [0.02, 0, 0, 0]


def test_karnopp_drives_within_its_window():
    """A force of 1 N against the slip dv = 5 mm/s that is kept for 0.8 s: 4 mJ come from the contact, after the heat of
    slowing 1 kg from 10 to 5 mm/s; to 100 times the tolerance."""
    model = sb.Model("window")
    model.add("body", sb.Mass(m=1, v0=0.01))
    model.add("push", sb.Force("body", f=sb.Step(height=-1, start=0.2)))
    model.add("way", sb.Guide("body", law=Karnopp(mu_c=1, mu_s=1.5, dv=5e-3)))
    energy = sb.simulate(model, 1, tolerance=1e-9).energy
    heat, driven = 0.5 * (0.01**2 - 0.005**2), 0.8 * 5e-3
    assert energy.dissipated["way"] == pytest.approx(heat - driven, rel=1e-7)


class TestTable:
    def test_lines_between_points_go_on_outside(self, natives):
        p = numbers(FrictionTable(speed=[0, 1, 3], mu=[1, 1.4, 1.2], peak=1.5))
        native = natives["frictiontable"]
        friction = [native.flow(p, v)[0] for v in (-0.1, 0, 0.5, 1, 2, 3, 9, 15, 16)]
        assert friction == pytest.approx([0.96, 1, 1.2, 1.4, 1.3, 1.2, 0.6, 0, 0])
        slopes = [native.flow_jac(p, v)[1][0, 0] for v in (-0.1, 0, 0.5, 1, 3, 16)]
        assert slopes == pytest.approx([0.4, 0.4, 0.4, -0.1, -0.1, 0])
        assert native.breakaway(p) == 1.5

    def test_as_in_modelica(self, natives):
        """tau_pos = [0, 1; 1, 1.4] is 1 + 0.4 w at every speed."""
        p = numbers(FrictionTable(w=[0, 1], tau=[1, 1.4], peak=1.5))
        assert natives["frictiontable"].flow(p, 5.0)[0] == pytest.approx(3)

    def test_where_a_falling_line_ends(self):
        (warning,) = FrictionTable.checks(FrictionTable(speed=[0, 1, 3], mu=[1, 1.4, 1.2]).resolve({}, ""))
        assert "reaches 0 at the speed 15," in warning and "stays at 1.2" in warning
        assert FrictionTable.checks(FrictionTable().resolve({}, "")) == []

    def test_width_of_the_peak_at_rest(self):
        assert FrictionTable.peak_speed(FrictionTable(speed=[0, 0.2, 1], mu=[2, 1, 1]).resolve({}, "")) == 0.2
        assert FrictionTable.peak_speed(FrictionTable().resolve({}, "")) == np.inf

    def test_one_point_is_coulomb_friction(self, natives):
        p = numbers(FrictionTable(speed=[0], mu=[2], peak=1))
        assert natives["frictiontable"].flow(p, 7.0)[0] == natives["frictiontable"].breakaway(p) == 2
        assert np.isnan(natives["frictiontable"].flow(p, np.nan)[0])

    def test_many_points(self, natives):
        speeds = np.linspace(0, 1, 1001) ** 2
        values = 1 + np.sin(9 * speeds) / 2
        p = numbers(FrictionTable(speed=speeds, mu=values))
        for v in np.random.default_rng(1).uniform(0, 1, 200):
            assert natives["frictiontable"].flow(p, v)[0] == pytest.approx(np.interp(v, speeds, values), rel=1e-12)

    def test_units_of_the_place(self):
        assert numbers(FrictionTable(speed=[0, "60 rpm"], mu=["1 N.m", "2 kN.m"])) == pytest.approx(
            [1, 2, 0, 2 * np.pi, 1, 2000]
        )
        with pytest.raises(UnitError, match=r"frictiontable: mu\[1\] = '2 N' is not in units of N\.m"):
            numbers(FrictionTable(speed=[0, 1], mu=[1, "2 N"]))

    @pytest.mark.parametrize(
        ("given", "text"),
        [
            ({"speed": [0, 1], "mu": [1]}, "speed has 2 points and mu 1; give one friction for each speed"),
            ({"speed": [], "mu": []}, "speed = [] has no points"),
            ({"speed": [0, 1, 1], "mu": [1, 1, 1]}, "speed[2] = 1 comes after 1; speeds must increase"),
            ({"speed": [1, 2], "mu": [1, 1]}, "speed[0] = 1 must be 0: give the friction at rest"),
            ({"speed": [0, 1], "mu": [1, -1]}, "mu[1] = -1 must be at least 0"),
            ({"speed": [0, 1], "mu": [1, 1], "peak": 0.9}, "peak = 0.9 must be at least 1"),
            ({"speed": 3}, "speed = 3 must be a list of numbers"),
        ],
    )
    def test_faults(self, given, text):
        with pytest.raises(SpecError) as error:
            FrictionTable(**given)
        assert text in str(error.value)


class TestThreshold:
    """nouailletas2010, (48): f_v 240 = 0.17 N.m at 240 rad/s."""

    law = StribeckThreshold(tau_c=0.11, tau_s=0.14, tau_v=7.1746e-4, w_v=240)
    p = numbers(law)

    def test_jump_at_the_threshold(self, natives):
        flow = natives["stribeckthreshold"].flow
        assert list(flow(self.p, 239.9, [0, 0.3])) == pytest.approx([0.11, 0, 0])
        assert list(flow(self.p, 240.1, [2, 0.3])) == pytest.approx([0.11 + 7.1746e-4 * 240.1, 0, 0])

    def test_at_the_threshold_friction_takes_any_value_between(self, natives):
        """What is above the speed brakes more, at once and the longer the more."""
        flow = natives["stribeckthreshold"].flow
        for deviation in (-0.5, -1e-7, 0, 1e-7, 1):
            v = 240 * (1 + deviation)
            friction, _, rate = flow(self.p, v, [1, 0.25])
            share = min(max(0.25 + 1e5 * deviation, 0), 1)
            assert friction == pytest.approx(0.11 + share * 7.1746e-4 * v, rel=1e-8)
            assert rate == pytest.approx(1e9 * deviation, rel=1e-8)

    @pytest.mark.parametrize(
        ("zone", "v", "hold", "then"),
        [
            (0, 240.1, 0.3, 2),  # driven through
            (0, 240.1, 0.2, 1),  # driven up to it, not beyond
            (2, 239.9, 0.1, 0),  # falls through
            (2, 239.9, 0.2, 1),  # is caught at it
            (1, 240.01, 0.3, 2),  # leaves upwards
            (1, 239.99, 0.1, 0),  # leaves downwards
        ],
    )
    def test_zones(self, natives, zone, v, hold, then):
        """At the threshold it begins with the friction that keeps the speed."""
        native = natives["stribeckthreshold"]
        assert native.guard(self.p, v, [zone, 0], hold)[0] < 0
        state = native.jump(self.p, v, [zone, 0], hold, 0)
        assert state[0] == then
        if then == 1:
            assert native.flow(self.p, 240.0, state)[0] == pytest.approx(hold, rel=1e-3)

    def test_start(self, natives):
        assert [natives["stribeckthreshold"].steady(self.p, v)[0] for v in (0, 100, -300, 300)] == [0, 0, 2, 2]


def test_smooth_laws_saturate(natives):
    for law in (CoulombViscous(mu_c=2, v_0=0.1), Tanh(mu_c=2, v_0=0.1)):
        slope = natives[law.name].flow_jac(numbers(law), 0.0)[1][0, 0]
        assert slope == pytest.approx(2 * 2 / 0.1)
        assert natives[law.name].flow(numbers(law), 10.0)[0] == 2


def test_static_friction_follows_the_coulomb_friction_that_is_given_alone() -> None:
    """A machine of 0.3 N.m must not hold 1.5 N.m because one number was left out."""
    assert Switch().mu_s == 1.5
    assert Switch(mu_c=0.3).mu_s == pytest.approx(0.45, rel=1e-15)
    assert Switch(mu_c=2, mu_s=2).mu_s == 2
    assert sb.LuGre(mu_c="3 N.m").resolve(DOMAINS["rotational"].units, "").mu_s == 4.5
