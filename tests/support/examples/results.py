"""Names for examples of results: a machine that sticks and slips, its runs, and small tables."""

from matplotlib.axes import Axes
from support.examples import once

import stribeck as sb
from stribeck.results.data_table import DataTable
from stribeck.results.meta import ResultMeta
from stribeck.results.style import Picture
from stribeck.results.task_times import TaskTimes


def model() -> sb.Model:
    return sb.load_model("stick-slip-switch")


@once
def result() -> sb.Result:
    return sb.simulate("stick-slip-switch")


@once
def end() -> sb.results.End:
    return sb.simulate("stick-slip-switch", t_end=10).end


@once
def fixed() -> sb.Result:
    """The same in fixed steps."""
    return sb.load_model("stick-slip-switch").realtime(h="1 ms").run(t_end=25, every=10)


@once
def times() -> TaskTimes:
    return sb.load_model("stick-slip-switch").realtime(h="1 ms").measure(n=1000, pace=False)


def table() -> DataTable:
    return DataTable(["element", "J"], [["spring", 0.25]])


def energy() -> sb.results.Energy:
    return sb.results.Energy(input={"pull": 2.0}, stored={"spring": 0.5}, dissipated={"friction": 1.5})


def events() -> sb.results.Events:
    return sb.results.Events([(5.0, "friction", 0, 1), (7.5, "friction", 1, 0)])


def meta() -> ResultMeta:
    return ResultMeta("rig", ("mass.w", "mass.a"), ("rad/s", "rad/s2"), {"mass": "Inertia"})


def figure() -> Picture:
    return Picture(8, 3)


def axes(figure: Picture) -> Axes:
    return figure.subplots()


@once
def many() -> sb.Batch:
    return sb.batch("stick-slip", {"spring.c": [1.0, 2.0, 3.0]}, measures=["friction.tau:max"], t_end=5)
