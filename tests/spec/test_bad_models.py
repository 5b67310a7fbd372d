"""Wrong models: each is refused with one message that names the element, the value and the way out."""

import math

import pytest

from stribeck import Model, load_model, set_parameter
from stribeck.elements import (
    Bearing,
    Damper,
    Fixed,
    Force,
    Guide,
    Inertia,
    Mass,
    Position,
    Speed,
    Spring,
    SpringDamper,
    Torque,
)
from stribeck.errors import FileError, SpecError, UnitError, UnknownName
from stribeck.laws import LuGre, Switch
from stribeck.signals import Ramp, Sine, Step, Table


def rig(**changes):
    """The stick-slip rig with some elements replaced, added or (None) removed."""
    elements = {
        "pull": lambda: Speed(w=0.1),
        "mass": lambda: Inertia(J=1),
        "spring": lambda: Spring("pull", "mass", c=2),
        "friction": lambda: Bearing("mass", law=LuGre()),
    }
    model = Model("rig")
    for name, element in (elements | changes).items():
        if element is not None:
            model.add(name, element() if callable(element) else element)
    return model


def yaml(entries, rest=""):
    return Model.from_yaml(f"name: rig\nelements:\n{entries}\n{rest}")


def connected(*pairs, **changes):
    model = rig(**changes)
    for pair in pairs:
        model.connect(*pair)
    return model


