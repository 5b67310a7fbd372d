"""Elements: what a machine is made of, one file each."""

from ._declare import Element, Flange, Input, reference
from ._friction import ENGAGE, Friction, LawChoice
from .bearing import Bearing
from .brake import Brake
from .clutch import Clutch
from .damper import Damper
from .domains import DOMAINS, Domain
from .fixed import Fixed
from .force import Force
from .friction_radius import friction_radius, plates_cgeo
from .guide import Guide
from .inertia import Inertia
from .mass import Mass
from .position import Position
from .speed import Speed
from .spring import Spring
from .spring_damper import SpringDamper
from .torque import Torque

__all__ = [
    "DOMAINS",
    "ENGAGE",
    "Bearing",
    "Brake",
    "Clutch",
    "Damper",
    "Domain",
    "Element",
    "Fixed",
    "Flange",
    "Force",
    "Friction",
    "Guide",
    "Inertia",
    "Input",
    "LawChoice",
    "Mass",
    "Position",
    "Speed",
    "Spring",
    "SpringDamper",
    "Torque",
    "all_elements",
    "friction_radius",
    "plates_cgeo",
    "reference",
]


def all_elements() -> dict[str, type[Element]]:
    """Every element by its name.

    >>> all_elements()["Spring"]
    <class 'stribeck.elements.spring.Spring'>
    """
    kinds = (
        Inertia,
        Mass,
        Fixed,
        Spring,
        Damper,
        SpringDamper,
        Bearing,
        Guide,
        Clutch,
        Brake,
        Torque,
        Force,
        Speed,
        Position,
    )
    return {kind.__name__: kind for kind in kinds}
