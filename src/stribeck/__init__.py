"""Stribeck: friction, clutches and drivelines, from Python to the metal.

>>> import stribeck as sb
>>> result = sb.simulate(sb.load_model("stick-slip"))
>>> result.plot("mass.w", "friction.tau")

All elements, laws and signals are available here by name. Tools for analysis and identification are in
`stribeck.analysis` and `stribeck.identify`, the base classes of laws in `stribeck.laws`, tables and pages in
`stribeck.reports`, the style of pictures in `stribeck.style`, exports for other programs in `stribeck.deploy`; the
`__all__` of each lists its public names. Type checkers read `__init__.pyi`, which `python -m tools.stub` writes.
"""

from importlib import import_module
from types import ModuleType

from .arguments import guard
from .compile import Program, compile_model
from .elements import Element, friction_radius, plates_cgeo
from .errors import (
    ArgumentError,
    FileError,
    SimulationError,
    SpecError,
    StribeckError,
    StructureError,
    UnitError,
    UnknownName,
    WriteError,
)
from .laws import Law
from .model import Model, load_model
from .results import Batch, Result, overlay, picture
from .run import Copies, Environment, Stepper, VectorEnvironment, batch, realtime, simulate
from .signals import EXPRESSIONS, Signal, linear_system
from .spec import Simulation, load_laws, set_parameter, shipped_models
from .sweeps import continuation, sweep

__all__ = [
    "ArgumentError",
    "Batch",
    "Copies",
    "Environment",
    "FileError",
    "Model",
    "Program",
    "Result",
    "Simulation",
    "SimulationError",
    "SpecError",
    "Stepper",
    "StribeckError",
    "StructureError",
    "UnitError",
    "UnknownName",
    "VectorEnvironment",
    "WriteError",
    "batch",
    "compile_model",
    "continuation",
    "friction_radius",
    "linear_system",
    "load_laws",
    "load_model",
    "overlay",
    "picture",
    "plates_cgeo",
    "realtime",
    "set_parameter",
    "shipped_models",
    "simulate",
    "sweep",
]

for _registry in (Element.registry, Law.registry, Signal.registry):
    _public = {name: kind for name, kind in _registry.all().items() if kind.group != EXPRESSIONS}
    globals().update(_public)
    __all__ += _public

guard(globals(), __all__)

LATER = ("analysis", "deploy", "identify", "reports", "style", "sweeps")
"""Packages that are loaded on first use."""


def __getattr__(name: str) -> ModuleType | str:
    if name in LATER:
        return import_module(f".{name}", __name__)
    if name == "__version__":
        from importlib.metadata import version

        return version(__name__)
    tools = () if name.startswith("_") else LATER
    place = next((tool for tool in tools if name in import_module(f".{tool}", __name__).__all__), "")
    way_out = f"; it is {__name__}.{place}.{name}" if place else ""
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'{way_out}")


def __dir__() -> list[str]:
    return [*globals(), *LATER, "__version__"]
