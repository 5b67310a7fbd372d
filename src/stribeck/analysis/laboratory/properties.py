"""Which of the seven properties of friction a law has, found by experiments on the bench.

The properties are those that Nouailletas, Mendes and Koenig 2010 name in their introduction. Each follows from an
experiment with a question that has a number as its answer, and a threshold that is far from the answers of laws with
and without the property. The experiments are those of the tribometer.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...declare import unknown
from ...errors import SimulationError, UnknownName
from ...laws import Law
from .bench import LawBench
from .experiment import Experiment, PropertyVerdict
from .loops import NestedLoops
from .presliding import SmallForce
from .rest import LoadRate, TimeAtRest
from .sines import VelocitySines
from .sliding import SteadySliding
from .vibration import Vibration
from .window import Capture, Decay

EXPERIMENTS: tuple[type[Experiment], ...] = (
    SteadySliding,
    VelocitySines,
    TimeAtRest,
    LoadRate,
    SmallForce,
    NestedLoops,
    Vibration,
    Capture,
    Decay,
)
"""All experiments, in the order of a page."""

PROPERTIES = (
    "stiction",
    "rising static friction",
    "frictional memory",
    "presliding",
    "Stribeck effect",
    "viscous friction",
    "nonlocal memory",
)
"""The seven properties, in the order of the paper."""


@dataclass(frozen=True)
class Probe:
    """A property, and the experiment from which it follows."""

    name: str
    experiment: type[Experiment]

    @property
    def criterion(self) -> str:
        """What counts as having the property.

        >>> PROBES["viscous friction"].criterion
        'Friction rises by more than 1 %.'
        """
        return self.experiment.criteria[self.name]

    def __call__(self, law: Law | LawBench) -> PropertyVerdict:
        """The verdict on a law.

        >>> PROBES["stiction"](LuGre()).has
        False
        """
        try:
            return self.experiment.of(law if isinstance(law, LawBench) else LawBench(law)).verdicts[self.name]
        except SimulationError as error:
            return PropertyVerdict(None, f"the experiment stopped: {error}")


PROBES = {
    name: Probe(name, next(experiment for experiment in EXPERIMENTS if name in experiment.criteria))
    for name in PROPERTIES
}
"""The seven probes by name."""


def friction_properties(law: Law, *names: str) -> dict[str, PropertyVerdict]:
    """Which properties of friction a law has, each by an experiment; those with these names, or all seven.

    They are stiction, rising static friction, frictional memory, presliding, Stribeck effect, viscous friction and
    nonlocal memory (Nouailletas, Mendes and Koenig 2010).

    >>> found = sb.analysis.friction_properties(sb.LuGre(), "viscous friction", "Stribeck effect")
    >>> found["viscous friction"].has
    True
    >>> found["Stribeck effect"].reason
    'friction falls from 1.5 N to 1 N'
    """
    for name in names:
        if name not in PROBES:
            raise UnknownName(unknown("friction_properties: there is no property", name, PROBES))
    bench = LawBench(law)
    return {name: PROBES[name](bench) for name in names or PROBES}
