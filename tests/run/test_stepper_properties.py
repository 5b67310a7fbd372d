"""Whatever is done with a stepper, it ends where a plain run with the same inputs ends, to the last bit."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import stribeck as sb


def machine():
    """Two clutches in a row with every kind of thing that a step may remember: bristles, locks, filters, samples."""
    m = sb.Model("remembering")
    engine, middle, load = (
        m.add(name, sb.Inertia(J=J)) for name, J in [("engine", 0.2), ("middle", 0.05), ("load", 1)]
    )
    m.add("drive", sb.Torque(engine, tau=sb.LowPass(sb.External(10), T=0.02)))
    force = m.signal("force", sb.External(0.2))
    plates = {"fn_max": 100, "cgeo": 0.3}
    m.add("first", sb.Clutch(engine, middle, law=sb.Stribeck(mu_c=0.3, mu_s=0.4, v_s=1), f_normalized=force, **plates))
    bristles = sb.LuGre(sigma0=10, sigma1=0.1, mu_c=0.3, mu_s=0.4)  # soft enough for an explicit method
    sampled = sb.SampleHold(force, period="3.5 ms") + 0.1
    m.add("second", sb.Clutch(middle, load, law=bristles, f_normalized=sampled, **plates))
    m.add("drag", sb.Damper(load, d=0.5))
    return m


PROGRAM = sb.compile_model(machine())
NAMES = ("drive.tau.u", "force")
VALUES = {"drive.tau.u": st.floats(-40, 40), "force": st.floats(0, 1)}

OPERATIONS = st.one_of(
    st.tuples(st.just("step"), st.integers(0, 25)),
    st.tuples(st.just("run"), st.integers(0, 25)),
    st.tuples(st.just("look"), st.integers(0, len(PROGRAM.output_names) - 1)),
    st.just(("save", 0)),
    st.just(("back", 0)),
    st.just(("copy", 0)),
    *(st.tuples(st.just(name), values) for name, values in VALUES.items()),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(OPERATIONS, max_size=25), st.sampled_from(["resolvent", "ode4", "mixed"]), st.sampled_from([1, 3]))
def test_all_ways_lead_to_the_same_place(operations, method, substeps):
    def new():
        return sb.realtime(PROGRAM, 1e-3, method=method, substeps=substeps)

    s = new()
    now = {name: PROGRAM.inputs[name].start for name in NAMES}
    past: list[dict[str, float]] = []
    saved = s.snapshot(), dict(now), list(past)
    for what, value in operations:
        if what in ("step", "run"):
            s.step(value) if what == "step" else s.run(n=value)
            past += [dict(now)] * value
        elif what == "look":
            assert np.isfinite(s[PROGRAM.output_names[value]])
        elif what == "save":
            saved = s.snapshot(), dict(now), list(past)
        elif what == "back":
            s.restore(saved[0])
            now, past = dict(saved[1]), list(saved[2])
        elif what == "copy":
            s = s.copy()
        else:
            s.inputs[what] = now[what] = value
    plain = new()
    plain.run(inputs={name: [then[name] for then in past] for name in NAMES})
    assert s.count == plain.count == len(past)
    assert np.array_equal(s.state, plain.state)
    assert s.modes == plain.modes
    assert s.energy == plain.energy
