"""Signals with names, nested signals in files, paths into them, and what is refused."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.signal_examples import EXAMPLES

from stribeck import Model, set_parameter
from stribeck.compile import resolve_nodes
from stribeck.compile.named_signals import order
from stribeck.elements import Bearing, Inertia, Position, Speed, Spring, Torque
from stribeck.errors import SpecError, UnitError, UnknownName
from stribeck.laws import Hybrid, LuGre
from stribeck.signals import (
    PID,
    Delay,
    Gain,
    Integral,
    LowPass,
    Named,
    Polynomial,
    Quantiser,
    Quotient,
    SampleHold,
    Sensor,
    Sine,
    StateSpace,
    Step,
    TransferFunction,
)


def rig(tau=1, **signals):
    model = Model("rig")
    for name, signal in signals.items():
        model.signal(name, signal)
    model.add("mass", Inertia(J=1))
    model.add("spring", Spring("mass", c=2))
    model.add("motor", Torque("mass", tau=tau))
    return model


def test_names_are_references():
    model = Model("rig")
    mass = model.add("mass", Inertia(J=1))
    error = model.signal("error", 1 - mass.sensor("phi"))
    assert error == Named("error")
    model.add("motor", Torque(mass, tau=30 * error))
    nodes = resolve_nodes(model)
    assert nodes.signals["error"] == (1 - Sensor("mass.phi")).bind("", "error")
    assert nodes.elements["motor"].p.tau.p.u.target == nodes.signals["error"]
    assert not nodes.elements["motor"].p.tau.time_only


def test_texts_are_references():
    assert Torque("mass", tau="error") == Torque("mass", tau=Named("error"))
    assert Torque("mass", tau="left-wheel.w") == Torque("mass", tau=Sensor("left-wheel.w"))
    assert Gain("error", 2).u == Named("error")


def test_sensors_of_elements():
    model = rig()
    assert model.elements["mass"].sensor("w") == Sensor("mass.w")
    with pytest.raises(SpecError, match="sensor of an element without a name; add it to a model first"):
        Inertia(J=1).sensor("w")


def test_written_as_it_reads():
    model = rig(PID("target", "mass.phi", Kp=3, low="-5 N.m") - 2 * Sensor("mass.w"), target=Step(1))
    text = model.to_yaml()
    assert text == (
        "name: rig\n"
        "signals:\n"
        "  target: {type: Step, height: 1}\n"
        "elements:\n"
        "  mass: {type: Inertia, J: 1}\n"
        "  spring: {type: Spring, a: mass, c: 2}\n"
        "  motor:\n"
        "    type: Torque\n"
        "    a: mass\n"
        "    tau:\n"
        "      type: Sum\n"
        "      terms:\n"
        "      - {type: PID, setpoint: target, measurement: mass.phi, Kp: 3, low: -5 N.m}\n"
        "      - {type: Gain, u: mass.w, k: 2}\n"
        "      gains: [1, -1]\n"
    )
    assert Model.from_yaml(text) == model
    assert repr(model).splitlines()[0] == "Model 'rig': 3 elements and 1 named signals, 1.0 s in 500 intervals"


@pytest.mark.parametrize("signal", EXAMPLES, ids=repr)
def test_every_signal_round_trips(signal):
    model = rig(signal, u=signal)
    again = Model.from_yaml(model.to_yaml())
    assert again == model
    assert again.signals == model.signals
    assert again.elements["motor"].tau == signal


@pytest.mark.parametrize(
    ("path", "value", "get", "expected"),
    [
        ("motor.tau.terms.0.Kp", "5", lambda m: m.elements["motor"].tau.terms[0].Kp, 5),
        ("motor.tau.terms.0.setpoint", "2 deg", lambda m: m.elements["motor"].tau.terms[0].setpoint.value, "2 deg"),
        ("motor.tau.terms.0.setpoint.value", 2, lambda m: m.elements["motor"].tau.terms[0].setpoint.value, 2),
        ("motor.tau.gains.1", "-2", lambda m: m.elements["motor"].tau.gains, [1, -2]),
        (
            "motor.tau.terms.1.u.quantity",
            "spring.w_rel",
            lambda m: m.elements["motor"].tau.terms[1].u.element,
            "spring",
        ),
        ("target.amplitude", "3", lambda m: m.signals["target"].amplitude, 3),
        ("target", "3", lambda m: m.signals["target"].value, 3),
        ("target", "mass.phi", lambda m: m.signals["target"], Sensor("mass.phi")),
    ],
)
def test_paths_into_signals(path, value, get, expected):
    model = rig(PID(1, "mass.phi", Kp=3) - 2 * Sensor("mass.w"), target=Sine(1, f=2))
    assert get(set_parameter(model, path, value)) == expected
    model.check()


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        ("motor.tau.terms.2.k", UnknownName, "there is no entry '2'; the entries are 0 to 1"),
        ("motor.tau.terms.x.k", UnknownName, "there is no entry 'x'"),
        ("motor.tau.terms.0.KP", UnknownName, "did you mean 'Kp'?"),
        ("motor.tau.terms.0.Kp.x", UnknownName, "3 is a number, so it has no 'x'"),
        ("target.amplitud", UnknownName, "did you mean 'amplitude'?"),
        ("target.f", SpecError, "f = -1 Hz must be at least 0"),
        ("targe.f", UnknownName, "did you mean 'target'?"),
    ],
)
def test_wrong_paths(path, error, message):
    model = rig(PID(1, "mass.phi", Kp=3) - 2 * Sensor("mass.w"), target=Sine(1, f=2))
    with pytest.raises(error) as caught:
        set_parameter(model, path, -1)
    assert str(caught.value).startswith(path)
    assert message in str(caught.value)


BAD = {
    "unknown signal in an element": (
        lambda: rig("errr", error=1),
        UnknownName,
        "torque 'motor', tau: there is no signal 'errr'; did you mean 'error'?",
    ),
    "unknown signal in a signal": (lambda: rig(u=2 * Named("x")), UnknownName, "signal 'u', u: there is no signal 'x'"),
    "unknown element": (
        lambda: rig(PID(1, "mas.w", Kp=1)),
        UnknownName,
        "torque 'motor', tau.measurement: sensor 'mas.w': there is no element 'mas'; did you mean 'mass'?",
    ),
    "circle": (
        lambda: rig(u=2 * Named("v"), v=Named("w") + 1, w=Delay("u", 1)),
        SpecError,
        "u -> v -> w -> u need each other's value at the same instant; put something with a memory in between",
    ),
    "itself": (lambda: rig(u=Named("u")), SpecError, "signal 'u': u -> u need"),
    "circle through a direct transmission": (
        lambda: rig(u=TransferFunction("u", [1, 1], [1, 2])),
        SpecError,
        "u -> u need",
    ),
    "circle through a steady start": (lambda: rig(u=LowPass("u", T=1)), SpecError, "a LowPass with a start"),
    "speed by a sensor": (
        lambda: driven(Speed(w=2 * Sensor("mass.w"))),
        SpecError,
        "speed 'pull': it would follow Sensor(quantity='mass.w'), which is not a function of time alone; prescribe",
    ),
    "speed with a memory": (
        lambda: driven(Speed(w=1 + LowPass(Sine(1, f=1), T=1))),
        SpecError,
        "speed 'pull': it would follow LowPass(",
    ),
    "position by a name": (
        lambda: driven(Position(phi=Named("u")), u=Sensor("mass.w")),
        SpecError,
        "position 'pull': it would follow Named(name='u')",
    ),
    "position that jumps": (
        lambda: driven(Position(phi=Sine(1, f=1) > 0)),
        SpecError,
        "jumps, and no machine can follow",
    ),
    "name of an element": (lambda: rig(mass=1), SpecError, "'mass' is already there"),
    "name twice": (
        lambda: rig(u=1).signal("u", 2),
        SpecError,
        "'u' is already there (Constant(value=1)); choose another name",
    ),
    "name that is taken": (
        lambda: rig(time=1),
        SpecError,
        "the signal name 'time' is taken by the time of the results",
    ),
    "name with a dot": (lambda: rig(**{"a.b": 1}), SpecError, "the signal name 'a.b' may have letters"),
    "no signal": (lambda: rig(u=[1]), SpecError, "signal 'u': it = [1] must be a signal, a number or a text"),
    "bool for a signal": (lambda: rig(True), SpecError, "Torque: tau = True must be a signal, a number or a text such"),
    "nothing for a signal": (lambda: rig(None), SpecError, "Torque: tau = None must be a signal, a number or a text"),
    "element for a signal": (
        lambda: rig("mass"),
        UnknownName,
        "torque 'motor', tau: 'mass' is an element and not a signal; name a quantity of it, for instance 'mass.w'",
    ),
    "unknown signal where there is none": (
        lambda: rig("x"),
        UnknownName,
        "torque 'motor', tau: there is no signal 'x'; give it with model.signal('x', ...)",
    ),
    "equal limits of a controller": (
        lambda: rig(PID(1, "mass.w", Kp=1, low=1, high=1)),
        SpecError,
        "low = 1 must be below high = 1; they are equal: lower low or raise high",
    ),
    "numerator without numbers": (
        lambda: rig(TransferFunction("mass.w", [], [1])),
        SpecError,
        "num = [] has no coefficients; give at least one, for instance num=[1]",
    ),
    "load with a unit": (
        lambda: rubbing(load="30 N"),
        UnitError,
        "'30 N' is not in units of 1; it has no unit: write 30; a load is a factor of the law: the normal force",
    ),
    "negative load": (lambda: rubbing(load_backward=-1), SpecError, "load_backward = -1 must be at least 0"),
    "load that is negative at the start": (
        lambda: rubbing(load=Polynomial(Sine(1, f=1), [-1, 0, 3])),
        SpecError,
        "load = -1 must be at least 0",
    ),
    "load that becomes negative": (
        lambda: rubbing(load_backward=2 * Sine(1, f=1)),
        SpecError,
        "bearing 'f': load_backward = -2 must be at least 0",
    ),
    "division by zero": (lambda: rig(Quotient(1, Sine(1, f=1))), SpecError, "torque 'motor', tau: the divisor"),
    "unit in a nested signal": (
        lambda: rig(PID(1, "mass.w", Kp=1, high="3 N")),
        UnitError,
        "torque 'motor', tau: high = '3 N' is not in units of N.m",
    ),
    "text that is neither": (lambda: rig("3x N.m + 2"), UnitError, "torque 'motor', tau: value = '3x N.m + 2'"),
}


def driven(motion, **signals):
    model = rig(**signals)
    model.add("pull", motion)
    model.add("clamp", Spring("pull", "mass", c=1))
    return model


def rubbing(**loads):
    model = rig()
    model.add("f", Bearing("mass", law=LuGre(), **loads))
    return model


@pytest.mark.parametrize(("make", "error", "message"), BAD.values(), ids=BAD)
def test_refused(make, error, message):
    with pytest.raises(SpecError) as caught:
        make().check()
    assert message in str(caught.value)
    assert type(caught.value) is error
    assert "\n" not in str(caught.value)


FILES = {
    "signals is a list": ("signals: [1]", SpecError, "signals = [1] must be a mapping, for instance {u:"),
    "unknown type": (
        "signals:\n  u: {type: Sinus}",
        UnknownName,
        "line 2: signal 'u', it: there is no signal 'Sinus'; did you mean 'Sine'?",
    ),
    "wrong value inside": (
        "signals:\n  u: {type: Gain, k: 2, u: {type: Sine, amplitude: 1, f: -2}}",
        SpecError,
        "line 2: signal 'u', it: Gain, u: Sine: f = -2 Hz must be at least 0",
    ),
    "wrong list": (
        "signals:\n  u: {type: Sum, terms: 3}",
        SpecError,
        "line 2: signal 'u', it: Sum: terms = 3 must be a list",
    ),
    "true as a name": ("signals:\n  true: 1", SpecError, "the signal name True must be text"),
}


@pytest.mark.parametrize(("text", "error", "message"), FILES.values(), ids=FILES)
def test_refused_files(text, error, message):
    with pytest.raises(error) as caught:
        Model.from_yaml(f"{text}\nelements: {{mass: {{type: Inertia, J: 1}}}}\n")
    assert message in str(caught.value)


def test_circles_through_states_are_fine():
    rig(u=Integral("v"), v=-1 * Named("u")).check()
    rig(u=LowPass("v", T=1, start=0), v=2 * Named("u")).check()
    rig(u=TransferFunction("u", [1], [1, 1])).check()


@given(st.permutations("abcde"))
def test_signals_are_bound_in_the_order_of_their_needs(names):
    chain = {name: Gain(f"s{other}", 2) for name, other in pairwise(names)}
    signals = {f"s{name}": chain.get(name, Sine(1, f=1)) for name in sorted(names)}
    assert order(signals) == [f"s{name}" for name in reversed(names)]
    bound = resolve_nodes(rig(f"s{names[0]}", **signals))
    assert bound.elements["motor"].p.tau.span() == (-16, 16)


def test_a_named_course_may_be_prescribed():
    model = driven(Position(phi="u"), u=Sine(1, f=2))
    assert resolve_nodes(model).nodes[2].speed0 == pytest.approx(12.566370614)
    assert model.check() == []


def test_laws_are_checked_with_what_they_will_meet():
    """The inequalities of the hybrid law with the encoder and the sample time of the model."""
    law = Hybrid(Sigma=2e-3, Sigma_2=4e-5, p0=1e3)
    encoder = Quantiser("mass.phi", step="1e-6 rad", mode="floor")

    def warnings(tau, **signals):
        model = rig(tau, **signals)
        model.add("friction", Bearing("mass", law=law))
        return model.check()

    assert warnings(1) == []
    (coarse,) = warnings(PID(1, encoder, Kp=1))
    assert coarse.startswith("bearing 'friction': Sigma = 0.002 must be below delta_x p0 = 0.001")
    assert warnings(PID(1, Quantiser("motor.tau", step=1e-6), Kp=1)) == []
    (fast,) = warnings(SampleHold("mass.phi", period="1 ms"))
    assert "p0 = 1000 1/s must be above 5/Ts = 5000 1/s" in fast
    assert warnings(SampleHold("y", period="1 ms"), y=Quantiser(SampleHold("friction.phi_rel", 1e-3), 1e-6)) == [
        fast,
        coarse,
    ]
    assert warnings(StateSpace(1, A=[[1]], B=[1], C=[1], dt=1e-3)) == [fast]


def test_load_pair():
    nodes = resolve_nodes(rubbing(load=2, load_backward=Polynomial("mass.phi", [1, 0.1])))
    p = nodes.elements["f"].p
    assert p.load.at(0.0) == 2
    assert p.load_backward.p.coefficients == [1, 0.1]
    assert resolve_nodes(rubbing()).elements["f"].p.load_backward is None
    text = rubbing(load_backward=3).to_yaml()
    assert "load_backward: 3" in text and Model.from_yaml(text) == rubbing(load_backward=3)
