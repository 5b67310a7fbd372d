"""Programs as C data: the fixtures of the kernel's own tests.

`python -m tests.support.c_model` rewrites kernel/tests/models.h; a test compares the file with what it would write.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from stribeck import (
    PID,
    Bearing,
    Clutch,
    Damper,
    Delay,
    FreeWheel,
    FrictionTable,
    Hybrid,
    HybridPresliding,
    ImprovedDahl,
    Inertia,
    Karnopp,
    LossyGear,
    LuGre,
    Map,
    Model,
    Polynomial,
    Quantiser,
    Relay,
    SampleHold,
    Sensor,
    Sine,
    Spring,
    SpringDamper,
    Square,
    StateSpace,
    Stop,
    StribeckThreshold,
    Switch,
    ThermalMass,
    Torque,
    compile_model,
    load_model,
)
from tools.codegen.emit import law_id

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


def controlled() -> Model:
    """A loop with every operation that keeps something or has branches, and loads that depend on states."""
    m = Model("controlled")
    mass, tool = m.add("mass", Inertia(J=1.0, w0=0.5)), m.add("tool", Inertia(J=0.3))
    m.add("shaft", SpringDamper(mass, tool, c=20.0, d=0.1))
    phi, w = Sensor("mass.phi"), Sensor("mass.w")
    m.signal("count", Quantiser(phi, 0.05))
    encoder = Quantiser(SampleHold(phi, 0.02), 0.05)
    speed = StateSpace(SampleHold(w, 0.05), A=[[0.8]], B=[0.2], C=[1.0], dt=0.05)
    pid = PID(Square(0.5, f=0.2), encoder, Kp=6.0, Ki=3.0, Kd=1.0, T_f=0.05, low=-3.0, high=3.0)
    m.signal("u", pid - 0.3 * speed - 0.2 * Delay(w, 0.1, points=50))
    m.add("motor", Torque(mass, tau="u"))
    m.add("push", Torque(tool, tau=Relay(phi, -0.2, 0.2, off=0.3, on=-0.3)))
    m.add("map", Torque(tool, tau=Map(phi, w, x=[-1, 0, 1], y=[-1, 1], z=[[0, 1], [1, 0], [0.5, -1]])))
    load = Polynomial(phi, [1.0, 0.1])
    m.add("pair", Bearing(tool, law=LuGre(sigma0=300, sigma1=5, v_s=0.1), load=load, load_backward=1 + abs(w)))
    return m


def many_laws() -> Model:
    """Laws of every manner: windows, decay, discrete states, a curve of points, a load pair, parameters that follow
    positions and a temperature; all warm one housing."""
    m = Model("many-laws")
    m.add("housing", ThermalMass(C=5.0))
    laws = [
        Karnopp(mu_c=Polynomial("body0.phi", [1.0, 0.0, 0.1]), mu_v=0.2, dv=0.01),
        Hybrid(Sigma=0.01, Sigma_2=0.001, p0=100.0, v_s=0.05),
        HybridPresliding.tuned(mass=0.5, z_max=1e-3, Sigma=0.01, v_s=0.05),
        ImprovedDahl(sigma0=Polynomial("body3.phi", [300.0, 0.0, 50.0]), sigma1=5.0, dv=0.05),
        StribeckThreshold(v_s=0.05, mu_v=Polynomial("housing.T", [0.8, -0.002]), v_v=0.5),
        FrictionTable(),
    ]
    for i, law in enumerate(laws):
        m.add(f"body{i}", Inertia(J=0.5))
        back = 0.8 if i == 0 else None
        m.add(f"friction{i}", Bearing(f"body{i}", law=law, load_backward=back, heat="housing"))
        m.add(f"drive{i}", Torque(f"body{i}", tau=Sine(amplitude=3.0, f=0.3 + 0.05 * i)))
        m.add(f"spring{i}", Spring(f"body{i}", c=4.0))
    return m


def one_way() -> Model:
    """What lets move one way only, and loses with the torque that passes: a free-wheel, a stop, a gear with losses."""
    m = Model("one-way")
    motor, shaft, drum = (m.add(name, Inertia(J=J)) for name, J in (("motor", 0.5), ("shaft", 0.3), ("drum", 1.0)))
    m.add("drive", Torque(motor, tau=Sine(amplitude=3.0, f=0.7)))
    m.add("hub", FreeWheel(motor, shaft))
    m.add("seal", Bearing(shaft, law=Switch(mu_c=0.05, mu_s=0.08, mu_v=0.05)))
    m.add("gear", LossyGear(shaft, drum, ratio=2, loss_table=[[0.0, 0.8, 0.7, 0.1, 0.1], [5.0, 0.9, 0.8, 0.2, 0.1]]))
    m.add("mount", SpringDamper(drum, c=20.0, d=0.5))
    m.add("ends", Stop(drum, phi_min=-0.1, phi_max=0.2, restitution=0.6))
    return m


def parked() -> Model:
    """Contacts that must not creep: on the ground at 90 % of its limit, and a locked pair that rotates and swings."""
    m = Model("parked")
    held = m.add("held", Inertia(J=1.0))
    m.add("brake", Bearing(held, law=Switch(mu_c=1.0, mu_s=1.5)))
    m.add("load", Torque(held, tau=1.35))
    first, second = m.add("first", Inertia(J=0.3, w0=100.0)), m.add("second", Inertia(J=0.7, w0=100.0))
    m.add("clutch", Clutch(first, second, law=Switch(mu_c=0.25, mu_s=0.3), fn_max=4000.0, cgeo=0.25, f_normalized=1.0))
    m.add("drive", Torque(first, tau=Sine(amplitude=50.0, f=1.3, offset=10.0)))
    m.add("air", Damper(second, d=0.1))
    return m


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
    records = ", ".join(f"&sb_laws[{law_id(law)}]" for law in program.laws)
    lines.append(f"static const sb_law *const {prefix}_fr_law[] = {{{records or 0}}};")
    members = [f"    .{name} = {value}," for name, value in sorted(program.sizes.items())]
    members += [f"    .{name} = {prefix}_{name}," for name in sorted([*program.arrays, "fr_law"])]
    return "\n".join([*lines, f"static const sb_model {prefix} = {{", *members, "};"])


def c_models() -> str:
    """The whole header."""
    shipped = [load_model(name) for name in ("stick-slip", "stick-slip-switch", "gearbox")]
    models = [*shipped, two_bearings(), controlled(), many_laws(), one_way(), parked()]
    parts = [
        "/* Written by tests/support/c_model.py from the compiled models. */",
        '#include <math.h>\n\n#include "sb_law_ids.h"\n#include "sb_model.h"',
    ]
    return "\n\n".join([*parts, *(c_program(model) for model in models)]) + "\n"


if __name__ == "__main__":
    FILE.write_text(c_models(), encoding="utf-8")
