"""Good inputs to be broken."""

import random
from pathlib import Path

import numpy as np
import yaml

import stribeck as sb

T = np.linspace(0, 1, 9)
TORQUE = np.sin(T)

SETTINGS = [
    "mass.J=2 kg.m2",
    "spring.c=2 N.m/rad",
    "*.law.mu_c=0.1",
    "friction.law={type: LuGre, sigma0: 1e4}",
    "simulation.t_end=5 s",
    "simulation.intervals=100",
    "simulation.tolerance=1e-5",
    "pull.w={type: Sine, amplitude: 1, f: 2}",
]

SIGNALS = """
name: signals
signals:
  u: {type: PID, setpoint: {type: Step, height: 1, start: 0.1}, u: m.w, Kp: 2, Ki: 1}
  v: {type: Relay, u: m.w, low: -1, high: 1, on: 2, off: 0}
  w: {type: SampleHold, u: {type: Delay, u: u, delay: 10 ms}, period: 5 ms}
  x: {type: Sum, terms: [u, v, {type: Product, factors: [w, 2]}, {type: Sine, amplitude: 1, f: 3 Hz}]}
elements:
  m: &body {type: Inertia, J: 0.1 kg.m2, w0: 3}
  n: *body
  k: {type: SpringDamper, a: m, b: n, c: 10, d: 0.1}
  b:
    type: Brake
    a: n
    law: {type: Stribeck, mu_c: 0.2, mu_s: 0.3, v_s: 0.1}
    fn_max: 10
    f_normalized: {type: Pulse, height: 1, period: 0.2, width: 0.1}
  t: {type: Torque, a: m, tau: x}
connect: [[m, t]]
simulation: {t_end: 0.5, intervals: 50}
"""


def model_texts() -> list[str]:
    """The shipped models, in the shapes of files and of `to_yaml`, and one with many signals."""
    folder = Path(sb.__file__).parent / "models"
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))]
    return [*texts, *(sb.Model.from_yaml(text).to_yaml() for text in texts[:3]), SIGNALS, SIGNALS]


FORMULAS = ["friction", "sliding", "breakaway", "storage", "rates", "let", "passive", "nominal_speed"]
"""Entries of laws that random formulas take the place of."""
TOKENS = [
    *(
        "v",
        "z",
        "mu_c",
        "mu_s",
        "sigma0",
        "v_s",
        "g",
        "hold",
        "fast",
        "pi",
        "der(z)",
        "0",
        "1",
        "2.5",
        "1e-3",
        "x",
        "é",
    ),
    *(
        "+",
        "-",
        "*",
        "/",
        "^",
        "**",
        "<",
        "<=",
        "==",
        " and ",
        " or ",
        " not ",
        " if ",
        " else ",
        ",",
        "(",
        ")",
        "[m/s]",
    ),
    *("tanh(", "abs(", "sign(", "sqrt(", "exp(", "log(", "min(", "stribeck(", "smooth_step(", "interpolate(", "foo("),
]


def random_formula(rng: random.Random) -> str:
    """Tokens in a row, or a tree that the grammar accepts; a few are very long or deep."""
    if rng.random() < 0.02:
        return rng.choice(["(", "-", "v^", "abs(", "v+", "1 if v > 0 else ", "not ", "(v+", "min(v,"]) * rng.choice(
            [50, 900, 30_000]
        )
    if rng.random() < 0.4:
        return "".join(rng.choice(TOKENS) for _ in range(rng.randrange(1, 40)))
    return _tree(rng, rng.randrange(1, 8))


def _tree(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(["v", "z", "mu_c", "mu_s", "sigma0", "v_s", "0", "1", "1e-3", "pi", "1e30", "0.5"])
    a, b, c = (_tree(rng, depth - 1 if i == 0 else rng.randrange(depth)) for i in range(3))
    return rng.choice(
        [
            *(f"({a} {op} {b})" for op in "+-*/"),
            f"{rng.choice(['tanh', 'abs', 'sign', 'sqrt', 'exp', 'log', 'atan', 'smooth_step'])}({a}/{b})",
            f"abs({a})^{b}",
            f"({a})^{rng.randrange(-3, 70)}",
            f"({a} if {b} < {c} else {b})",
            f"min({a}, {b})",
            f"stribeck({a}, {b}, 2)",
            f"mu_c*tanh({a}/{b})",
        ]
    )


def law_texts() -> list[tuple[str, str]]:
    """The laws of the package as text, each with its name."""
    laws = sb.load_laws(Path(__file__).parents[1] / "laws" / "laws_as_text.yaml")
    return [(name, yaml.safe_dump(dict(law.definition.data))) for name, law in laws.items()]


def write_csv(path: Path) -> None:
    np.savetxt(path, np.column_stack([T, TORQUE]), delimiter=",", header="t,torque [N.m]", comments="")


def write_parquet(path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"t": T, "torque": TORQUE, "word": ["a"] * 9}), path)


def write_mat(path: Path) -> None:
    from scipy.io import savemat

    cells = np.array([1.0, "a"], dtype=object)
    savemat(path, {"t": T[:, None], "torque": TORQUE[None], "lab": "me", "rig": {"q": TORQUE, "c": cells}, "z": T + 1j})


def write_packed_mat(path: Path) -> None:
    from scipy.io import savemat
    from scipy.sparse import eye

    savemat(path, {"t": T, "torque": TORQUE, "s": eye(3).tocsc(), "rig": {"q": {"w": TORQUE}}}, do_compression=True)


def write_mat73(path: Path) -> None:
    import h5py

    with h5py.File(path, "w", userblock_size=512) as file:
        file["t"], file["torque"] = T, TORQUE[None]


def write_mf4(path: Path) -> None:
    from asammdf import MDF, Signal

    with MDF(version="4.10") as file:
        file.append([Signal(samples=TORQUE, timestamps=T, name="torque", unit="N.m")])
        file.append([Signal(samples=(100 * T).astype("i2"), timestamps=T, name="q", unit="mm")])
        file.save(path)


def write_packed_mf4(path: Path) -> None:
    from asammdf import MDF, Signal

    with MDF(version="4.10") as file:
        file.append([Signal(samples=np.tile(TORQUE, 50), timestamps=np.arange(450.0), name="torque")])
        file.save(path, compression=2)


def write_tdms(path: Path) -> None:
    from nptdms import ChannelObject, TdmsWriter

    about = {"wf_increment": 0.1, "wf_start_offset": 0.0, "unit_string": "N.m"}
    with TdmsWriter(path) as file:
        file.write_segment([ChannelObject("rig", "torque", TORQUE, properties=about)])


TABLES = {
    ".csv": [write_csv],
    ".parquet": [write_parquet],
    ".mat": [write_mat, write_packed_mat, write_mat73],
    ".mf4": [write_mf4, write_packed_mf4],
    ".tdms": [write_tdms],
}
