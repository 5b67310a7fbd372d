"""The description of a model, in Python or in a YAML file; input is checked here."""

from .library import find_model, shipped_models
from .model import Model
from .parameters import set_parameter
from .simulation import Simulation

__all__ = [
    "Model",
    "Simulation",
    "find_model",
    "set_parameter",
    "shipped_models",
]