# what makes the model, the error, and what the message must say: element, value, way out
PARAMETERS = {
    "negative inertia": (lambda: rig(mass=lambda: Inertia(J=-1)), SpecError, "Inertia", "J = -1 kg.m2", "above 0"),
    "inertia zero": (lambda: rig(mass=lambda: Inertia(J=0)), SpecError, "Inertia", "J = 0 kg.m2", "above 0"),
    "negative inertia as text": (
        lambda: rig(mass=Inertia(J="-1 kg.m2")),
        SpecError,
        "inertia 'mass'",
        "J = '-1 kg.m2'",
        "above 0",
    ),
    "negative mass": (lambda: Mass(m=-2), SpecError, "Mass", "m = -2 kg", "above 0"),
    "negative stiffness": (lambda: Spring("a", "b", c=-2), SpecError, "Spring", "c = -2", "at least 0"),
    "negative damping": (lambda: SpringDamper("a", c=1, d=-2), SpecError, "SpringDamper", "d = -2", "at least 0"),
    "nan": (lambda: Inertia(J=math.nan), SpecError, "Inertia", "J = nan", "give a number in kg.m2"),
    "infinite": (lambda: Spring("a", c=math.inf), SpecError, "Spring", "c = inf", "give a number"),
    "huge": (lambda: Inertia(J=1e31), SpecError, "Inertia", "J = 1e+31", "check the exponent and the unit"),
    "list for a number": (lambda: Inertia(J=[1, 2]), SpecError, "Inertia", "J = [1, 2]", "a number in kg.m2"),
    "bool for a number": (lambda: Inertia(J=True), SpecError, "Inertia", "J = True", "a number in kg.m2"),
    "missing parameter": (lambda: Inertia(), SpecError, "Inertia", "J is missing", "Inertia(J=1)"),
    "unknown parameter": (lambda: Inertia(J=1, w_0=1), UnknownName, "Inertia", "'w_0'", "did you mean 'w0'?"),
    "unknown parameter of a law": (lambda: LuGre(sigma=1), UnknownName, "LuGre", "'sigma'", "did you mean 'sigma"),
    "number for a flange": (lambda: Inertia(1), SpecError, "Inertia: flange a", "1 is not", "such as 'mass'"),
    "a flange too many": (lambda: Inertia("a", "b", 1), SpecError, "Inertia", "1 is one", "J, phi0=0.0"),
    "a flange twice": (lambda: Spring("x", a="y", c=1), SpecError, "Spring: flange a", "twice", "drop a='y'"),
    "static below Coulomb friction": (lambda: LuGre(mu_s=0.5), SpecError, "LuGre", "mu_s = 0.5", "raise mu_s"),
    "the same with units": (
        lambda: rig(friction=Bearing("mass", law=Switch(tau_s="50 N.cm"))),
        SpecError,
        "bearing 'friction', law",
        "mu_s = 0.5",
        "raise mu_s or lower mu_c",
    ),
    "law missing": (lambda: Bearing("mass"), SpecError, "Bearing", "law is missing", "choose one of"),
    "law unknown": (lambda: Bearing("m", law="lugr"), UnknownName, "friction law", "'lugr'", "did you mean 'LuGre'?"),
    "law is no law": (lambda: Bearing("m", law=3), SpecError, "Bearing", "law = 3", "LuGre()"),
    "law without brackets": (
        lambda: Bearing("m", law=LuGre),
        SpecError,
        "Bearing",
        "LuGre is a class",
        "write law=LuGre()",
    ),
    "negative load": (
        lambda: rig(friction=Bearing("mass", law="LuGre", load=-1)),
        SpecError,
        "bearing 'friction'",
        "load = -1",
        "at least 0",
    ),
    "load that becomes negative": (
        lambda: rig(friction=Bearing("mass", law="LuGre", load=Sine(2, f=1, offset=1))),
        SpecError,
        "bearing 'friction'",
        "load = -1",
        "at least 0",
    ),
    "frequency for a speed": (
        lambda: rig(pull=Speed(w="5 Hz")),
        UnitError,
        "speed 'pull'",
        "'5 Hz'",
        "'5 rev/s'",
    ),
    "speed for a frequency": (
        lambda: rig(pull=Speed(w=Sine(1, f="2 rad/s"))),
        UnitError,
        "speed 'pull', w",
        "f = '2 rad/s'",
        "Hz'",
    ),
    "force for a torque": (
        lambda: rig(motor=Torque("mass", tau="4 kN")),
        UnitError,
        "torque 'motor'",
        "'4 kN'",
        "write for instance '4 N.m'",
    ),
    "stiffness of the other domain": (
        lambda: rig(spring=Spring("pull", "mass", c="2 N/m")),
        UnitError,
        "spring 'spring'",
        "c = '2 N/m'",
        "'2 N.m/rad'",
    ),
    "wrong unit in a law": (
        lambda: rig(friction=Bearing("mass", law=LuGre(sigma0="1e5 N/m"))),
        UnitError,
        "bearing 'friction', law",
        "sigma0 = '1e5 N/m'",
        "'1e5 N.m/rad'",
    ),
    "unknown unit": (
        lambda: rig(mass=Inertia(J="3 Kg.m2")),
        UnitError,
        "inertia 'mass'",
        "'Kg'",
        "did you mean 'kg'?",
    ),
    "signal without brackets": (lambda: Speed(w=Sine), SpecError, "Speed", "w = Sine", "write Sine(...)"),
    "table times not increasing": (
        lambda: Table([0, 2, 1], [0, 1, 2]),
        SpecError,
        "Table",
        "time[2] = 1 s",
        "sort the points",
    ),
    "table lengths differ": (
        lambda: Table([0, 2, 1], [0, 1]),
        SpecError,
        "Table",
        "3 points and value 2",
        "one value for each time",
    ),
    "table empty": (lambda: Table([], []), SpecError, "Table", "time = []", "at least one time"),
    "ramp without duration": (lambda: Ramp(1, duration=0), SpecError, "Ramp", "duration = 0 s", "use Step"),
    "end time 0": (lambda: Model("rig", t_end=0), SpecError, "Simulation", "t_end = 0 s", "above 0"),
    "no intervals": (lambda: Model("rig", intervals=0), SpecError, "Simulation", "intervals = 0", "at least 1"),
    "half an interval": (lambda: Model("rig", intervals=2.5), SpecError, "Simulation", "2.5", "whole number"),
    "unknown setting": (lambda: Model("rig", tend=1), UnknownName, "Simulation", "'tend'", "did you mean 't_end'?"),
}

