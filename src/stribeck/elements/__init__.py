"""Elements: what a machine is made of, one file each."""

from ._declare import Element, Flange, Input, reference
from ._friction import Friction, LawChoice
from .backlash import ElastoBacklash, ElastoBacklash2
from .bearing import Bearing
from .cam_spring import CamSpring
from .damper import Damper
from .domains import DOMAINS, Domain
from .eddy_current_brake import EddyCurrentBrake
from .elasto_gap import ElastoGap
from .engine import Engine
from .fixed import Fixed
from .force import Force
from .guide import Guide
from .inertia import Inertia
from .mass import Mass
from .nonlinear_spring import NonlinearSpring
from .position import Position
from .speed import Speed
from .speed_torque import SpeedTorque
from .spring import Spring
from .spring_damper import SpringDamper
from .torque import Torque
from .torque_converter import TorqueConverter
from .vehicle import Vehicle

__all__ = [
    "DOMAINS",
    "Bearing",
    "CamSpring",
    "Damper",
    "Domain",
    "EddyCurrentBrake",
    "ElastoBacklash",
    "ElastoBacklash2",
    "ElastoGap",
    "Element",
    "Engine",
    "Fixed",
    "Flange",
    "Force",
    "Friction",
    "Guide",
    "Inertia",
    "Input",
    "LawChoice",
    "Mass",
    "NonlinearSpring",
    "Position",
    "Speed",
    "SpeedTorque",
    "Spring",
    "SpringDamper",
    "Torque",
    "TorqueConverter",
    "Vehicle",
    "all_elements",
    "reference",
]


def all_elements() -> dict[str, type[Element]]:
    """Every element by its name.

    >>> all_elements()["Spring"]
    <class 'stribeck.elements.spring.Spring'>
    """
    kinds = (
        *(Inertia, Mass, Vehicle, Fixed),
        *(Spring, Damper, SpringDamper, NonlinearSpring, CamSpring, ElastoGap, ElastoBacklash, ElastoBacklash2),
        *(Bearing, Guide),
        *(Torque, Force, SpeedTorque, EddyCurrentBrake, Engine, TorqueConverter),
        *(Speed, Position),
    )
    return {kind.__name__: kind for kind in kinds}
