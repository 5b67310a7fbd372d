"""The result of a comparison of laws on measured records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...errors import SpecError
from ...results.data_table import DataTable, in_notebook
from ...spec import Model
from ..fits.result import FitResult
from ..fits.uncertainty import noise_covariance

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOUBT = 2.0
"""Standard errors by which a law must be worse than the best one to be significantly worse."""
ALIKE = 0.02
"""Logarithm of the ratio of squared errors below which two laws are practically equal: 1 % of the error."""
FEW, CLEAR = 3, 1.0
"""Least number of held-out parts for a verdict between close laws, and logarithm of the ratio of squared errors that is
clear with fewer: 1.6 times the error."""
HEAD = ("law", "parameters", "cost / ms", "fitted / %", "held out / %", "±", "AIC", "BIC", "weight", "remarks")


@dataclass(frozen=True, eq=False)
class Candidate:
    """One law: its fit to all records, and its errors on held-out data (relative to the measured standard deviation).

    >>> choice["Stribeck"].held_out, choice["Stribeck"].result.values["joint.law.mu_c"]
    (0.0135, 0.839)
    """

    law: str
    result: FitResult | None
    squares: Sequence[np.ndarray]
    """Squared residuals of the held-out samples, relative to the measured variance, by part."""
    failure: str = ""
    cost: float = math.nan
    """Time of one simulation of the first record (s)."""

    @property
    def held_out_error(self) -> float:
        """Standard error of `held_out`: from the autocorrelated samples or between parts, whichever is larger.

        >>> choice["Stribeck"].held_out_error
        0.00135
        """
        if self.result is None:
            return math.inf
        mean = max(float(np.mean(np.concatenate(self.squares))), 1e-300)
        return 0.5 * math.sqrt(_variance([part / mean for part in self.squares])) * self.held_out

    @property
    def errors(self) -> np.ndarray:
        """Root mean square errors on the held-out parts, relative to the measured standard deviation.

        >>> choice["Stribeck"].errors
        array([0.0135])
        """
        return np.array([math.sqrt(part.mean()) for part in self.squares])

    @property
    def parameters(self) -> int:
        """Number of free parameters.

        >>> choice["Stribeck"].parameters
        4
        """
        return 0 if self.result is None else len(self.result.names)

    @property
    def fitted(self) -> float:
        """Error on the fitted records, relative to the measured standard deviation.

        >>> choice["Stribeck"].fitted
        0.00454
        """
        if self.result is None:
            return math.inf
        return float(np.sqrt(np.mean([(1 - p.fit / 100) ** 2 for p in self.result.predictions])))

    @property
    def held_out(self) -> float:
        """Error on all held-out data.

        >>> choice["Stribeck"].held_out
        0.0135
        """
        return math.inf if self.result is None else float(np.sqrt(np.mean(np.concatenate(self.squares))))

    @property
    def remarks(self) -> str:
        """Remarks about the fit.

        >>> choice["Stribeck"].remarks
        ''
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
    """Laws in the order of their error on held-out data.

    AIC and BIC are differences to the best law. They use the effective sample size of the residuals of the closest fit,
    because the residuals are autocorrelated.

    >>> print(choice)
    >>> choice.plot("laws.png")
    >>> choice.report("laws.html")
    """

    model: Model
    places: tuple[str, ...]
    validation: str
    """The held-out data."""
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
        ['Stribeck', 'Coulomb']
        """
        return [(candidate, candidate.result) for candidate in self.candidates if candidate.result is not None]

    @property
    def best(self) -> str:
        """The law with the smallest error on held-out data.

        >>> choice.best
        'Stribeck'
        """
        return self.candidates[0].law

    @property
    def as_good(self) -> list[str]:
        """Laws that are not significantly worse than the best one (`excess`).

        >>> choice.as_good
        ['Stribeck']
        """
        return [candidate.law for candidate, _ in self.fits if self._as_good(candidate)]

    def _as_good(self, candidate: Candidate) -> bool:
        more, doubt = self.excess(candidate.law)
        return more <= max(DOUBT * doubt, ALIKE)

    def excess(self, law: str) -> tuple[float, float]:
        """Logarithm of the ratio of the mean squared error of a law on held-out samples to that of the best law, and
        its standard error: from the autocorrelated samples (Diebold and Mariano 1995) or between parts, whichever is
        larger.

        >>> choice.excess("Coulomb")
        (3.18, 0.482)
        """
        mine, best = self[law].squares, self.candidates[0].squares
        means = [max(float(np.concatenate(parts).mean()), 1e-300) for parts in (mine, best)]
        # the logarithm, linearised in every sample
        changes = [one / means[0] - other / means[1] for one, other in zip(mine, best, strict=True)]
        return math.log(means[0] / means[1]), math.sqrt(_variance(changes))

    @property
    def decided(self) -> bool:
        """Whether the held-out data decide between the laws: the best one follows the records, every law could be
        fitted, and those that predict as well as the best one are practically equal to it, or it has the fewest
        parameters of them. With less than three held-out parts the others must be clearly worse.

        >>> choice.decided
        True
        """
        if self._unfitted or not self.fits[0][1].follows:
            return False
        if len(self.candidates[0].squares) < FEW:
            others = [self.excess(candidate.law) for candidate, _ in self.fits if candidate.law != self.best]
            return all(more > max(3 * doubt, CLEAR) for more, doubt in others)
        return all(law == self.simplest or self._no_rival(law) for law in self.as_good)

    @property
    def _unfitted(self) -> list[str]:
        """Laws that could not be fitted."""
        return [candidate.law for candidate in self.candidates if candidate.result is None]

    def _no_rival(self, law: str) -> bool:
        """Whether a law that predicts as well as the best one is practically equal to it, or only adds parameters."""
        more = self.simplest == self.best and self[law].parameters > self[self.best].parameters
        return more or self.excess(law)[0] <= ALIKE

    @property
    def simplest(self) -> str:
        """The law with the fewest parameters among those that predict no worse than the best one by more than the
        standard error of the difference.

        >>> choice.simplest
        'Stribeck'
        """
        near = [law for law in self.as_good if self.excess(law)[0] <= max(self.excess(law)[1], ALIKE)]
        return min(near, key=lambda law: self[law].parameters)

    @property
    def effective(self) -> float:
        """Effective sample size of the residuals of the closest fit.

        >>> choice.effective
        12.8
        """
        return max(self.fits, key=lambda pair: pair[1].log_likelihood)[1].uncertainty.effective

    @property
    def aic(self) -> dict[str, float]:
        """Akaike information criterion by law, as the difference to the lowest.

        >>> choice.aic
        {'Stribeck': 0.0, 'Coulomb': 46.3}
        """
        return self._criterion(2.0)

    @property
    def bic(self) -> dict[str, float]:
        """Bayesian information criterion by law, as the difference to the lowest.

        >>> choice.bic
        {'Stribeck': 0.0, 'Coulomb': 44.6}
        """
        return self._criterion(math.log(max(self.effective, 2.0)))

    def _criterion(self, price: float) -> dict[str, float]:
        values = {c.law: price * c.parameters - 2 * r.log_likelihood * self.effective / r.samples for c, r in self.fits}
        lowest = min(values.values())
        return {law: value - lowest for law, value in values.items()}

    @property
    def weights(self) -> dict[str, float]:
        """Akaike weights: the relative evidence of the fitted records for the laws.

        >>> choice.weights["Stribeck"]
        1.0
        """
        raw = {law: math.exp(-value / 2) for law, value in self.aic.items()}
        total = sum(raw.values())
        return {law: value / total for law, value in raw.items()}

    def rows(self) -> list[list[str]]:
        """One row per law, as HEAD names them.

        >>> choice.rows()[0][:2]
        ['Stribeck', '4']
        """
        aic, bic, weights = self.aic, self.bic, self.weights
        rows: list[list[str]] = []
        for c in self.candidates:
            if c.result is None:
                rows.append([c.law, *[""] * (len(HEAD) - 2), c.remarks])
                continue
            cost = "" if math.isnan(c.cost) else f"{1e3 * c.cost:.3g}"
            errors = [f"{100 * c.fitted:.4g}", f"{100 * c.held_out:.4g}", f"{100 * c.held_out_error:.2g}"]
            criteria = [f"{aic[c.law]:.1f}", f"{bic[c.law]:.1f}", f"{weights[c.law]:.3f}"]
            rows.append([c.law, str(c.parameters), cost, *errors, *criteria, c.remarks])
        return rows

    @property
    def verdict(self) -> str:
        """The conclusion in one or two sentences.

        >>> choice.verdict
        'Stribeck has the smallest prediction error (held-out run8).'
        """
        text = f"{self.best} has the smallest prediction error ({self.validation})"
        equal = [law for law in self.as_good if law != self.best]
        text += f"; {', '.join(equal)} {'is' if len(equal) == 1 else 'are'} not significantly worse." if equal else "."
        if not self.decided and len(self.fits) > 1:
            return f"{text} Which law it is cannot be decided: {self._wanted(equal)}."
        if self.simplest != self.best:
            text += f" {self.simplest} has the fewest parameters of these; prefer it unless there are other reasons."
        return text

    def _wanted(self, equal: Sequence[str]) -> str:
        """Why, and what to do or to measure."""
        if not self.fits[0][1].follows:
            return f"{self.best} does not follow the records either; something else is missing in the model"
        if self._unfitted:
            return f"{', '.join(self._unfitted)} could not be fitted; give other start values, or leave it out"
        parts = len(self.candidates[0].squares)
        if parts < FEW:
            return f"the scatter between {parts} held-out part(s) is not known; hold out at least {FEW} records"
        return (
            f"{', '.join([self.best, *equal])} predict alike; record slow reversals, ramps from rest and speeds across "
            "the range, where these laws differ"
        )

    def plot(self, path: str | Path | None = None) -> Figure:
        """Plots errors on fitted and held-out data, information criteria, and friction over speed.

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

    def _repr_html_(self) -> str:
        return in_notebook(DataTable(HEAD, self.rows()), self.verdict)

    def __repr__(self) -> str:
        return f"<LawChoice {self.model.name}: {', '.join(candidate.law for candidate in self.candidates)}>"

    def __str__(self) -> str:
        return f"{DataTable(HEAD, self.rows())}\n{self.verdict}"


def _variance(parts: Sequence[np.ndarray]) -> float:
    """Variance of the mean of samples: from their autocorrelation or between parts, whichever is larger."""
    whole = np.concatenate(parts)
    covariance = noise_covariance(whole - whole.mean(), whole.size)
    along = max(float(covariance[0] + 2 * covariance[1:].sum()), 0.0) / whole.size
    sums = np.array([part.sum() for part in parts]) * len(parts) / whole.size
    between = float(sums.var(ddof=1)) / sums.size if sums.size > 1 else 0.0
    return max(along, between)
