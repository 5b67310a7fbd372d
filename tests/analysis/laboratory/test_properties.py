"""The probes find what is known."""

import numpy as np
import pytest
from support import law_properties

import stribeck as sb
from stribeck import laws
from stribeck.analysis.laboratory.bench import LawBench
from stribeck.analysis.laboratory.properties import PROBES, PROPERTIES, friction_properties
from stribeck.analysis.laboratory.sines import CYCLE, cycle_lag
from stribeck.errors import SimulationError
from stribeck.laws import all_laws
from stribeck.results import Result, ResultMeta


def has(law):
    return [name for name, verdict in friction_properties(law).items() if verdict.has]


def test_seven_probes():
    assert len(PROBES) == 7
    assert all(probe.criterion for probe in PROBES.values())


def test_what_is_known_of_the_switch():
    assert has(sb.Switch()) == ["stiction", "viscous friction"]


def test_what_is_known_of_lugre():
    """It drifts under vibration (Dupont 2000), lags in sliding, and has no nonlocal memory (nouailletas2010)."""
    assert has(sb.LuGre()) == ["frictional memory", "presliding", "Stribeck effect", "viscous friction"]


def test_a_flat_lugre_has_no_stribeck_effect_and_no_memory():
    assert has(sb.LuGre(mu_c=1.5, mu_s=1.5)) == ["presliding", "viscous friction"]


def test_the_verdicts_hold_for_another_size():
    """A hundred times the friction and another stiffness: the experiments follow the law."""
    assert has(sb.LuGre(mu_c=100, mu_s=150, sigma0=1e6, sigma1=1e3, v_s=0.01)) == has(sb.LuGre())


class Aged(LawBench):
    """A contact that presses harder with time, as a rest makes it stick harder."""

    def towed(self, speed, times, start=None):
        model = sb.Model("towed")
        model.add("drive", sb.Speed(v=speed))
        model.add("body", sb.Mass(m=1))
        model.add("spring", sb.Spring("drive", "body", c=10))
        load = sb.Table(time=[5, 1005], value=[1.0, 1.2])
        model.add("guide", sb.Guide("body", law=self.law, load=load))
        return sb.simulate(model, times=times, start=start)


def test_rising_static_friction_is_found_where_it_is():
    assert PROBES["rising static friction"](Aged(sb.Switch())).has


def test_scatter_is_no_lag():
    """Friction that changes from cycle to cycle, as that of bristles which are renewed, lags behind nothing."""
    phase = np.linspace(0, 4 * np.pi, 2 * CYCLE + 1)
    lagging = 1 + 0.1 * np.cos(phase)
    assert cycle_lag(lagging) == pytest.approx(0.2, rel=1e-2)
    assert cycle_lag(lagging + 0.2 * np.sin(3.3 * phase)) == 0


class Blocks(LawBench):
    """Masing's model: small blocks that stick and slide behind springs side by side, which has nonlocal memory."""

    def at_speed(self, speed, times):
        model = sb.Model("prescribed speed")
        model.add("drive", sb.Speed(v=speed))
        return self._with_blocks(model, times)

    def under_force(self, forces, times):
        model = sb.Model("prescribed force")
        model.add("drive", sb.Mass(m=1))
        for number, force in enumerate(forces):
            model.add(f"force{number}", sb.Force("drive", f=force))
        return self._with_blocks(model, times)

    def _with_blocks(self, model, times):
        for k in range(5):
            block = model.add(f"block{k}", sb.Mass(m=1e-4))
            model.add(f"spring{k}", sb.SpringDamper("drive", block, c=1e3, d=0.2))
            model.add(f"slide{k}", sb.Guide(block, law=laws.Coulomb(mu_c=0.1 * (k + 1))))
        run = sb.simulate(model, times=times)
        friction = -sum(run[f"spring{k}.f"] for k in range(5))
        names, units = ("guide.f", "guide.s_rel", "body.s"), ("N", "m", "m")
        data = np.stack([friction, run["drive.s"], run["drive.s"]])
        return Result(ResultMeta("blocks", names, units), time=run.time, data=data)

    sliding_friction, break_away = 1.5, 1.5


def test_nonlocal_memory_is_found_where_it_is():
    verdict = PROBES["nonlocal memory"](Blocks(sb.Switch()))
    assert verdict.has, verdict.reason


def test_an_experiment_that_stops_is_no_verdict(monkeypatch):
    def stop(*args, **options):
        raise SimulationError("the step became too small", time=1.0, elements=(), result=None)

    monkeypatch.setattr("stribeck.analysis.laboratory.bench.simulate", stop)
    verdict = PROBES["stiction"](sb.LuGre())
    assert verdict.has is None and "too small" in verdict.reason


def test_viscous_friction_does_not_hide_the_memory():
    """The sines are where the curve falls, even if it rises more elsewhere."""
    assert has(sb.LuGre(sigma2=0.6)) == has(sb.LuGre())


def test_one_element_remembers_no_turns():
    """A single Maxwell-slip element is elastic and perfectly plastic: its state is its friction."""
    assert "nonlocal memory" not in has(sb.MaxwellSlip(n=1))
    assert "nonlocal memory" in has(sb.MaxwellSlip(n=2))


