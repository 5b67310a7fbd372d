"""Names for examples of break-away."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from support.examples import once

from stribeck.identify import BreakAwayCurve, BreakAways, Measurement, break_aways


@once
def found(ramps: Measurement) -> BreakAways:
    return break_aways(ramps)


def curve(found: BreakAways) -> BreakAwayCurve:
    return found.curve(1, degree=1)


def slow(found: BreakAways) -> BreakAways:
    return found


def fast(found: BreakAways) -> BreakAways:
    return found


def axes() -> Axes:
    return Figure().subplots()