STRUCTURE = {
    "no elements": (lambda: Model("rig"), SpecError, "model 'rig'", "no elements", "add some"),
    "no name": (lambda: Model(""), SpecError, "Model", "name = ''", "such as 'stick-slip'"),
    "name of two lines": (lambda: Model("a\nb"), SpecError, "Model", "name = 'a\\nb'", "a text of one line"),
    "name with a dot": (lambda: rig(**{"a.b": Inertia(J=1)}), SpecError, "element name", "'a.b'", "write 'a_b'"),
    "name with a space": (lambda: rig(**{"a b": Inertia(J=1)}), SpecError, "element name", "'a b'", "write 'a_b'"),
    "name with a digit first": (lambda: rig(**{"2": Inertia(J=1)}), SpecError, "element name", "'2'", "write 'x2'"),
    "name that is taken": (
        lambda: rig(simulation=Inertia(J=1)),
        SpecError,
        "element name",
        "'simulation'",
        "choose another",
    ),
    "duplicate name": (
        lambda: rig().add("mass", Inertia(J=3)),
        SpecError,
        "'mass' is already there",
        "Inertia(J=3)",
        "choose another name",
    ),
    "an element twice": (
        lambda: rig().add("twin", rig().elements["mass"]),
        SpecError,
        "'twin'",
        "inertia 'mass'",
        "make a second one",
    ),
    "class for an element": (lambda: rig().add("x", Inertia), SpecError, "'x'", "Inertia is", "write Inertia(...)"),
    "number for an element": (lambda: rig().add("x", 3), SpecError, "'x'", "3 is not", "Inertia(J=1)"),
    "element outside the model": (
        lambda: Spring(Inertia(J=1), "mass", c=1),
        SpecError,
        "Spring: flange a",
        "Inertia(J=1)",
        "add it first",
    ),
    "unknown element": (
        lambda: rig(spring=Spring("pul", "mass", c=2)),
        UnknownName,
        "spring 'spring', flange a",
        "'pul'",
        "did you mean 'pull'?",
    ),
    "unknown flange": (
        lambda: rig(damper=Damper("mass", "spring.c", d=2)),
        UnknownName,
        "damper 'damper', flange b",
        "'c'",
        "known: a, b",
    ),
    "unknown element in connect": (
        lambda: connected(("spring.b", "masse")),
        UnknownName,
        "connect",
        "'masse'",
        "did you mean 'mass'?",
    ),
    "which flange": (
        lambda: rig(damper=Damper("spring", "mass", d=2)),
        SpecError,
        "damper 'damper', flange a",
        "'spring'",
        "write 'spring.a' or 'spring.b'",
    ),
    "unconnected flange": (
        lambda: rig(damper=Damper(b="mass", d=2)),
        SpecError,
        "damper 'damper'",
        "flange a",
        "connect('damper.a', 'mass')",
    ),
    "unconnected element": (
        lambda: rig(lone=Inertia(J=1)),
        SpecError,
        "inertia 'lone'",
        "not connected",
        "connect('lone.a', 'mass')",
    ),
    "spring to itself": (
        lambda: connected(("s2.a", "s2.b"), s2=Spring(c=1)),
        SpecError,
        "spring 's2'",
        "flange a",
        "connect it",
    ),
    "spring on one node": (
        lambda: rig(s2=Spring("mass", "mass", c=1)),
        SpecError,
        "spring 's2'",
        "one and the same node",
        "connect it to something that moves",
    ),
    "friction on the ground": (
        lambda: rig(wall=Fixed(), s2=Spring("mass", "wall", c=1), b2=Bearing("wall", law="LuGre")),
        SpecError,
        "bearing 'b2'",
        "on the ground",
        "connect it to something that moves",
    ),
    "mass on an inertia": (
        lambda: rig(slider=Mass(m=1), s2=Spring("slider", "mass", c=1)),
        SpecError,
        "mass 'slider' is translational",
        "inertia 'mass', which is rotational",
        "Mass, Guide and Force for what moves along a line",
    ),
    "guide on an inertia": (
        lambda: rig(friction=Guide("mass", law=LuGre())),
        SpecError,
        "guide 'friction'",
        "translational",
        "take Inertia, Bearing and Torque",
    ),
    "force on an inertia": (
        lambda: rig(push=Force("mass", f=1)),
        SpecError,
        "force 'push'",
        "translational",
        "take Inertia, Bearing and Torque",
    ),
    "speed by the wrong name": (
        lambda: rig(pull=Speed(v=0.1)),
        SpecError,
        "speed 'pull'",
        "v is the translational name",
        "write w instead of v",
    ),
    "stretch by the wrong name": (
        lambda: rig(spring=Spring("pull", "mass", c=2, s_rel0=1)),
        SpecError,
        "spring 'spring'",
        "s_rel0 is the translational name",
        "write phi_rel0",
    ),
    "no domain": (
        lambda: rig(wall=Fixed(), s2=Spring("wall", c=1)),
        SpecError,
        "fixed 'wall'",
        "whether it rotates",
        "connect an Inertia or a Mass",
    ),
    "two motions": (
        lambda: rig(p2=Speed("mass", w=1), p3=Position("mass", phi=1)),
        SpecError,
        "speed 'p2' and position 'p3'",
        "same node",
        "put a spring between",
    ),
    "motion on the ground": (
        lambda: rig(p2=Speed("mass", w=1), wall=Fixed("mass")),
        SpecError,
        "speed 'p2'",
        "a flange that is fixed",
        "remove 'p2'",
    ),
    "two starts": (
        lambda: rig(mass=Inertia(J=1, w0=1), disc=Inertia("mass", J=1, w0=2)),
        SpecError,
        "inertia 'disc'",
        "2 rad/s",
        "make them equal",
    ),
    "start against a motion": (
        lambda: rig(disc=Inertia("pull", J=1, w0=2)),
        SpecError,
        "inertia 'disc'",
        "2 rad/s, but speed 'pull' on the same node with 0.1 rad/s",
        "leave one out",
    ),
    "start against the slope of a motion": (
        lambda: rig(pull=Position(phi=Sine(1, f=0.5)), disc=Inertia("pull", J=1, w0=0)),
        SpecError,
        "inertia 'disc'",
        "speed 0 rad/s, but position 'pull' on the same node with 3.14159 rad/s",
        "leave one out",
    ),
    "start against the ground": (
        lambda: rig(wall=Fixed(), disc=Inertia("wall", J=1, phi0=2), s2=Spring("wall", "mass", c=1)),
        SpecError,
        "inertia 'disc'",
        "2 rad, but fixed 'wall'",
        "leave one out",
    ),
    "speed that jumps with a body": (
        lambda: rig(pull=Speed(w=Step(1, start=1)), disc=Inertia("pull", J=1)),
        SpecError,
        "speed 'pull'",
        "inertia 'disc'",
        "use a Ramp",
    ),
    "position with a kink and a body": (
        lambda: rig(pull=Position(phi=Ramp(1, duration=1)), disc=Inertia("pull", J=1)),
        SpecError,
        "position 'pull'",
        "inertia 'disc'",
        "put a spring between",
    ),
    "position that jumps": (
        lambda: rig(pull=Position(phi=Step(1, start=1))),
        SpecError,
        "position 'pull'",
        "Step(height=1, start=1) jumps",
        "use a Ramp",
    ),
}

