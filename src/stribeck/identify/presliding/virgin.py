"""Elements of Maxwell slip from the virgin curve: force over displacement from rest, or half strokes of loops.

Springs in parallel, each with a slider, carry F(x) = sum k_i min(x, x_i) on first loading: the slope falls by k_i at
x_i. After a reversal the same curve follows at twice the scale (Masing's rule), so strokes of a loop are points of it.
With the x_i on a grid the k_i follow by least squares that are not negative."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import SpecError
from ...laws import Law
from ...laws.gms import GMS
from ...laws.maxwell_slip import MaxwellSlip
from ..records.inspect import require_drive
from ..records.measurement import Measurement
from .loops import FARTHEST
from .shapes import SHAPES, bristle_law
from .strokes import strokes

LARGE = 0.8
"""Least stroke, relative to the largest one: smaller ones are inside of a loop and begin on another branch."""
FINEST = 100.0
"""Range of the x_i: from the largest displacement over this."""
MOST = 4000
"""Most points of the curve; longer records are decimated."""
SMALL = 1e-3
"""Share in the stiffness or the force from which on an element counts."""
LEVEL = 0.1
"""Slope at the end of a curve over that at its beginning, above which it does not level off."""
FINE, BEYOND, UNEXPLAINED = 200, 1.3, 0.03
"""Points of the curve to which single bristles are fitted, its end relative to the last element, and largest residual
force, relative to the largest."""
MINOR, SHARE = 0.03, 0.25
"""Elements with less than this share of the force are named if they have more than that share of the stiffness."""
STRANGER, FOREIGN = 0.05, 0.2
"""Residual forces, relative to the largest, above which there is a note, and above which there is no law."""
STRANGE = (
    "of the force is unexplained: besides springs that yield there is damping, inertia or sliding; record slower loops "
    "below break-away"
)
KINDS = {"MaxwellSlip": MaxwellSlip, "GMS": GMS}


@dataclass(frozen=True, eq=False)
class VirginCurve:
    """Elements of a contact: stiffness of each spring, and the displacement at which its slider yields.

    >>> virgin.sigma0, virgin.f
    (1.0e5, 1.5)
    >>> print(virgin); virgin.law("GMS")
    """

    stiffness: np.ndarray
    yields: np.ndarray
    unexplained: float
    """Residual force, relative to the largest."""
    units: tuple[str, str]
    """Units of displacement and force."""
    notes: tuple[str, ...] = ()
    reach: float = 0.0
    """The largest displacement; of loops half of the largest stroke."""
    open_end: bool = False
    """Whether the curve does not level off."""
    looped: bool = False
    """Whether the curve is from loops, by Masing's rule."""

    @property
    def sigma0(self) -> float:
        """Stiffness at small displacements.

        >>> virgin.sigma0
        1.0e5
        """
        return float(self.stiffness.sum())

    @property
    def f(self) -> float:
        """The force when all elements slide.

        >>> virgin.f
        1.5
        """
        return float(self.stiffness @ self.yields)

    def __call__(self, displacement: np.ndarray | float) -> np.ndarray:
        """Force of the virgin curve at displacements from rest."""
        x = np.abs(np.asarray(displacement, float))
        return np.asarray(np.minimum(x[..., None], self.yields) @ self.stiffness * np.sign(displacement))

    def law(self, kind: str = "MaxwellSlip") -> Law:
        """The law with these elements, "MaxwellSlip" or "GMS"; f is its Coulomb (and static) friction. "Dahl", "LuGre"
        and "ElastoPlastic" are single bristles with the nearest virgin curve; f is not below the largest force. A curve
        of which one leaves more than 3 % unexplained is refused.

        >>> Guide(mass, law=virgin.law())
        >>> virgin.law("LuGre").sigma0 > 0
        True
        """
        if self.unexplained > FOREIGN:
            raise SpecError(f"virgin curve: {self.unexplained:.0%} {STRANGE}")
        if kind in SHAPES:
            return self._bristle(kind)
        if kind not in KINDS:
            raise SpecError(f"virgin curve: kind = {kind!r} must be one of {', '.join([*KINDS, *SHAPES])}")
        limits = (self.stiffness * self.yields).tolist()
        shares = {"alpha": limits, "beta": self.stiffness.tolist(), "sigma0": self.sigma0, "sigma1": 0.0}
        return MaxwellSlip(mu_c=self.f, **shares) if kind == "MaxwellSlip" else GMS(mu_c=self.f, mu_s=self.f, **shares)

    def _bristle(self, kind: str) -> Law:
        beyond = 1.0 if self.open_end or self.looped else BEYOND  # it is level there
        x = np.linspace(0, beyond * (self.reach if self.looped else float(self.yields.max())), FINE)
        law, left = bristle_law(kind, x, self(x), self.looped)
        most = float(self(x[-1]))
        if float(law.given["mu_c"]) > FARTHEST * most:
            raise SpecError(
                f"virgin curve: it is nearly straight up to {most:.4g} {self.units[1]}, so that f of {kind} is not "
                "identifiable; move further, up to near break-away"
            )
        if left > UNEXPLAINED:
            raise SpecError(
                f"virgin curve: that of {kind} leaves {left:.0%} of the force unexplained; take MaxwellSlip or GMS, "
                "which follow any curve"
            )
        return law

    def __str__(self) -> str:
        length, load = self.units
        lines = [
            f"{self.stiffness.size} elements: sigma0 = {self.sigma0:.4g} {load}/{length}, f = {self.f:.4g} {load}; "
            f"{self.unexplained:.1%} of the force is unexplained"
        ]
        return "\n".join([*lines, *self.notes])


