"""The section `laws` of model files: read, written, and known to one model only."""

import pytest
import yaml

import stribeck as sb

RIG = """
name: rig
laws:
  Makkar:
    family: smooth
    text: Smooth friction with a static peak
    parameters:
      g1: {default: 0.25, unit: "{load}", min: 0}
      g2: {default: 100, unit: "s/{disp}"}
      g3: {default: 10, unit: "s/{disp}"}
      g4: {default: 1, unit: "{load}"}
    friction: g1*(tanh(g2*v) - tanh(g3*v)) + g4*tanh(g2*v)
elements:
  motor: {type: Speed, w: 0.1}
  mass: {type: Inertia, J: 1}
  spring: {type: Spring, a: motor, b: mass, c: 2}
  friction: {type: Bearing, a: mass, law: {type: Makkar, g1: 0.3}}
"""
VISCOUS = {"family": "smooth", "parameters": {"d": {"default": 2, "unit": "{load}.s/{disp}"}}, "friction": "d*v"}


def test_a_model_with_laws_is_written_and_read_again():
    model = sb.Model.from_yaml(RIG)
    again = sb.Model.from_yaml(model.to_yaml())
    assert again == model == model.copy() == model.snapshot()
    assert again.laws == model.laws and list(model.laws) == ["Makkar"]
    assert again.elements["friction"].law == model.elements["friction"].law  # equal texts are one class
    assert yaml.safe_load(model.to_yaml())["laws"]["Makkar"] == yaml.safe_load(RIG)["laws"]["Makkar"]


def test_a_law_that_no_element_uses_is_kept():
    model = sb.Model.from_yaml(RIG.replace("{type: Makkar, g1: 0.3}", "LuGre"))
    assert list(sb.Model.from_yaml(model.to_yaml()).laws) == ["Makkar"]


def test_a_law_made_in_python_is_written_with_the_model():
    model = sb.Model("rig")
    mass = model.add("mass", sb.Inertia(J=1, w0=1))
    model.add("friction", sb.Bearing(mass, law=sb.laws.from_text("Viscous", **VISCOUS)(d=3)))
    again = sb.Model.from_yaml(model.to_yaml())
    assert again == model and again.laws["Viscous"] is model.laws["Viscous"]
    assert again.simulate(1)["mass.w"][-1] == pytest.approx(2.718281828**-3, rel=1e-6)


def test_values_and_laws_by_their_paths():
    model = sb.Model.from_yaml(RIG)
    assert model.varied({"friction.law.g1": "0.5 N.m"}).elements["friction"].law.g1 == "0.5 N.m"
    assert model.varied({"friction.law": "Makkar"}).elements["friction"].law == model.laws["Makkar"]()
    assert model.varied({"friction.law": {"type": "makkar", "g1": 2}}).elements["friction"].law.g1 == 2
    assert sb.compile_model(model).parameters["friction.law.g1"].tunable


def test_laws_of_one_name_in_two_files_do_not_disturb_each_other():
    first, second = sb.Model.from_yaml(RIG), sb.Model.from_yaml(RIG.replace("g4*tanh(g2*v)", "2*g4*tanh(g2*v)"))
    programs = [sb.compile_model(model) for model in (first, second, sb.Model.from_yaml(RIG))]
    assert programs[0].hash == programs[2].hash != programs[1].hash
    peaks = [sb.simulate(program, 20)["friction.tau"].max() for program in programs]
    assert peaks[0] == peaks[2] and peaks[1] > 1.5 * peaks[0]
    with pytest.raises(sb.UnknownName, match="there is no friction law 'Makkar'"):
        sb.laws.get("Makkar")
    with pytest.raises(sb.UnknownName, match="there is no friction law 'Makkar'"):
        sb.Bearing("mass", law="Makkar")


def test_two_laws_of_one_name_in_a_model_are_refused():
    model = sb.Model.from_yaml(RIG)
    model.add("second", sb.Bearing("mass", law=sb.laws.from_text("Makkar", **VISCOUS)()))
    with pytest.raises(sb.SpecError, match="its law Makkar is another one than the law Makkar of this model; give one"):
        model.to_yaml()


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("tanh(g3*v)", "tanh(g33*v)", "line 5: law 'Makkar', friction, column 23: there is no symbol 'g33'; did you"),
        ("type: Makkar", "type: Makar", "there is no friction law 'Makar'; did you mean 'Makkar'"),
        ("g1: 0.3", "g7: 0.3", "Makkar has no parameter 'g7'"),
        ("g1: 0.3", "g1: -1", "g1 = -1 must be at least 0"),
        ("g1: 0.3", "g1: 1 kg", "g1 = '1 kg' is not in units of N.m"),
        ("  Makkar:\n", "  LuGre:\n", "the package has a law LuGre already; choose another name"),
        ("  Makkar:\n", "  My law:\n", "the name of a law has letters, digits and _ only"),
        ("family: smooth", "3: smooth", "the entry 3 must be text"),
    ],
)
def test_mistakes_name_their_line(before, after, words):
    with pytest.raises(sb.SpecError) as caught:
        sb.compile_model(sb.Model.from_yaml(RIG.replace(before, after)))
    assert words in str(caught.value)


def test_a_file_of_laws_alone(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(RIG.partition("elements:")[0].replace("name: rig\n", ""))
    assert list(sb.load_laws(path)) == ["Makkar"]
    with pytest.raises(sb.FileError, match="it has no section `laws`"):
        sb.load_laws("name: rig\n")
    with pytest.raises(sb.FileError, match="there is no file"):
        sb.load_laws(tmp_path / "none.yaml")


def test_it_is_compared_and_linearised_like_any_other():
    model = sb.Model.from_yaml(RIG)
    compared = sb.analysis.compare(model, ["Makkar", "LuGre"], t_end=5)
    assert list(compared.results) == ["Makkar", "LuGre"]
    assert sb.analysis.linearize(model).A.shape[0] == 2


def test_a_class_of_a_script_is_not_written():
    class Own(sb.laws.SmoothLaw, registered=False):
        d = sb.laws.Param(1.0, "{load}.s/{disp}", "damping")

        @staticmethod
        def friction(p, v):
            return p.d * v

    model = sb.Model("rig")
    model.add("mass", sb.Inertia(J=1, w0=1))
    model.add("friction", sb.Bearing("mass", law=Own()))
    assert model.to_dict()["elements"]["friction"]["law"] == {"type": "Own"}
    with pytest.raises(
        sb.SpecError, match="its law Own is a class of a script, which a model file cannot hold; make it"
    ):
        model.to_yaml()
