"""What a person writes: a model, in Python or in a YAML file, checked at this border."""

from .library import load_model, shipped_models
from .model import Model
from .parameters import set_parameter
from .simulation import Simulation
from .topology import GROUND, Node, Nodes, resolve_nodes

__all__ = [
    "GROUND",
    "Model",
    "Node",
    "Nodes",
    "Simulation",
    "load_model",
    "resolve_nodes",
    "set_parameter",
    "shipped_models",
]
