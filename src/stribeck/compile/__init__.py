"""From a model to a program: topology, coordinates, layout, outputs, and the record of what values follow from."""

from .compiler import compile_model
from .graph import ExternalInput
from .mechanics import Mechanics, SpeedRows
from .parameters import Parameter
from .program import ParameterValues, Program, ProgramSet, Structure
from .topology import GROUND, Node, Nodes, check_model, resolve_nodes

__all__ = [
    "GROUND",
    "ExternalInput",
    "Mechanics",
    "Node",
    "Nodes",
    "Parameter",
    "ParameterValues",
    "Program",
    "ProgramSet",
    "SpeedRows",
    "Structure",
    "check_model",
    "compile_model",
    "resolve_nodes",
]
