"""Model files: what is written is what is read."""

from contextlib import suppress
from functools import singledispatch

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.signal_examples import EXAMPLES

from stribeck import Model, shipped_models
from stribeck.declare import Param, Series, Word
from stribeck.elements import (
    CamSpring,
    Convection,
    Element,
    Engine,
    Friction,
    Gear,
    Guide,
    Inertia,
    Input,
    LawParam,
    LossyGear,
    NonlinearSpring,
    Planetary,
    Speed,
    Stop,
    TorqueConverter,
    all_elements,
)
from stribeck.errors import SpecError
from stribeck.laws import Law, LuGre, all_laws
from stribeck.signals import Constant, Ramp, Sine, Step, Table
from stribeck.spec.library import FOLDER

SIMPLE = [Constant, Step, Ramp, Sine, Table]
RULED = {
    NonlinearSpring: [{"phi": ["-1 deg", 0, 2], "tau": [-3, 0, "1 kN.m"], "d": 2}, {"coefficients": [1, 0, 2.5]}],
    CamSpring: [{"s": [0, "13 mm"], "alpha": ["5 deg", 0.7], "c": "20 N/mm", "f_0": 600}],
    Engine: [{"u": 0.5, "w_map": [0, "600 rpm"], "throttle_map": [0, 1], "tau_map": [[0, 1], [-2, 3.5]]}],
    Convection: [{"G": "5 W/K"}, {"h": 40, "A": "300 cm2", "T_ambient": "20 degC"}],
    LossyGear: [
        {"ratio": 2.5, "loss_table": [[0, 0.8, 0, "1 N.m", 0], ["9 rpm", 1, 1, 0, 0]]},
        {"ratio": -1, "efficiency": 0.9},
    ],
    Planetary: [{"ratio": 2, "loss_table": [[0, 0.8, 0.5, 0, 0]]}, {"ratio": 3}],
    Gear: [{"ratio": 2.5}, {"ratio": -3}],
    Stop: [{"s_min": 0, "s_max": "30 mm", "restitution": 0.5}, {"phi_max": 1}, {"s_min": -1, "v_small": "1 mm/s"}],
    TorqueConverter: [{"nu": [0, 0.5, 1], "capacity": [3e-3, 2e-3, 0], "ratio": [2, 1.5, 1]}],
}
"""Elements with rules between their parameters, and parameters that keep them."""
NAMES = st.from_regex(r"\A[a-zA-Zä_][a-zA-Z0-9_-]{0,8}\Z").filter(lambda name: name not in ("simulation", "time"))


@singledispatch
def values(param: Param):
    """What a user may write for a parameter, by its declaration."""
    low = param.min if param.min is not None else param.above if param.above is not None else -1e9
    high = 1e9 if param.max is None else param.max
    numbers = st.floats(low, high, exclude_min=param.above is not None)
    whole = st.integers(int(low) + 1, int(high)) if high >= low + 1 else numbers
    return numbers | whole | numbers.map(lambda x: f"{x!r} N.m")


@values.register
def _(param: Series):
    return st.lists(st.integers(-1000, 1000) | st.floats(-1e6, 1e6), min_size=3, max_size=3, unique=True).map(sorted)


@values.register
def _(param: Word):
    return st.sampled_from(param.options)


@values.register
def _(param: Input):
    return values.dispatch(Param)(Param(0.0, "1", "")) | st.sampled_from([*SIMPLE, *EXAMPLES]).flatmap(
        lambda kind: made(kind) if isinstance(kind, type) else st.just(kind)
    )


@values.register
def _(param: LawParam):
    return st.sampled_from([*all_laws().values()]).flatmap(made)


@st.composite
def made(draw, kind):
    """A law, signal or element with some of its parameters given, under any of their names."""
    given = dict(draw(st.sampled_from(RULED[kind]))) if kind in RULED else {}
    for name, param in kind.params.items() if kind not in RULED else ():
        if name not in ("T_fade", "fade") and (param.default is None or draw(st.booleans())):
            given[draw(st.sampled_from([name, *param.aliases]))] = draw(values(param))
    if issubclass(kind, Element):
        refs = NAMES | st.builds("{}.{}".format, NAMES, st.sampled_from("ab"))
        given |= {flange: draw(refs) for flange in (*kind.flanges, *kind.ports) if draw(st.booleans())}
    if issubclass(kind, Friction):
        given |= draw(st.sampled_from([{}, {"T_fade": ["20 degC", 400], "fade": [1, 0.5]}]))
    return kind(**(consistent(kind, given) if issubclass(kind, Law) else given))