FILES = {
    "syntax": (lambda: yaml("  mass: {type: Inertia J: 1}"), FileError, "line 3", "column 25", "mind colons"),
    "tab": (lambda: yaml("\tmass: {}"), FileError, "line 3", "'\\t'", "use no tabs"),
    "bracket left open": (lambda: yaml("  mass: {type: Inertia"), FileError, "line", "column", "brackets"),
    "key twice": (
        lambda: yaml("  mass: {type: Inertia, J: 1}\n  mass: {type: Inertia, J: 2}"),
        FileError,
        "line 4, column 3",
        "'mass'",
        "remove or rename",
    ),
    "parameter twice": (
        lambda: yaml("  mass: {type: Inertia, J: 1, J: 2}"),
        FileError,
        "line 3, column 31",
        "'J'",
        "remove or rename",
    ),
    "list as a name": (lambda: yaml("  ? [1, 2]\n  : 3"), FileError, "line 3", "[1, 2]", "write a word"),
    "python object": (lambda: yaml("  m: !!python/object:os.x {}"), FileError, "line 3", "python/object", "mind"),
    "zero byte": (lambda: yaml("  m: \0"), FileError, "not YAML", "#x0000", "plain YAML text"),
    "too deep": (lambda: yaml("  m: " + "[" * 5001), FileError, "line 3", "5000 levels", "with fewer"),
    "empty": (lambda: Model.from_yaml("\n"), FileError, "model", "empty", "needs at least elements"),
    "list at the top": (lambda: Model.from_yaml("- 1\n- 2"), SpecError, "a model", "[1, 2]", "must be a mapping"),
    "unknown key": (
        lambda: Model.from_yaml("element:\n  mass: {type: Inertia, J: 1}"),
        UnknownName,
        "a model",
        "'element'",
        "did you mean 'elements'?",
    ),
    "elements missing": (lambda: Model.from_yaml("name: x\n"), SpecError, "elements", "None", "must be a mapping"),
    "name is a number": (lambda: Model.from_yaml("name: 5\n"), SpecError, "Model", "name = 5", "a text of one line"),
    "element is a number": (lambda: yaml("  mass: 5"), SpecError, "element 'mass'", "5", "{type: Inertia, J: 1}"),
    "element without type": (lambda: yaml("  mass: {J: 1}"), SpecError, "element 'mass'", "{'J': 1}", "type = Fixed"),
    "unknown type": (
        lambda: yaml("  mass: {type: Inertai, J: 1}"),
        UnknownName,
        "line 3: element 'mass'",
        "'Inertai'",
        "did you mean 'Inertia'?",
    ),
    "wrong value": (
        lambda: yaml("  mass: {type: Inertia, J: -1}"),
        SpecError,
        "line 3: element 'mass'",
        "J = -1 kg.m2",
        "above 0",
    ),
    "not a number": (
        lambda: yaml("  mass: {type: Inertia, J: .nan}"),
        SpecError,
        "line 3: element 'mass'",
        "J = nan",
        "give a number",
    ),
    "yes for a number": (lambda: yaml("  m: {type: Inertia, J: yes}"), UnitError, "inertia 'm'", "'yes'", "a number"),
    "date for a number": (lambda: yaml("  m: {type: Inertia, J: 2001-01-01}"), UnitError, "'m'", "-01-01", "as a unit"),
    "true for a name": (lambda: yaml("  true: {type: Inertia, J: 1}"), SpecError, "element name", "True", "quotes"),
    "wrong law parameter": (
        lambda: yaml("  f: {type: Bearing, a: m, law: {type: LuGre, sigma_0: 1}}"),
        UnknownName,
        "line 3: element 'f': Bearing, law",
        "'sigma_0'",
        "did you mean 'sigma0'?",
    ),
    "unknown signal": (
        lambda: yaml("  f: {type: Torque, a: m, tau: {type: Sin}}"),
        UnknownName,
        "element 'f': Torque, tau",
        "'Sin'",
        "did you mean 'Sine'?",
    ),
    "connect without pairs": (
        lambda: yaml("  m: {type: Inertia, J: 1}", "connect: [m, m]"),
        SpecError,
        "connect",
        "'m'",
        "[[spring.b, mass]]",
    ),
    "wrong end time": (
        lambda: yaml("  m: {type: Inertia, J: 1}", "simulation: {t_end: -5}"),
        SpecError,
        "line 4: Simulation",
        "t_end = -5 s",
        "above 0",
    ),
    "settings are a number": (
        lambda: yaml("  m: {type: Inertia, J: 1}", "simulation: 5"),
        SpecError,
        "simulation",
        "5",
        "{t_end: 25, intervals: 2500}",
    ),
    "unknown model": (
        lambda: load_model("stik-slip"),
        UnknownName,
        "model",
        "'stik-slip'",
        "did you mean 'stick-slip'?",
    ),
}

