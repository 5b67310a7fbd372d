"""Stribeck: friction, clutches and drivelines, from Python to the metal.

>>> import stribeck as sb
>>> result = sb.simulate(sb.load_model("stick-slip"))
>>> result.plot("mass.w", "friction.tau")
"""

from .compile import Program, compile_model
from .elements import (
    Bearing,
    Damper,
    Differential,
    Fixed,
    Force,
    Gear,
    Guide,
    Hydraulic,
    Inertia,
    Mass,
    Planetary,
    Position,
    RackPinion,
    Speed,
    Spring,
    SpringDamper,
    Torque,
    Wheel,
)
from .errors import FileError, SimulationError, SpecError, StribeckError, UnitError, UnknownName
from .laws.coulomb import Coulomb
from .laws.coulomb_viscous import CoulombViscous
from .laws.dahl import Dahl
from .laws.damped_lugre import DampedLuGre
from .laws.elasto_plastic import ElastoPlastic
from .laws.elasto_plastic_table import ElastoPlasticTable
from .laws.friction_table import FrictionTable
from .laws.hybrid import Hybrid
from .laws.hybrid_presliding import HybridPresliding
from .laws.improved_dahl import ImprovedDahl
from .laws.karnopp import Karnopp
from .laws.lugre import LuGre
from .laws.modified_elasto_plastic import ModifiedElastoPlastic
from .laws.simplified_lugre import SimplifiedLuGre
from .laws.stribeck import Stribeck
from .laws.stribeck_threshold import StribeckThreshold
from .laws.switch import Switch
from .laws.tanh import Tanh
from .results import Result
from .run import simulate
from .signals import (
    PID,
    And,
    Chirp,
    Compare,
    Constant,
    DeadZone,
    Delay,
    Derivative,
    Function,
    Gain,
    Integral,
    Lookup,
    LowPass,
    Map,
    Maximum,
    Minimum,
    Named,
    Not,
    Or,
    Polynomial,
    Power,
    Product,
    Pulse,
    Quantiser,
    Quotient,
    Ramp,
    Recording,
    Relay,
    SampleHold,
    Saturation,
    Sensor,
    Sine,
    Square,
    StateSpace,
    Step,
    Sum,
    Table,
    Time,
    TransferFunction,
    Where,
    linear_system,
)
from .spec import Model, Simulation, load_model, set_parameter, shipped_models
from .studies import Comparison, compare

__all__ = [
    "PID",
    "And",
    "Bearing",
    "Chirp",
    "Compare",
    "Comparison",
    "Constant",
    "Coulomb",
    "CoulombViscous",
    "Dahl",
    "DampedLuGre",
    "Damper",
    "DeadZone",
    "Delay",
    "Derivative",
    "Differential",
    "ElastoPlastic",
    "ElastoPlasticTable",
    "FileError",
    "Fixed",
    "Force",
    "FrictionTable",
    "Function",
    "Gain",
    "Gear",
    "Guide",
    "Hybrid",
    "HybridPresliding",
    "Hydraulic",
    "ImprovedDahl",
    "Inertia",
    "Integral",
    "Karnopp",
    "Lookup",
    "LowPass",
    "LuGre",
    "Map",
    "Mass",
    "Maximum",
    "Minimum",
    "Model",
    "ModifiedElastoPlastic",
    "Named",
    "Not",
    "Or",
    "Planetary",
    "Polynomial",
    "Position",
    "Power",
    "Product",
    "Program",
    "Pulse",
    "Quantiser",
    "Quotient",
    "RackPinion",
    "Ramp",
    "Recording",
    "Relay",
    "Result",
    "SampleHold",
    "Saturation",
    "Sensor",
    "SimplifiedLuGre",
    "Simulation",
    "SimulationError",
    "Sine",
    "SpecError",
    "Speed",
    "Spring",
    "SpringDamper",
    "Square",
    "StateSpace",
    "Step",
    "Stribeck",
    "StribeckError",
    "StribeckThreshold",
    "Sum",
    "Switch",
    "Table",
    "Tanh",
    "Time",
    "Torque",
    "TransferFunction",
    "UnitError",
    "UnknownName",
    "Wheel",
    "Where",
    "compare",
    "compile_model",
    "linear_system",
    "load_model",
    "set_parameter",
    "shipped_models",
    "simulate",
]