def virgin_curve(run: Measurement, position: str, force: str, *, elements: int = 8) -> VirginCurve:
    """Elements of Maxwell slip from a slow record: loading from rest, or loops of force over displacement.

    The force is that of the contact alone, so the record must be slow enough for damping and inertia not to matter. Of
    loops the largest strokes count, by Masing's rule.

    >>> virgin_curve(run, "x", "f").law()
    """
    if elements < 1:
        raise SpecError(f"virgin curve: elements = {elements} must be at least 1")
    require_drive(run, force, position)
    x, f, looped = _points(run, position, force)
    if not x.size or float(x @ f) <= 0:
        raise SpecError(
            f"{run.name}: '{position}' moves against '{force}', as if the stiffness were negative; change the sign of "
            "one of them"
        )
    from scipy.optimize import nnls

    largest = float(x.max())
    grid = np.geomspace(largest / FINEST, largest, elements)
    stiffness, left = nnls(np.minimum(x[:, None], grid), f)
    kept = stiffness * grid > SMALL * float(stiffness @ grid)
    units = (run.units[position], run.units[force])
    share = float(left / np.sqrt(x.size) / max(float(np.abs(f).max()), 1e-300))
    last = float(stiffness[-1] / max(stiffness.sum(), 1e-300))
    open_end = f"the curve does not level off: f is at least {float(stiffness @ grid):.4g} {units[1]}; move further"
    notes = (open_end,) if last > LEVEL else ()
    if share > STRANGER:
        notes = (*notes, f"{share:.0%} {STRANGE}")
    minor = stiffness * grid < MINOR * float(stiffness @ grid)
    if float(stiffness[minor].sum()) > SHARE * float(stiffness.sum()):
        rest = f"{float(stiffness[~minor].sum()):.4g} {units[1]}/{units[0]}"
        notes = (
            *notes,
            f"sigma0 rests on elements with less than {MINOR:.0%} of the force, as damping, noise at reversals and "
            f"single bristles in loops cause them; without these it is {rest}",
        )
    return VirginCurve(stiffness[kept], grid[kept], share, units, notes, largest, last > LEVEL, looped)


def _points(run: Measurement, position: str, force: str) -> tuple[np.ndarray, np.ndarray, bool]:
    """Displacements and forces of the virgin curve, and whether they are from loops."""
    x, f = np.asarray(run[position], float), np.asarray(run[force], float)
    parts = strokes(x)
    if len(parts) == 1:  # first loading
        whole = np.flatnonzero(run.valid)
        sign, scale, used = parts[0].sign, 1.0, [whole]
    else:
        sizes = np.array([abs(x[part.stop] - x[part.start]) for part in parts[1:]])
        large = [part for part, size in zip(parts[1:], sizes, strict=True) if size >= LARGE * sizes.max()]
        used = [np.arange(part.start, part.stop + 1) for part in large]
        sign, scale = 0, 0.5
    dx, df = [], []
    for at in used:
        way = sign or (1 if x[at[-1]] > x[at[0]] else -1)
        dx.append(scale * way * (x[at] - x[at[0]]))
        df.append(scale * way * (f[at] - f[at[0]]))
    every = max(1, sum(part.size for part in dx) // MOST)
    return np.maximum(np.concatenate(dx), 0.0)[::every], np.concatenate(df)[::every], len(parts) > 1