SETTINGS = {
    "unknown element": ("frictio.law.sigma0", "1", UnknownName, "did you mean 'friction'?"),
    "unknown parameter": ("friction.la.sigma0", "1", UnknownName, "did you mean 'law'?"),
    "unknown law parameter": ("friction.law.sigma_0", "1", UnknownName, "did you mean 'sigma0'?"),
    "out of bounds": ("friction.law.sigma0", "-1", SpecError, "above 0"),
    "not finite": ("friction.law.sigma0", "nan", SpecError, "give a number"),
    "wrong signal": ("pull.w.amplitude", "3", UnknownName, "known: value"),
    "too deep": ("mass.J.x", "3", UnknownName, "1 is a number, so it has no 'x'; end the path before"),
    "too short": ("mass", "3", SpecError, "for instance mass.J"),
    "wrong end time": ("simulation.t_end", "-3", SpecError, "above 0"),
}


@pytest.mark.parametrize(
    ("make", "error", "element", "value", "remedy"),
    [pytest.param(*case, id=name) for table in (PARAMETERS, STRUCTURE, FILES) for name, case in table.items()],
)
def test_bad_model(make, error, element, value, remedy):
    with pytest.raises(SpecError) as caught:
        made = make()
        made.check()
    message = str(caught.value)
    assert type(caught.value) is error
    for fragment in (element, value, remedy):
        assert fragment in message
    assert "\n" not in message


