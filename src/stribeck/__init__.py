"""Stribeck: friction, clutches and drivelines, from Python to the metal.

>>> import stribeck as sb
>>> result = sb.simulate(sb.load_model("stick-slip"))
>>> result.plot("mass.w", "friction.tau")
"""

from .compile import Program, compile_model
from .elements import Bearing, Damper, Fixed, Force, Guide, Inertia, Mass, Position, Speed, Spring, SpringDamper, Torque
from .errors import FileError, SimulationError, SpecError, StribeckError, UnitError, UnknownName
from .laws.lugre import LuGre
from .laws.switch import Switch
from .results import Result
from .run import simulate
from .signals import Constant, Ramp, Sine, Step, Table
from .spec import Model, Simulation, load_model, set_parameter, shipped_models
from .studies import compare

__all__ = [
    "Bearing",
    "Constant",
    "Damper",
    "FileError",
    "Fixed",
    "Force",
    "Guide",
    "Inertia",
    "LuGre",
    "Mass",
    "Model",
    "Position",
    "Program",
    "Ramp",
    "Result",
    "Simulation",
    "SimulationError",
    "Sine",
    "SpecError",
    "Speed",
    "Spring",
    "SpringDamper",
    "Step",
    "StribeckError",
    "Switch",
    "Table",
    "Torque",
    "UnitError",
    "UnknownName",
    "compare",
    "compile_model",
    "load_model",
    "set_parameter",
    "shipped_models",
    "simulate",
]