def consistent(kind, given):
    """Parameters of a law are drawn independently: those that break its rules with the ones before are left out."""
    kept = {}
    for name, value in given.items():
        with suppress(SpecError):
            kind(**kept, **{name: value})
            kept[name] = value
    return kept


@st.composite
def models(draw):
    """Any model that can be written down, whether or not it hangs together."""
    model = Model(draw(st.text(min_size=1).filter(lambda text: text.strip() and text.isprintable())))
    for name in draw(st.lists(NAMES, unique=True, max_size=6)):
        model.add(name, draw(st.sampled_from([*all_elements().values()]).flatmap(made)))
    for name in draw(st.lists(NAMES.filter(lambda name: name not in model.elements), unique=True, max_size=2)):
        model.signal(name, draw(st.sampled_from(EXAMPLES)))
    for pair in draw(st.lists(st.tuples(NAMES, NAMES), max_size=3)):
        model.connect(*pair)
    if draw(st.booleans()):
        model.simulation = model.simulation.replace(
            t_end=draw(st.floats(1e-3, 1e3)), intervals=draw(st.integers(1, 9999))
        )
    return model


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(models())
def test_round_trip(model):
    text = model.to_yaml()
    again = Model.from_yaml(text + "\n")
    assert again == model
    assert again.elements == model.elements
    assert again.signals == model.signals
    assert again.to_yaml() == text
    assert Model.from_dict(model.to_dict()) == model
    assert yaml.safe_load(text) == model.to_dict()  # plain data, for every other reader too


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="{}[]:,-#&*!|>'\"% \n\tabJ1", max_size=60))
def test_any_text_is_a_model_or_refused(text):
    try:
        Model.from_yaml(text + "\n")
    except SpecError as error:
        assert str(error)


def test_written_as_it_reads():
    model = Model("rig", t_end="2 min")
    pull = model.add("pull", Speed(v=Sine("1 m/s", f=2)))
    model.add("friction", Guide(pull, law=LuGre(f_c=1), load="50 %"))
    model.connect(pull, "friction.a")
    assert model.to_yaml() == (
        "name: rig\n"
        "elements:\n"
        "  pull:\n"
        "    type: Speed\n"
        "    v: {type: Sine, amplitude: 1 m/s, f: 2}\n"
        "  friction:\n"
        "    type: Guide\n"
        "    a: pull\n"
        "    law: {type: LuGre, mu_c: 1}\n"
        "    load: 50 %\n"
        "connect:\n"
        "- [pull, friction.a]\n"
        "simulation: {t_end: 120.0}\n"
    )


def test_files_and_texts(tmp_path):
    model = Model("rig")
    model.add("mass", Inertia(J="1 kg.m2"))
    path = tmp_path / "rig.yaml"
    text = model.to_yaml(path)
    assert path.read_text() == text
    assert Model.from_yaml(path) == Model.from_yaml(str(path)) == Model.from_yaml(text) == model
    assert Model.from_yaml("{name: rig, elements: {mass: {type: inertia, J: 1 kg.m2}}}") == model


def test_numbers_that_yaml_takes_for_text_are_numbers():
    model = Model.from_yaml("elements:\n  mass: {type: Inertia, J: 1e5}\n  spring: {type: Spring, a: mass, c: 1e-3}")
    elements = model.elements
    assert elements["mass"].resolve({}, "").J == 1e5
    assert model.name == "model"


def test_merge_keys_are_understood():
    text = "elements:\n  m1: &disc {type: Inertia, J: 1}\n  m2: {<<: *disc, w0: 3}\n"
    assert Model.from_yaml(text).elements["m2"].given == {"J": 1, "w0": 3}


def test_long_tables_survive():
    table = Table(time=list(range(1000)), value=[x / 7 for x in range(1000)])
    model = Model("long")
    model.add("pull", Speed(w=table))
    assert Model.from_yaml(model.to_yaml()) == model


@pytest.mark.parametrize("name", shipped_models())
def test_shipped_models_round_trip(name):
    model = Model.from_yaml(FOLDER / f"{name}.yaml")
    assert Model.from_yaml(model.to_yaml()) == model
    assert model.name == name
