"""Programs as C data: the fixtures of the kernel's own tests.

Run as a script it rewrites kernel/tests/models.h; a test compares the file with what it would write.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from stribeck import Model, compile_model, load_model
from stribeck.elements import Bearing, Inertia, Spring, Torque
from stribeck.laws.switch import Switch
from stribeck.signals import Sine

FILE = Path(__file__).parents[2] / "kernel" / "tests" / "models.h"


def two_bearings() -> Model:
    """Two locking bearings on one inertia (a redundant lock) and one on its neighbour, driven by a sine."""
    model = Model("two-bearings")
    first = model.add("first", Inertia(J=1.0))
    second = model.add("second", Inertia(J=0.5))
    model.add("shaft", Spring(first, second, c=10.0))
    model.add("strong", Bearing(first, law=Switch(mu_c=2.0, mu_s=3.0, mu_v=0.4)))
    model.add("weak", Bearing(first, law=Switch(mu_c=1.0, mu_s=1.5, mu_v=0.4)))
    model.add("far", Bearing(second, law=Switch(mu_c=0.5, mu_s=0.5, mu_v=0.4)))
    model.add("drive", Torque(first, tau=Sine(amplitude=8.0, f=0.5)))
    return model


def c_array(name: str, values: np.ndarray) -> str:
    """An array as a C definition; C has no empty arrays, so one unused zero stands for none."""
    kind = "int" if values.dtype == np.int32 else "double"
    numbers = ", ".join(str(v) if kind == "int" else "INFINITY" if v == np.inf else float(v).hex() for v in values)
    return f"static const {kind} {name}[] = {{{numbers or 0}}};"


def c_program(model: Model) -> str:
    """The arrays of a compiled model, a sb_model of them and its start."""
    program = compile_model(model)
    prefix = program.name.replace("-", "_")
    lines = [c_array(f"{prefix}_{name}", values) for name, values in sorted(program.arrays.items())]
    lines.append(c_array(f"{prefix}_y0", program.y0))
    members = [f"    .{name} = {value}," for name, value in sorted(program.sizes.items())]
    members += [f"    .{name} = {prefix}_{name}," for name in sorted(program.arrays)]
    return "\n".join([*lines, f"static const sb_model {prefix} = {{", *members, "};"])


def c_models() -> str:
    """The whole header."""
    models = [load_model("stick-slip"), load_model("stick-slip-switch"), two_bearings()]
    parts = [
        "/* Written by tests/support/c_model.py from the compiled models. */",
        '#include <math.h>\n\n#include "sb_model.h"',
    ]
    return "\n\n".join([*parts, *(c_program(model) for model in models)]) + "\n"


if __name__ == "__main__":
    FILE.write_text(c_models(), encoding="utf-8")