@pytest.mark.parametrize(("path", "value", "error", "remedy"), SETTINGS.values(), ids=SETTINGS)
def test_bad_setting(path, value, error, remedy):
    with pytest.raises(error) as caught:
        set_parameter(rig(), path, value)
    assert str(caught.value).startswith(path)
    assert remedy in str(caught.value)


def test_a_wrong_setting_leaves_the_model_alone():
    model = rig()
    with pytest.raises(SpecError):
        set_parameter(model, "mass.J", "-1")
    assert model == rig()


def test_bad_unit_in_a_setting_names_the_element():
    with pytest.raises(UnitError, match=r"bearing 'friction', law: sigma0 = '3 kg' is not in units of N.m/rad"):
        set_parameter(rig(), "friction.law.sigma0", "3 kg").check()


@pytest.mark.parametrize(
    ("content", "fragments"),
    [
        (None, ["there is no file", "bad.yaml", "there are other.yaml"]),
        (b"", ["bad.yaml", "empty", "needs at least elements"]),
        (b"\x80\x81\x82", ["bad.yaml", "not a text file", "UTF-8"]),
        (b"name: x\nelements: {mass: {type: Inertia, J: -1}}", ["bad.yaml: line 2", "'mass'", "J = -1 kg.m2"]),
        (b"name: [", ["bad.yaml: line 1, column", "mind colons"]),
    ],
)
def test_bad_file(tmp_path, content, fragments):
    (tmp_path / "other.yaml").write_text("")
    path = tmp_path / "bad.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SpecError) as caught:
        load_model(path)
    for fragment in fragments:
        assert fragment in str(caught.value)


def test_a_folder_is_not_a_model(tmp_path):
    with pytest.raises(FileError, match=r"is a folder; name a model file in it"):
        load_model(tmp_path)


def test_the_rig_itself_is_fine():
    assert len(rig().check()) == 1  # LuGre warns that it is not passive
