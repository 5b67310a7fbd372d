"""Names for examples of the commands: a plant with an input, its task times, and the fit of a record."""

import numpy as np
from support.examples import once
from support.examples.files import axis

import stribeck as sb


def stepper() -> sb.Stepper:
    return axis().realtime(h="1 ms")


@once
def times() -> object:
    return axis().realtime(h="1 ms").measure(n=1000, pace=False)


@once
def fitted() -> sb.identify.FitResult:
    """The mass, from a noise-free record."""
    u = 3 * np.sin(np.linspace(0, 12, 200))
    run = axis().realtime(h="5 ms").run(n=u.size, inputs={"motor.f": u})
    record = sb.identify.Measurement({"q": run["load.s"], "u": np.append(u, u[-1])}, sample_time="5 ms")
    return axis().fit(record, ["load.m"], inputs={"motor.f": "u"}, outputs={"load.s": "q"})
