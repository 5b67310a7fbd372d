"""The description of a model, in Python or in a YAML file; input is checked here."""

from .law_texts import load_laws
from .library import find_model, shipped_models
from .model import Model
from .parameters import canonical_paths, set_parameter, set_parameters
from .simulation import Simulation

__all__ = [
    "Model",
    "Simulation",
    "canonical_paths",
    "find_model",
    "load_laws",
    "set_parameter",
    "set_parameters",
    "shipped_models",
]
