"""A model beside a record: residuals and errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..records.measurement import Measurement


@dataclass(frozen=True, eq=False)
class Prediction:
    """One output of the model beside the channel that measured it.

    >>> prediction.rms, prediction.relative, prediction.fit
    (1.2e-5, 0.003, 99.7)
    """

    measurement: Measurement
    output: str
    channel: str
    simulated: np.ndarray

    @property
    def time(self) -> np.ndarray:
        """Times of the record (s).

        >>> prediction.time[-1]
        4.0
        """
        return np.asarray(self.measurement.time)

    @property
    def measured(self) -> np.ndarray:
        """What was measured.

        >>> prediction.measured.max()
        0.31
        """
        return np.asarray(self.measurement.channels[self.channel])

    @property
    def valid(self) -> np.ndarray:
        """Which samples count.

        >>> prediction.valid.sum()
        4000
        """
        return self.measurement.valid

    @property
    def unit(self) -> str:
        """Unit of both.

        >>> prediction.unit
        'm'
        """
        return str(self.measurement.units[self.channel])

    @cached_property
    def residual(self) -> np.ndarray:
        """Model - measurement at all samples.

        >>> prediction.residual[prediction.valid].std()
        2.9e-05
        """
        return np.asarray(self.simulated - self.measured)

    @property
    def rms(self) -> float:
        """Root of the mean square of the residuals that count.

        >>> prediction.rms
        2.9e-05
        """
        return float(np.sqrt(np.mean(self.residual[self.valid] ** 2)))

    @property
    def relative(self) -> float:
        """Norm of the residuals over that of the measurement.

        >>> prediction.relative
        0.003
        """
        return float(np.linalg.norm(self.residual[self.valid]) / np.linalg.norm(self.measured[self.valid]))

    @property
    def fit(self) -> float:
        """Share of the measured variation that the model follows, in %: 100 (1 - |residual| / |y - mean|).

        >>> prediction.fit
        99.7
        """
        y = self.measured[self.valid]
        return 100 * (1 - float(np.linalg.norm(self.residual[self.valid]) / np.linalg.norm(y - y.mean())))

    def __repr__(self) -> str:
        return f"<Prediction {self}>"

    def __str__(self) -> str:
        return (
            f"{self.output} against '{self.channel}' of {self.measurement.name}: rms {self.rms:.4g} {self.unit}, "
            f"relative error {100 * self.relative:.3g} %, fit {self.fit:.2f} %"
        )


@dataclass(frozen=True, eq=False)
class Predictions:
    """All outputs of the model beside one record.

    >>> predictions["load.s"].rms
    """

    entries: Sequence[Prediction]

    def __iter__(self) -> Iterator[Prediction]:
        return iter(self.entries)

    def __getitem__(self, output: str) -> Prediction:
        return {entry.output: entry for entry in self.entries}[output]

    @property
    def error(self) -> float:
        """Root of the mean square of the relative errors of all outputs.

        >>> result.simulate(other).error
        0.003
        """
        return float(np.sqrt(np.mean([entry.relative**2 for entry in self.entries])))

    def __repr__(self) -> str:
        return f"<Predictions {', '.join(entry.output for entry in self)}: relative error {100 * self.error:.3g} %>"

    def __str__(self) -> str:
        return "\n".join(map(str, self.entries))
