"""Elements: what a machine is made of, one file each."""

from ._declare import Element, Flange, Input, reference
from ._friction import Friction, LawChoice
from .bearing import Bearing
from .damper import Damper
from .differential import Differential
from .domains import DOMAINS, Domain
from .fixed import Fixed
from .force import Force
from .gear import Gear
from .guide import Guide
from .hydraulic import Hydraulic
from .inertia import Inertia
from .mass import Mass
from .planetary import Planetary
from .position import Position
from .rack_pinion import RackPinion
from .speed import Speed
from .spring import Spring
from .spring_damper import SpringDamper
from .torque import Torque
from .wheel import Wheel

__all__ = [
    "DOMAINS",
    "Bearing",
    "Damper",
    "Differential",
    "Domain",
    "Element",
    "Fixed",
    "Flange",
    "Force",
    "Friction",
    "Gear",
    "Guide",
    "Hydraulic",
    "Inertia",
    "Input",
    "LawChoice",
    "Mass",
    "Planetary",
    "Position",
    "RackPinion",
    "Speed",
    "Spring",
    "SpringDamper",
    "Torque",
    "Wheel",
    "all_elements",
    "reference",
]


def all_elements() -> dict[str, type[Element]]:
    """Every element by its name.

    >>> all_elements()["Spring"]
    <class 'stribeck.elements.spring.Spring'>
    """
    couplings = (Gear, Planetary, Differential, RackPinion, Wheel, Hydraulic)
    kinds = (Inertia, Mass, Fixed, Spring, Damper, SpringDamper, Bearing, Guide, Torque, Force, Speed, Position)
    return {kind.__name__: kind for kind in (*kinds, *couplings)}