def test_two_states_alone_are_no_nonlocal_memory():
    """Two of Dahl's bristles in parallel: the way back is shorter, but closed loops leave a trace."""
    law = laws.from_text(
        "TwoBristles",
        family="bristle",
        parameters={"mu": {"default": 0.5, "unit": "{load}"}, "k": {"default": 1e4, "unit": "{load}/{disp}"}},
        states={"x": {"unit": "{disp}", "nominal": "mu/k"}, "y": {"unit": "{disp}", "nominal": "mu/k"}},
        rates={"x": "v - abs(v)*x*k/mu", "y": "v - abs(v)*y*10*k/mu"},
        friction="k*x + 10*k*y",
        steady={"x": "sign(v)*mu/k", "y": "sign(v)*mu/(10*k)"},
        storage="(k*x^2 + 10*k*y^2)/2",
    )
    verdict = friction_properties(law(), "nonlocal memory")["nonlocal memory"]
    assert verdict.has is False, verdict.reason


EXPECTED = {
    "BlimanSorine": ("presliding", "viscous friction"),  # rate-independent: no Stribeck effect, no memory in time;
    # drifts like Dahl, of which it is two (Olsson 1998)
    "BoucWen": ("presliding", "viscous friction"),  # one state, rate-independent; its drift is known (Casciati 1989)
    "Bristle": ("stiction", "presliding", "viscous friction"),  # Haessig 1991: elastic bonds, renewed after a distance;
    # sliding friction scatters, but does not depend on speed
    "Coulomb": ("stiction",),
    "CoulombViscous": ("viscous friction",),
    "Dahl": ("presliding",),  # Canudas de Wit 1995: no Stribeck effect; drifts (Dupont 2000)
    "DampedLuGre": ("frictional memory", "presliding", "Stribeck effect", "viscous friction"),
    "ElastoPlastic": ("stiction", "frictional memory", "presliding", "Stribeck effect", "viscous friction"),
    # elastic up to z_ba, which renders stiction (Dupont 2002)
    "ElastoPlasticTable": ("stiction", "frictional memory", "presliding", "Stribeck effect", "viscous friction"),
    "FrictionTable": ("stiction", "viscous friction"),  # the default table rises
    "GMS": tuple(name for name in PROPERTIES if name != "rising static friction"),  # Al-Bender 2005: presliding with
    # nonlocal memory, lag in sliding; static friction is s(0) whatever the rest
    "Hybrid": ("stiction", "Stribeck effect", "viscous friction"),
    "HybridPresliding": ("stiction", "presliding", "Stribeck effect", "viscous friction"),  # one spring: elastic
    "ImprovedDahl": ("frictional memory", "presliding", "Stribeck effect"),  # the viscous part relaxes with the rest
    "Karnopp": ("stiction", "Stribeck effect", "viscous friction"),
    "KatoStribeck": ("stiction", "rising static friction", "Stribeck effect", "viscous friction"),
    "LaggedStribeck": ("stiction", "frictional memory", "Stribeck effect", "viscous friction"),  # Hess and Soom 1990
    "Leuven": tuple(
        name for name in PROPERTIES if name not in ("stiction", "rising static friction")
    ),  # Lampaert 2002:
    # LuGre whose bristle has nonlocal memory; it drifts like LuGre, since the bristle yields below break-away
    "Leuven2000": tuple(name for name in PROPERTIES if name not in ("stiction", "rising static friction")),
    "LuGre": ("frictional memory", "presliding", "Stribeck effect", "viscous friction"),  # drifts (Dupont 2000); its
    # break-away depends on the rate of loading, not on the rest (Canudas de Wit 1995)
    "MaxwellSlip": ("stiction", "presliding", "viscous friction", "nonlocal memory"),  # Iwan 1966; no Stribeck curve
    "ModifiedElastoPlastic": ("stiction", "frictional memory", "presliding", "Stribeck effect", "viscous friction"),
    "ResetIntegrator": ("stiction", "presliding", "viscous friction"),  # Haessig 1991: a step from static to sliding
    # friction, not a curve; its spring is elastic, so it remembers no turns
    "RisingStribeck": ("stiction", "rising static friction", "Stribeck effect", "viscous friction"),
    "SevenParameter": tuple(name for name in PROPERTIES if name != "nonlocal memory"),  # Armstrong-Helouvry 1994:
    # built to have all six; presliding is one spring
    "SimplifiedLuGre": ("frictional memory", "presliding", "Stribeck effect", "viscous friction"),
    "Stribeck": ("stiction", "Stribeck effect", "viscous friction"),
    "StribeckThreshold": ("stiction", "Stribeck effect", "viscous friction"),
    "Switch": ("stiction", "viscous friction"),  # two levels: a step from static to sliding friction, no curve
    "Tanh": ("viscous friction",),
}
"""The properties that each law has by its equations and by what its source says. Laws that lock have stiction because
they are stuck below the static limit; smooth laws creep under any force."""


@law_properties.GROUP
@pytest.mark.parametrize("law", [law.__name__ for law in all_laws().values()])
def test_every_law_has_the_properties_of_its_equations(law):
    found = law_properties.properties_of(law)
    assert [name for name, verdict in found.items() if verdict.has] == list(EXPECTED[law])


@law_properties.GROUP
def test_every_property_is_found_in_some_law():
    found = law_properties.found().values()
    assert [name for name in PROPERTIES if not any(verdicts[name].has for verdicts in found)] == []


@law_properties.GROUP
def test_every_law_can_undergo_every_probe():
    found = law_properties.found()
    assert list(found) == [law.__name__ for law in all_laws().values()]
    for law, verdicts in found.items():
        for name, verdict in verdicts.items():
            assert verdict.has is not None, (law, name, verdict.reason)
