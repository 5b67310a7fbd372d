"""The probes find what is known."""

import numpy as np
from support import law_properties

import stribeck as sb
from stribeck import laws
from stribeck.analysis.laboratory.bench import LawBench
from stribeck.analysis.laboratory.properties import PROBES, friction_properties
from stribeck.errors import SimulationError
from stribeck.laws import all_laws
from stribeck.results import Result, ResultMeta


def has(law):
    return [name for name, verdict in friction_properties(law).items() if verdict.has]


def test_seven_probes():
    assert len(PROBES) == 7
    assert all(probe.run.__doc__ for probe in PROBES.values())


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

    def towed(self, speed, times):
        model = sb.Model("towed")
        model.add("drive", sb.Speed(v=speed))
        model.add("body", sb.Mass(m=1))
        model.add("spring", sb.Spring("drive", "body", c=10))
        load = sb.Table(time=[50, 1050], value=[1.0, 1.2])
        model.add("guide", sb.Guide("body", law=self.law, load=load))
        return sb.simulate(model, times=times)


def test_rising_static_friction_is_found_where_it_is():
    assert PROBES["rising static friction"](Aged(sb.Switch())).has


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


@law_properties.GROUP
def test_every_law_can_undergo_every_probe():
    found = law_properties.found()
    assert list(found) == [law.__name__ for law in all_laws().values()]
    for law, verdicts in found.items():
        for name, verdict in verdicts.items():
            assert verdict.has is not None, (law, name, verdict.reason)
