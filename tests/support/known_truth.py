"""Machines with every law, whose parameters are known: what fits must give back from noisy, quantised records."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.special import stdtrit
from support.rigs import TIES, machine

import stribeck as sb
from stribeck.identify.fits.simulation import Rig

SAMPLE = 6e-3
COUNT = 501
STEP = 4e-5
"""Step of the position sensor (m); the noise is half of it."""
NOISE = 0.5 * STEP

CURVE = {"mu_c": 0.8, "mu_s": 1.2, "v_s": 0.06, "exponent": 2.0}
BRISTLE = {"sigma0": 600.0, "sigma1": 15.0, "sigma2": 0.3}
SEVEN = {"sigma0": 600.0, "sigma1": 15.0, "mu_c": 0.8, "mu_s": 1.2, "v_s": 0.06, "mu_v": 0.3, "tau_L": 0.02}
ELEMENTS = {"n": 2, "alpha": [1.0, 3.0], "beta": [1.0, 1.0]}
SHARES = {"n", "alpha.0", "alpha.1", "beta.0", "beta.1"}
HYSTERESIS = {**ELEMENTS, **BRISTLE, **CURVE, "transition": 1.5, "reserve": 1.3}
TRUTHS = {
    "Coulomb": {"mu_c": 0.8},
    "CoulombViscous": {"mu_c": 0.8, "v_0": 0.05, "mu_v": 0.3},
    "Dahl": {"sigma0": 600.0, "mu_c": 0.8},
    "DampedLuGre": {**BRISTLE, **CURVE, "v_d": 0.1},
    "ElastoPlastic": {**BRISTLE, **CURVE, "z_ba": 8e-4},
    "ElastoPlasticTable": {**BRISTLE, "z_ba": 8e-4, "speed": [0.0, 0.05, 0.2, 1.0], "mu": [1.2, 0.9, 0.8, 0.9]},
    "FrictionTable": {"speed": [0.0, 0.1, 1.0], "mu": [1.0, 0.8, 1.1], "peak": 1.2},
    "Hybrid": {**CURVE, "mu_v": 0.3, "Sigma": 0.05, "Sigma_2": 0.01, "p0": 20.0},
    "HybridPresliding": {"k1": 600.0, "k2": 25.0, "z_max": 2.5e-3, **CURVE, "mu_v": 0.3, "Sigma": 0.02},
    "ImprovedDahl": {**BRISTLE, "mu_c": 0.8, "mu_s": 1.2, "dv": 0.05},
    "Karnopp": {**CURVE, "mu_v": 0.3, "dv": 0.01},
    "LuGre": {**BRISTLE, **CURVE},
    "ModifiedElastoPlastic": {**BRISTLE, **CURVE, "kappa": 0.6},
    "SimplifiedLuGre": {**BRISTLE, "mu_c": 0.8, "mu_s": 1.2, "dv": 0.1},
    "Stribeck": {**CURVE, "mu_v": 0.3},
    "StribeckThreshold": {**CURVE, "mu_v": 0.5, "v_v": 0.1},
    "Switch": {"mu_c": 0.8, "mu_s": 1.2, "mu_v": 0.3},
    "Tanh": {"mu_c": 0.8, "v_0": 0.05, "mu_v": 0.3},
    "GMS": {**ELEMENTS, **BRISTLE, **CURVE, "C": 3.0},
    "MaxwellSlip": {**ELEMENTS, **BRISTLE, "mu_c": 0.8},
    "BlimanSorine": {"mu_c": 0.8, "f2": 0.8, "eta": 0.4, "epsilon": 3e-3, "mu_v": 0.3},
    "BoucWen": {"sigma0": 600.0, "mu_c": 0.8, "sharpness": 2.0, "beta_share": 0.7, "mu_v": 0.3},
    "ResetIntegrator": {**BRISTLE, "mu_c": 0.8, "mu_s": 1.2},
    "RisingStribeck": {**CURVE, "mu_v": 0.3, "fresh": 0.4, "t_rise": 0.1},
    "KatoStribeck": {**CURVE, "mu_v": 0.3, "fresh": 0.4, "t_rise": 0.1, "m": 0.6},
    "LaggedStribeck": {**CURVE, "mu_v": 0.3, "tau_L": 0.02},
    "SevenParameter": {**SEVEN, "t_rise": 0.1},
    # counted laws of one deflection, and bristles, of which few snap: else positions jump with the parameters
    "Bristle": {"n": 4, "mu_c": 0.8, "delta": 0.15, "mu_v": 0.3, "increment": [0.4142, 0.7321, 0.2361, 0.6458]},
    "Leuven": HYSTERESIS,
    "Leuven2000": HYSTERESIS,
}
"""Values of all parameters of every law, with which each of them matters in the record: windows of sticking are wide,
and the spring of HybridPresliding holds more than mu_s, so that it breaks at z_max. New laws come last: the place
of a law gives its random numbers."""
NOT_ASKED = {
    "ElastoPlasticTable": {"sigma2", "speed.0", "speed.3"},
    "FrictionTable": {"speed.0", "speed.2"},
    "GMS": SHARES,
    "MaxwellSlip": SHARES,
    "Bristle": {"n", *(f"increment.{i}" for i in range(4))},
    "Leuven": SHARES,
    "Leuven2000": SHARES,
}
"""Viscous friction that a table contains already; rest, and a speed that is never reached, at the ends of tables; the
number of elements and their shares, of which only ratios matter."""

EXPONENTS = (0.5, 4.0)
"""Bounds of exponents, which are 1 or 2 in most laws; without them 1 of 35 fits of HybridPresliding leaves for 20,
where the curve is a step."""


def force():
    """Some swings of different size, with reversals and a rest (N)."""
    t = SAMPLE * np.arange(COUNT)
    return (
        1.6 * np.sin(2 * np.pi * 1.1 * t)
        + 1.0 * np.sin(2 * np.pi * 0.45 * t + 2.0)
        + 0.35 * np.sin(2 * np.pi * 3.1 * t)
    )


TURNS = (0.0, 0.5, 0.7, 1.2, 1.4, 2.2, 2.32, 2.62, 2.82, 2.92, 3.04, 3.24, 3.44, 3.94, 4.06, 4.86, 5.06)
LEVELS = (0.0, 1.6, 1.6, -1.5, -1.5, 1.5, 1.5, -2.4, -2.4, 2.5, 2.5, -1.7, -1.7, 2.3, 2.3, -2.5, -2.5)
"""Times (s) and forces (N): the force turns round fast and slowly, so that times at rest differ. With swings
alone they are alike, and the parameters of rising static friction are not identifiable."""
RESTING = ("RisingStribeck", "KatoStribeck")


def force_on(law):
    """The force of the record of a law (N)."""
    return np.interp(SAMPLE * np.arange(801), TURNS, LEVELS) if law in RESTING else force()


@dataclass(frozen=True)
class KnownTruth:
    """A law on the rig: the truth, and fits to records of it with different noise."""

    law: str
    solver: str = "adaptive"
    other: dict[str, float] = field(default_factory=dict)
    """Values that are not those of TRUTHS."""

    @cached_property
    def values(self):
        return TRUTHS[self.law] | self.other

    @cached_property
    def model(self):
        return machine(getattr(sb, self.law)(**self.values))

    @cached_property
    def truth(self):
        entries = {}
        for name, value in self.values.items():
            entries |= {f"{name}.{i}": v for i, v in enumerate(value)} if isinstance(value, list) else {name: value}
        asked = {name: value for name, value in entries.items() if name not in NOT_ASKED.get(self.law, ())}
        return {"load.m": 1.0} | {f"joint.law.{name}": value for name, value in asked.items()}

    @cached_property
    def clean(self):
        """Positions without noise (m)."""
        return self._rig.simulate({})[0]

    @cached_property
    def _rig(self):
        force = force_on(self.law)
        empty = sb.identify.Measurement({"f": force, "s": np.arange(force.size)}, sample_time=SAMPLE)
        return Rig(self.model, empty, **TIES, initial={}, solver=self.solver, hold=False)

    def record(self, seed):
        """What the sensor sees."""
        noisy = self.clean + NOISE * self._random(seed, 0).normal(size=self.clean.size)
        counts = STEP * np.round(noisy / STEP)
        units, steps = {"f": "N", "s": "m"}, {"s": STEP}
        columns = {"f": force_on(self.law), "s": counts}
        return sb.identify.Measurement(columns, sample_time=SAMPLE, units=units, resolution=steps)

    def inside(self, seed, level=0.95):
        """Whether the interval of each parameter holds the truth; None for one that was called not identifiable."""
        result = self.fit(seed)
        ends = result.interval(level)
        return {
            path: None if path in result.unidentifiable else bool(ends[path][0] <= value <= ends[path][1])
            for path, value in self.truth.items()
        }

    def fit(self, seed, spread=0.01):
        """A fit that starts beside the truth, within 1 %: many standard errors."""
        random = self._random(seed, 1)
        start = {path: value * (1 + spread * random.uniform(-1, 1)) for path, value in self.truth.items()}
        bounds = {path: EXPONENTS for path in self.truth if path.endswith(".exponent")}
        return sb.identify.fit(
            self.model, self.record(seed), list(self.truth), start=start, bounds=bounds, **self.options
        )

    @cached_property
    def slopes(self):
        """Derivatives of the positions by the logarithms of the parameters, a column each."""
        rig, d = self._rig, 1e-4
        sides = [[rig.simulate({path: value * (1 + e)})[0] for e in (d, -d)] for path, value in self.truth.items()]
        return np.array([(up - down) / (2 * d) for up, down in sides]).T

    def straight_inside(self, seeds, level=0.95):
        """What `inside` would be if the positions were straight functions of the logarithms of the parameters, from
        the same records: a row for each parameter, a column for each seed. It takes no simulations, and what the
        random numbers do to the share of hits shows here, too."""
        samples, count = self.slopes.shape
        gaps = np.array([np.asarray(self.record(seed)["s"]) - self.clean for seed in seeds]).T
        inverse = np.linalg.inv(self.slopes.T @ self.slopes)
        steps = inverse @ (self.slopes.T @ gaps)
        variance = np.sum((gaps - self.slopes @ steps) ** 2, axis=0) / (samples - count)
        errors = np.sqrt(np.outer(inverse.diagonal(), variance))
        return np.abs(steps) < stdtrit(samples - count, 0.5 + level / 2) * errors

    def straight(self, seed):
        """Where a fit to the record would end if the positions were straight functions of the logarithms of the
        parameters: one step of Gauss and Newton from the truth."""
        gap = np.asarray(self.record(seed)["s"]) - self.clean
        step = np.linalg.lstsq(self.slopes, gap, rcond=None)[0]
        return {path: value * np.exp(d) for (path, value), d in zip(self.truth.items(), step, strict=True)}

    def squares(self, values, seed):
        """Sum of the squares of the residuals, over the variance of noise and rounding."""
        gap = np.asarray(self.record(seed)["s"]) - self._rig.simulate(values)[0]
        return float(gap @ gap) / (NOISE**2 + STEP**2 / 12)

    def _random(self, seed, purpose):
        """Separate random numbers for every law: trials of different laws must not fail together."""
        return np.random.default_rng([seed, purpose, list(TRUTHS).index(self.law)])

    @property
    def options(self):
        """Of `fit`."""
        return {**TIES, "solver": self.solver, "hold": False}


def hits(law, seed):
    """A trial of a campaign."""
    return KnownTruth(law).inside(seed)
