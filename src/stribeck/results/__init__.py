"""Results: labelled traces with units, events, statistics, energy, pictures and files."""

from .batch import Batch
from .curve import PiecewiseCubic
from .data_table import DataTable
from .end import End, Origin
from .energy import Energy, EnergyRow
from .errors import ResultError, UnknownOutput
from .events import Event, Events, Phase
from .extremes import Extremes
from .meta import ResultMeta
from .modes import CODES, MODES, mode_words
from .pictures import overlay, picture
from .result import Result
from .statistics import Statistics
from .task_times import TaskTimes
from .trace import Trace

__all__ = [
    "CODES",
    "MODES",
    "Batch",
    "DataTable",
    "End",
    "Energy",
    "EnergyRow",
    "Event",
    "Events",
    "Extremes",
    "Origin",
    "Phase",
    "PiecewiseCubic",
    "Result",
    "ResultError",
    "ResultMeta",
    "Statistics",
    "TaskTimes",
    "Trace",
    "UnknownOutput",
    "mode_words",
    "overlay",
    "picture",
]
