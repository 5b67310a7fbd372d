"""The result of a fit: estimates with intervals, identifiability, and predictions of other records."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...errors import SpecError
from ...results.data_table import in_notebook
from ...spec import Model
from ..records.measurement import Measurement
from .bootstrap import Bootstrap, bootstrap
from .free import Free
from .identifiability import unidentifiable
from .levenberg import LeastSquaresResult
from .losses import RobustLoss
from .prediction import Prediction, Predictions
from .problem import Problem
from .profile import Profile, asymmetric, profile
from .residual_tests import ResidualTest, residual_tests
from .rows import parameter_table
from .simulation import Rig, own
from .uncertainty import Uncertainty
from .warnings import follows, warnings_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class FitResult:
    """The result of `fit`. Values are in SI; a parameter that is not identifiable has the value nan.

    >>> result.values["joint.law.mu_c"], result.errors["joint.law.mu_c"], result.interval(0.95)["joint.law.mu_c"]
    (0.8, 1.17e-06, (0.8, 0.8))
    >>> result.unidentifiable
    {}
    >>> result.simulate(other).error
    """

    problem: Problem
    minimum: LeastSquaresResult
    uncertainty: Uncertainty
    loss: RobustLoss
    iterations: int
    runs: int
    """Number of simulations of all records."""

    # --- values ------------------------------------------------------------------------------------------------------

    @property
    def free(self) -> Sequence[Free]:
        """The free parameters, with start and bounds.

        >>> result.free[0].path, result.free[0].start
        ('joint.law.mu_c', 0.9)
        """
        return self.problem.free

    @property
    def names(self) -> list[str]:
        """Their paths.

        >>> result.names
        ['joint.law.mu_c', 'load.m']
        """
        return [parameter.path for parameter in self.free]

    @property
    def units(self) -> dict[str, str]:
        """Their units.

        >>> result.units["load.m"]
        'kg'
        """
        return {parameter.path: parameter.unit for parameter in self.free}

    @cached_property
    def best(self) -> dict[str, float]:
        """All parameters at the minimum, those included that are not identifiable: the values that the model runs with.

        >>> result.best["load.m"]
        1.0
        """
        return self.problem.values(self.minimum.x)  # includes followers

    @cached_property
    def values(self) -> dict[str, float]:
        """The estimates; nan for parameters that are not identifiable.

        >>> vague.values["joint.load"]
        nan
        """
        return {path: math.nan if path in self.unidentifiable else self.best[path] for path in self.names}

    @cached_property
    def errors(self) -> dict[str, float]:
        """Standard errors; infinite for parameters that are not identifiable.

        >>> vague.errors["joint.load"]
        inf
        """
        return {
            p.path: math.inf if p.path in self.unidentifiable else float(e * abs(p.slope(x)))
            for p, x, e in zip(self.free, self.minimum.x, self.uncertainty.errors, strict=True)
        }

    def interval(self, level: float = 0.95) -> dict[str, tuple[float, float]]:
        """Confidence intervals, symmetric on the scale of the search: those of positive parameters reach further up
        than down. (-inf, inf) for parameters that are not identifiable.

        >>> result.interval(0.95)["joint.law.mu_c"]
        (0.8, 0.8)
        """
        if not 0 < level < 1:
            raise SpecError(f"interval: level = {level:g} must be between 0 and 1, for instance 0.95")
        from scipy.special import stdtrit

        width = float(stdtrit(self.uncertainty.freedom, 0.5 + level / 2))
        ends = {}
        for p, x, e in zip(self.free, self.minimum.x, self.uncertainty.errors, strict=True):
            unknown = p.path in self.unidentifiable
            ends[p.path] = (-math.inf, math.inf) if unknown else (p.value(x - width * e), p.value(x + width * e))
        return ends

    def profile(self, path: str, level: float = 0.95) -> Profile:
        """The interval of a parameter by likelihood ratio: the others are fitted again at each value that is tried. Use
        it where a warning says that the interval from the curvature is wrong.

        >>> print(result.profile("load.m"))
        """
        return profile(self, path, level)

    def bootstrap(self, n: int = 200, seed: int = 0, progress: Callable[[float, str], None] | None = None) -> Bootstrap:
        """Standard errors and intervals from `n` sets of records as the fitted model and its residuals could have given
        them: residuals are drawn in blocks; of four records or more whole records are drawn. Each takes a few
        simulations. `progress` is called with a fraction from 0 to 1 and a text.

        >>> print(result.bootstrap(n=50))
        """
        return bootstrap(self, n, seed, progress)

    @property
    def correlation(self) -> np.ndarray:
        """Correlation matrix of the estimates, in the order of `names`.

        >>> result.correlation.round(2)
        array([[ 1.0  , -0.91],
               [-0.91,  1.0  ]])
        """
        return self.uncertainty.correlation

    @property
    def identifiable(self) -> list[str]:
        """The parameters that the data identify.

        >>> result.identifiable
        ['joint.law.mu_c', 'load.m']
        """
        return [name for name in self.names if name not in self.unidentifiable]

    @cached_property
    def unidentifiable(self) -> dict[str, str]:
        """The parameters that are not identifiable, with the reasons.

        >>> list(vague.unidentifiable)
        ['joint.load', 'joint.law.mu_c', 'joint.law.mu_s', 'joint.law.mu_v']
        """
        return unidentifiable(self.problem, self.minimum.x, self.uncertainty)

    @cached_property
    def asymmetric(self) -> list[str]:
        """Parameters whose intervals from the curvature are wrong; `profile` gives better ones. Two simulations for
        each parameter with a standard error above 5 %.

        >>> result.asymmetric
        []
        """
        return asymmetric(self)

    @cached_property
    def follows(self) -> bool:
        """Whether the model follows the records; if not, do not trust the estimates.

        >>> result.follows, wrong.follows
        (True, False)
        """
        return follows(self)

    @cached_property
    def warnings(self) -> list[str]:
        """What to check before using the estimates: poor fit, no convergence, constant inputs, active bounds.

        >>> wrong.warnings[0]
        'the model does not follow the records ...'
        """
        return warnings_of(self)

    @cached_property
    def at_bound(self) -> list[str]:
        """The parameters at a bound: the optimum may lie beyond it.

        >>> result.at_bound
        []
        """
        low, high = self.problem.limits_at(self.minimum.x)
        return [n for n, x, a, b in zip(self.names, self.minimum.x, low, high, strict=True) if x <= a or x >= b]

    # --- the model ---------------------------------------------------------------------------------------------------

    @cached_property
    def model(self) -> Model:
        """The model with the values of `best`; parameters that differ between records are unchanged.

        >>> stribeck.simulate(result.model, 10)
        """
        return self.problem.rigs[0].model.varied(own(self.best))

    @property
    def solver(self) -> str:
        """The solver of the final iterations.

        >>> result.solver
        'adaptive'
        """
        return self.problem.rigs[0].solver

    @property
    def converged(self) -> bool:
        """Whether the search ended at a minimum, not at the iteration limit.

        >>> result.converged
        True
        """
        return self.minimum.converged

    @property
    def records(self) -> list[Measurement]:
        """The fitted records.

        >>> [record.name for record in result.records]
        ['run7']
        """
        return [rig.measurement for rig in self.problem.rigs]

    @cached_property
    def predictions(self) -> list[Prediction]:
        """The model compared with the fitted records: one entry per output and record.

        >>> result.predictions[0].rms
        """
        return [prediction for rig in self.problem.rigs for prediction in self._predicted(rig)]

    def simulate(self, measurement: Measurement) -> Predictions:
        """The fitted model on another record, with the same inputs and outputs.

        >>> print(result.simulate(validation))
        """
        from dataclasses import replace

        return Predictions(self._predicted(replace(self.problem.rigs[0], measurement=measurement)))

    def _predicted(self, rig: Rig) -> list[Prediction]:
        outputs = rig.simulate(self.best)
        return [
            Prediction(rig.measurement, name, channel, row)
            for (name, channel), row in zip(rig.outputs.items(), outputs, strict=True)
        ]

    # --- how good ----------------------------------------------------------------------------------------------------

    @property
    def noise(self) -> dict[str, float]:
        """Standard deviation of the residuals by output.

        >>> result.noise
        {'load.s': 2.79e-06}
        """
        spreads = {}
        for name in self.problem.sigma:
            parts = [p.residual[p.valid] for p in self.predictions if p.output == name]
            spreads[name] = float(np.sqrt(np.mean(np.concatenate(parts) ** 2)))
        return spreads

    @property
    def samples(self) -> int:
        """Number of valid samples of all outputs.

        >>> result.samples
        1501
        """
        return self.problem.count

    @property
    def log_likelihood(self) -> float:
        """Log-likelihood for normal residuals, with the standard deviation estimated for every output.

        >>> result.log_likelihood > wrong.log_likelihood
        True
        """
        total = 0.0
        for name, spread in self.noise.items():
            n = sum(int(p.valid.sum()) for p in self.predictions if p.output == name)
            total -= n * (math.log(max(spread, 1e-300)) + 0.5 * math.log(2 * math.pi) + 0.5)
        return total

    @property
    def aic(self) -> float:
        """Akaike information criterion; the lower the better.

        >>> min([result, wrong], key=lambda fit: fit.aic)
        """
        return 2 * (len(self.free) + len(self.problem.sigma)) - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """Bayesian information criterion (Schwarz); the lower the better.

        >>> min([result, wrong], key=lambda fit: fit.bic)
        """
        return math.log(self.samples) * (len(self.free) + len(self.problem.sigma)) - 2 * self.log_likelihood

    @cached_property
    def residual_tests(self) -> list[ResidualTest]:
        """Tests of the residuals: whether they contain anything that a better model could explain.

        >>> [test for test in result.residual_tests if not test.passed]
        """
        return [test for prediction in self.predictions for test in residual_tests(prediction, self._inputs)]

    @property
    def _inputs(self) -> dict[str, str]:
        return dict(self.problem.rigs[0].inputs)

    def report(self, path: str | Path, held_out: Sequence[Measurement] = ()) -> Path:
        """Writes one HTML page with estimates, intervals, pictures, tests, and the fit to held-out records.

        >>> result.report("out.html", held_out=[validation])
        """
        from .report import report

        return report(self, path, held_out)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Plots all outputs over time, measured and simulated, and the residuals.

        >>> result.plot("fit.png")
        """
        from .plots import plot_predictions

        return plot_predictions(self.predictions, path)

    def _repr_html_(self) -> str:
        return in_notebook(*self.warnings, parameter_table(self, columns=5), str(self).rpartition("\n")[2])

    def __repr__(self) -> str:
        known, worst = len(self.identifiable), min(prediction.fit for prediction in self.predictions)
        return f"<FitResult {self.model.name}: {known} of {len(self.names)} parameters identifiable, fit {worst:.2f} %>"

    def __str__(self) -> str:
        lines = [*self.warnings, parameter_table(self, columns=5).text()]
        lines += [f"{path}: {reason}" for path, reason in self.unidentifiable.items()]
        lines += [str(prediction) for prediction in self.predictions]
        lines.append(
            f"{self.samples} samples ({self.uncertainty.effective:.0f} effective), {self.iterations} iterations, "
            f"{self.runs} simulations, {self.solver} steps"
        )
        return "\n".join(lines)
