"""What a comparison of laws on measured records found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import SpecError
from ...results.data_table import DataTable
from ..fits.result import FitResult
from ..fits.uncertainty import noise_covariance

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOUBT = 2.0
"""Standard errors by which a law must be worse than the best one to be told from it."""
ALIKE = 0.02
"""Logarithm of the ratio of squared errors below which two laws are the same for any use: 1 % of the error."""
HEAD = ("law", "parameters", "fitted / %", "held out / %", "AIC", "BIC", "weight", "remarks")


@dataclass(frozen=True, eq=False)
class Candidate:
    """One law: its fit to all records, and its errors on what it had not seen (shares of the measured variation).

    >>> choice["LuGre"].held_out, choice["LuGre"].result.values
    (0.0123, {'joint.law.mu_c': 0.8})
    """

    law: str
    result: FitResult | None
    squares: Sequence[np.ndarray]
    """Squared residuals of the samples that were held out, as shares of the measured variation, part by part."""
    failure: str = ""

    @property
    def errors(self) -> np.ndarray:
        """Errors on the parts that were held out: root mean squares, as shares of the measured variation.

        >>> choice["LuGre"].errors
        array([0.011, 0.014, 0.012])
        """
        return np.array([math.sqrt(part.mean()) for part in self.squares])

    @property
    def parameters(self) -> int:
        """How many are free.

        >>> choice["LuGre"].parameters
        6
        """
        return 0 if self.result is None else len(self.result.names)

    @property
    def fitted(self) -> float:
        """Error on what was fitted, as a share of the measured variation.

        >>> choice["LuGre"].fitted
        0.0118
        """
        if self.result is None:
            return math.inf
        return float(np.sqrt(np.mean([(1 - p.fit / 100) ** 2 for p in self.result.predictions])))

    @property
    def held_out(self) -> float:
        """Error on all that was not fitted.

        >>> choice["LuGre"].held_out
        0.0123
        """
        return math.inf if self.result is None else float(np.sqrt(np.mean(np.concatenate(self.squares))))

    @property
    def remarks(self) -> str:
        """What is to be said about the fit.

        >>> choice["LuGre"].remarks
        'not identifiable: sigma1'
        """
        if self.result is None:
            return self.failure
        short = {path: path.rpartition(".law.")[2] for path in self.result.names}
        unknown = [short[path] for path in self.result.unidentifiable]
        words = [f"not identifiable: {', '.join(unknown)}"] if unknown else []
        words += [f"at a bound: {', '.join(short[path] for path in self.result.at_bound)}"] * bool(self.result.at_bound)
        words += [] if self.result.converged else ["not converged"]
        return "; ".join(words)

    def __repr__(self) -> str:
        return f"<Candidate {self}>"

    def __str__(self) -> str:
        errors = (
            "" if self.result is None else f"fitted {100 * self.fitted:.4g} %, held out {100 * self.held_out:.4g} %"
        )
        return f"{self.law}: {'; '.join(word for word in (errors, self.remarks) if word)}"


@dataclass(frozen=True, eq=False)
class LawChoice:
    """Laws in the order of their error on what they had not seen.

    The criteria of Akaike and Schwarz (AIC, BIC) are differences to the best law. They count as many samples as the
    residuals of the closest fit are worth, since coloured residuals say the same several times.

    >>> print(choice)
    >>> choice.plot("laws.png")
    >>> choice.report("laws.html")
    """

    model: Any
    places: tuple[str, ...]
    way: str
    """What was held out."""
    candidates: Sequence[Candidate]

    def __post_init__(self) -> None:
        object.__setattr__(self, "candidates", sorted(self.candidates, key=lambda c: c.held_out))
        if not len(self.candidates):
            raise SpecError("which_law: candidates is empty; name at least one law")
        if self.candidates[0].result is None:
            raise SpecError(
                f"which_law: no law could be fitted; {self.candidates[0].law}: {self.candidates[0].failure}"
            )

    def __getitem__(self, law: str) -> Candidate:
        return {candidate.law: candidate for candidate in self.candidates}[law]

    @property
    def fits(self) -> list[tuple[Candidate, FitResult]]:
        """The laws that could be fitted.

        >>> [candidate.law for candidate, result in choice.fits]
        ['LuGre', 'Stribeck']
        """
        return [(candidate, candidate.result) for candidate in self.candidates if candidate.result is not None]

    @property
    def best(self) -> str:
        """The law with the smallest error on what it had not seen.

        >>> choice.best
        'LuGre'
        """
        return self.candidates[0].law

    @property
    def as_good(self) -> list[str]:
        """Laws that are not worse than the best one by more than chance (`excess`).

        >>> choice.as_good
        ['LuGre', 'Stribeck']
        """
        return [candidate.law for candidate, _ in self.fits if self._as_good(candidate)]

    def _as_good(self, candidate: Candidate) -> bool:
        more, doubt = self.excess(candidate.law)
        return more <= max(DOUBT * doubt, ALIKE)

    def excess(self, law: str) -> tuple[float, float]:
        """Logarithm of the mean squared error of a law on held-out samples over that of the best law, and the standard
        error of it: from sample to sample, coloured as they are (after Diebold and Mariano 1995), or from part to part,
        whichever is larger.

        >>> choice.excess("Stribeck")
        (0.012, 0.021)
        """
        mine, best = self[law].squares, self.candidates[0].squares
        both = [np.concatenate(parts) for parts in (mine, best)]
        means = [max(float(part.mean()), 1e-300) for part in both]
        bends = both[0] / means[0] - both[1] / means[1]  # the logarithm, linearised in every sample
        covariance = noise_covariance(bends, bends.size)
        along = max(float(covariance[0] + 2 * covariance[1:].sum()), 0.0) / bends.size
        sizes = [part.size for part in mine]
        parts = np.array([part.sum() for part in np.split(bends, np.cumsum(sizes)[:-1])]) * len(sizes) / bends.size
        between = float(parts.var(ddof=1)) / parts.size if parts.size > 1 else 0.0
        return math.log(means[0] / means[1]), math.sqrt(max(along, between))

    @property
    def simplest(self) -> str:
        """The law with the fewest parameters among those that are as good as the best one.

        >>> choice.simplest
        'Stribeck'
        """
        return min(self.as_good, key=lambda law: self[law].parameters)

    @property
    def worth(self) -> float:
        """Independent samples that the residuals of the closest fit are worth.

        >>> choice.worth
        310.0
        """
        return max(self.fits, key=lambda pair: pair[1].log_likelihood)[1].uncertainty.effective

    @property
    def aic(self) -> dict[str, float]:
        """Akaike's criterion by law, as the difference to the lowest.

        >>> choice.aic
        {'LuGre': 0.0, 'Stribeck': 5.1}
        """
        return self._criterion(2.0)

    @property
    def bic(self) -> dict[str, float]:
        """Schwarz' criterion by law, as the difference to the lowest.

        >>> choice.bic
        {'LuGre': 2.4, 'Stribeck': 0.0}
        """
        return self._criterion(math.log(max(self.worth, 2.0)))

    def _criterion(self, price: float) -> dict[str, float]:
        values = {c.law: price * c.parameters - 2 * r.log_likelihood * self.worth / r.samples for c, r in self.fits}
        lowest = min(values.values())
        return {law: value - lowest for law, value in values.items()}

    @property
    def weights(self) -> dict[str, float]:
        """Akaike's weights: how the evidence of the fitted records spreads over the laws.

        >>> choice.weights
        {'LuGre': 0.93, 'Stribeck': 0.07}
        """
        raw = {law: math.exp(-value / 2) for law, value in self.aic.items()}
        total = sum(raw.values())
        return {law: value / total for law, value in raw.items()}

    def rows(self) -> list[list[Any]]:
        """One row per law, as HEAD names them.

        >>> choice.rows()[0][:2]
        ['LuGre', '6']
        """
        aic, bic, weights = self.aic, self.bic, self.weights
        rows: list[list[Any]] = []
        for c in self.candidates:
            if c.result is None:
                rows.append([c.law, "", "", "", "", "", "", c.remarks])
                continue
            numbers = [f"{100 * c.fitted:.4g}", f"{100 * c.held_out:.4g}", f"{aic[c.law]:.1f}", f"{bic[c.law]:.1f}"]
            rows.append([c.law, str(c.parameters), *numbers, f"{weights[c.law]:.3f}", c.remarks])
        return rows

    @property
    def verdict(self) -> str:
        """The answer in a sentence or two.

        >>> choice.verdict
        'LuGre predicts best what it has not seen (held-out run8).'
        """
        text = f"{self.best} predicts best what it has not seen ({self.way})"
        equal = [law for law in self.as_good if law != self.best]
        text += f"; {', '.join(equal)} cannot be told from it." if equal else "."
        if self.simplest != self.best:
            text += f" {self.simplest} needs the fewest parameters of these: take it unless more is known."
        return text

    def plot(self, path: str | Path | None = None) -> Figure:
        """A picture: errors on fitted and held-out data, criteria, and friction over speed.

        >>> choice.plot("laws.png")
        """
        from .plot import plot_laws

        return plot_laws(self, path)

    def report(self, path: str | Path) -> Path:
        """Writes one HTML page with the table, the picture and the parameters of every law.

        >>> choice.report("laws.html")
        """
        from .report import report_laws

        return report_laws(self, path)

    def __repr__(self) -> str:
        return f"<LawChoice {self.model.name}: {', '.join(candidate.law for candidate in self.candidates)}>"

    def __str__(self) -> str:
        return f"{DataTable(HEAD, self.rows())}\n{self.verdict}"
