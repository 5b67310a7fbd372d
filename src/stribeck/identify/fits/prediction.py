"""A model compared with a record: residuals and errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..records.measurement import Measurement
from .sums import length


@dataclass(frozen=True, eq=False)
class Prediction:
    """One output of the model compared with the measured channel.

    >>> prediction.rms, prediction.relative, prediction.fit
    (2.79e-06, 1.53e-05, 100.0)
    """

    measurement: Measurement
    output: str
    channel: str
    simulated: np.ndarray

    @property
    def time(self) -> np.ndarray:
        """Sample times of the record (s).

        >>> prediction.time[-1]
        3.0
        """
        return np.asarray(self.measurement.time)

    @property
    def measured(self) -> np.ndarray:
        """The measured channel.

        >>> prediction.measured.max()
        0.0512
        """
        return np.asarray(self.measurement.channels[self.channel])

    @property
    def valid(self) -> np.ndarray:
        """Which samples are valid.

        >>> prediction.valid.sum()
        1501
        """
        return self.measurement.valid

    @property
    def unit(self) -> str:
        """Unit of the output and the channel.

        >>> prediction.unit
        'm'
        """
        return str(self.measurement.units[self.channel])

    @cached_property
    def residual(self) -> np.ndarray:
        """Model - measurement at all samples.

        >>> prediction.residual[prediction.valid].std()
        2.79e-06
        """
        return np.asarray(self.simulated - self.measured)

    @property
    def rms(self) -> float:
        """Root mean square of the valid residuals.

        >>> prediction.rms
        2.79e-06
        """
        return float(np.sqrt(np.mean(self.residual[self.valid] ** 2)))

    @property
    def relative(self) -> float:
        """Norm of the residuals relative to that of the measurement.

        >>> prediction.relative
        1.53e-05
        """
        return float(length(self.residual[self.valid]) / length(self.measured[self.valid]))

    @property
    def fit(self) -> float:
        """Normalised fit in %: 100 (1 - |residual| / |y - mean(y)|).

        >>> prediction.fit
        100.0
        """
        y = self.measured[self.valid]
        return 100 * (1 - float(length(self.residual[self.valid]) / length(y - y.mean())))

    def __repr__(self) -> str:
        return f"<Prediction {self}>"

    def __str__(self) -> str:
        return (
            f"{self.output} against '{self.channel}' of {self.measurement.name}: rms {self.rms:.4g} {self.unit}, "
            f"relative error {100 * self.relative:.3g} %, fit {self.fit:.2f} %"
        )


@dataclass(frozen=True, eq=False)
class Predictions:
    """All outputs of the model compared with one record.

    >>> predictions["load.s"].rms
    """

    entries: Sequence[Prediction]

    def __iter__(self) -> Iterator[Prediction]:
        return iter(self.entries)

    def __getitem__(self, output: str) -> Prediction:
        return {entry.output: entry for entry in self.entries}[output]

    @property
    def error(self) -> float:
        """Root mean square of the relative errors of all outputs.

        >>> result.simulate(other).error
        2.71e-05
        """
        return float(np.sqrt(np.mean([entry.relative**2 for entry in self.entries])))

    def __repr__(self) -> str:
        return f"<Predictions {', '.join(entry.output for entry in self)}: relative error {100 * self.error:.3g} %>"

    def __str__(self) -> str:
        return "\n".join(map(str, self.entries))
