"""Whether a force drives the motion that was recorded with it: its sign, and its delay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...errors import StribeckError
from ...units import to_si
from ..records.inspect import RecordFinding
from ..records.measurement import Measurement
from .equation import FEWEST, Equation, equation_of
from .estimate import Estimate, linear_fit
from .terms import ACCELERATION, STANDARD, Term, default_cutoff

ITERATIONS = 12
"""Most corrections of a delay."""
CONVERGED = 1e-3
"""Last correction of a delay, in samples."""
SURE = 3.0
"""Standard errors beyond which a delay or a sign is reported."""
LEAST = 0.7
"""Samples below which a delay is that of a command that a drive holds."""
HALVINGS = 4
"""The lowest cutoff is the default one, halved so often."""
AGREE = 2.0
"""Standard errors within which delays at two cutoffs agree."""
LOW = 0.5
"""Cutoff at which residuals with and without the delay are compared, relative to that of the equation."""
MATTERS = 0.85
"""Residuals with the delay relative to those without it, above which missing terms are as likely as a delay."""
DRIVEN = (ACCELERATION, "coulomb", "viscous")
"""Terms whose parameters are above 0 if the force drives the motion."""
SELECTED = 1.5
"""Errors of delays relative to those of the last regression, whose cutoff is chosen from several: so much was the
scatter in 180 simulated records of three kinds of motion."""
ROWS = 3
"""Least number of rows for each parameter."""
FARTHEST = 50.0
"""Samples beyond which a delay is not searched."""


def drive_delay(
    run: Measurement,
    force: str,
    position: str,
    terms: Sequence[str | Term] = STANDARD,
    *,
    cutoff: float | str | None = None,
) -> tuple[float, float]:
    """The delay (s) by which a force acts later on the motion than it was recorded, and its standard error.

    A delayed force differs from the inverse model by the delay times the rate of the model. That rate is one more
    regressor, and the delay is corrected until its parameter is 0. The error accounts for autocorrelated residuals; it
    is large, or infinite, if the motion is a single sine, for which a delay looks like viscous friction. In closed
    loop, sensor noise is also in the force, earlier than in the motion. It grows with frequency, so the cutoff is
    raised, from a low one, only as long as the delay stays the same within its error; a part of the first difference
    is added to the error.

    >>> drive_delay(run, "f", "q")
    (0.00..., ...)
    """
    step = run.even("drive_delay")
    if cutoff is not None:
        return _converged(run, force, position, terms, to_si(cutoff, "Hz", run.name, "cutoff"))
    top, best = default_cutoff(step), None
    for halvings in reversed(range(HALVINGS + 1)):
        limit = top * 0.5**halvings
        if limit * len(run) * step < FEWEST and halvings:
            continue
        found = _converged(run, force, position, terms, limit)
        if best is not None and np.isfinite(best[1]) and abs(found[0] - best[0]) > AGREE * np.hypot(found[1], best[1]):
            return best[0], float(np.hypot(best[1], 0.25 * (found[0] - best[0])))
        if best is None or found[1] < best[1]:
            apart = 0.0 if best is None or not np.isfinite(best[1]) else 0.5 * abs(found[0] - best[0])
            best = found[0], float(np.hypot(found[1], apart))
    assert best is not None
    return best


def _converged(
    run: Measurement, force: str, position: str, terms: Sequence[str | Term], cutoff: float
) -> tuple[float, float]:
    """The delay and its standard error with one cutoff."""
    step, delay = run.even("drive_delay"), 0.0
    for _ in range(ITERATIONS):
        equation = equation_of(run, force, position, terms, cutoff=cutoff, delay=delay)
        if equation.valid[:: equation.period].sum() < ROWS * (len(equation.columns) + 1):
            return 0.0, np.inf
        more = _remaining(equation, coloured=False)["delay"]
        if not np.isfinite(more) or abs(delay + more) > FARTHEST * step:
            return 0.0, np.inf
        delay += float(np.clip(more, -5 * step, 5 * step))
        if abs(more) < CONVERGED * step:
            break
    error = _remaining(equation, coloured=True).errors["delay"]
    return (delay, SELECTED * error) if np.isfinite(error) else (0.0, np.inf)


def _remaining(equation: Equation, coloured: bool) -> Estimate:
    """The equation with the rate of its model as one more term; its parameter is the remaining delay."""
    every = slice(None, None, equation.period)
    columns, valid = {name: column[every] for name, column in equation.columns.items()}, equation.valid[every]
    found = linear_fit(columns, equation.target[every], valid=valid)
    model = sum(
        (np.nan_to_num(found.values[name]) * column for name, column in equation.columns.items()),
        np.zeros_like(equation.target),
    )
    rate = np.gradient(model, equation.band.sample_time)[every]
    return linear_fit({**columns, "delay": rate}, equation.target[every], valid=valid, coloured=coloured)


def _sprung(run: Measurement, force: str, position: str) -> bool:
    """Whether a spring, which the standard terms do not have, explains an inertia below 0."""
    equation = equation_of(run, force, position, [*STANDARD, "stiffness"])
    found = equation.fit(equation.period)
    return bool(found.values[ACCELERATION] > -SURE * found.errors[ACCELERATION])


def drive_findings(run: Measurement, force: str, position: str) -> Iterator[RecordFinding]:
    """Findings about the sign and the delay of a force; none if the record is too short or too poor for them.

    >>> list(drive_findings(run, "f", "q"))
    []
    """
    try:
        equation = equation_of(run, force, position, STANDARD)
        found = equation.fit(equation.period)
        delay, error = drive_delay(run, force, position)
        later = equation_of(run, force, position, STANDARD, cutoff=LOW * equation.band.cutoff, delay=delay)
        before = equation_of(run, force, position, STANDARD, cutoff=LOW * equation.band.cutoff)
        gain = later.fit(later.period).noise / before.fit(before.period).noise
    except StribeckError:
        return
    backwards = [n for n in DRIVEN if found.values[n] < -SURE * found.errors[n]]
    forwards = [n for n in DRIVEN if found.values[n] > SURE * found.errors[n]]
    if backwards == [ACCELERATION] and not forwards and _sprung(run, force, position):
        return
    if backwards and not forwards:
        text = (
            f"'{force}' and '{position}' have opposite signs: {' and '.join(backwards)} would be below 0; change one "
            f"with scaled({{'{force}': -1}}) (--scale {force}=-1)"
        )
        yield RecordFinding(force, "sign", text)
        return
    step = run.even("inspect")
    if LEAST * step < abs(delay) < FARTHEST * step and abs(delay) > SURE * error and gain < MATTERS:
        time = f"{abs(1e3 * delay):.3g} ms +- {1e3 * error:.2g} ms ({abs(delay) / step:.1f} samples)"
        what = f"acts {time} later on '{position}' than" if delay > 0 else f"is {time} late against '{position}' as"
        text = f"'{force}' {what} it was recorded; give delay='{1e3 * delay:.3g} ms' (--set delay=...)"
        yield RecordFinding(force, "delay", text)
