"""Elements: what a machine is made of, one file each."""

from ._declare import Element, Flange, Input, reference
from ._friction import ENGAGE, Friction, LawChoice
from .backlash import ElastoBacklash, ElastoBacklash2
from .bearing import Bearing
from .brake import Brake
from .cam_spring import CamSpring
from .clutch import Clutch
from .convection import Convection
from .damper import Damper
from .differential import Differential
from .disc import Disc
from .domains import DOMAINS, THERMAL, Domain
from .eddy_current_brake import EddyCurrentBrake
from .elasto_gap import ElastoGap
from .engine import Engine
from .fixed import Fixed
from .fixed_temperature import FixedTemperature
from .force import Force
from .free_wheel import FreeWheel
from .friction_radius import friction_radius, plates_cgeo
from .gear import Gear
from .guide import Guide
from .heat_flow import HeatFlow
from .hydraulic import Hydraulic
from .inertia import Inertia
from .lossy_gear import LossyGear
from .mass import Mass
from .moving_load import MovingLoad
from .nonlinear_spring import NonlinearSpring
from .one_way_clutch import OneWayClutch
from .planetary import Planetary
from .position import Position
from .rack_pinion import RackPinion
from .rod import Rod
from .speed import Speed
from .speed_torque import SpeedTorque
from .spring import Spring
from .spring_damper import SpringDamper
from .stop import Stop
from .thermal_mass import ThermalMass
from .torque import Torque
from .torque_converter import TorqueConverter
from .vehicle import Vehicle
from .wheel import Wheel

__all__ = [
    "DOMAINS",
    "ENGAGE",
    "THERMAL",
    "Bearing",
    "Brake",
    "CamSpring",
    "Clutch",
    "Convection",
    "Damper",
    "Differential",
    "Disc",
    "Domain",
    "EddyCurrentBrake",
    "ElastoBacklash",
    "ElastoBacklash2",
    "ElastoGap",
    "Element",
    "Engine",
    "Fixed",
    "FixedTemperature",
    "Flange",
    "Force",
    "FreeWheel",
    "Friction",
    "Gear",
    "Guide",
    "HeatFlow",
    "Hydraulic",
    "Inertia",
    "Input",
    "LawChoice",
    "LossyGear",
    "Mass",
    "MovingLoad",
    "NonlinearSpring",
    "OneWayClutch",
    "Planetary",
    "Position",
    "RackPinion",
    "Rod",
    "Speed",
    "SpeedTorque",
    "Spring",
    "SpringDamper",
    "Stop",
    "ThermalMass",
    "Torque",
    "TorqueConverter",
    "Vehicle",
    "Wheel",
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
        *(Inertia, Mass, Vehicle, Fixed),
        *(Spring, Damper, SpringDamper, NonlinearSpring, CamSpring, ElastoGap, ElastoBacklash, ElastoBacklash2),
        *(Bearing, Guide, Clutch, Brake, OneWayClutch, FreeWheel, Stop),
        *(Torque, Force, SpeedTorque, MovingLoad, EddyCurrentBrake, Engine, TorqueConverter),
        *(Speed, Position),
        *(ThermalMass, Convection, FixedTemperature, HeatFlow),
        *(Disc, Rod, Gear, LossyGear, Planetary, Differential, RackPinion, Wheel, Hydraulic),
    )
    return {kind.__name__: kind for kind in kinds}
