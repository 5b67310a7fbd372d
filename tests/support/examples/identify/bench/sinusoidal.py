"""Names for examples of the sinusoidal test."""

from support.examples import once

from stribeck.identify import Measurement, Sinusoidal, sinusoidal


@once
def found(records: list[Measurement]) -> Sinusoidal:
    return sinusoidal(records, trim=1.0)
