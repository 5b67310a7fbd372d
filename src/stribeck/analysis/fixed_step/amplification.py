"""What a fixed step of an explicit method does to a linear system: how much a motion grows from step to step.

A method turns x' = lambda x into x(t + h) = R(h lambda) x(t), with a polynomial R. It is stable where
|R| <= 1: on the negative real axis down to -2 (ode1, ode2), -2.513 (ode3), -2.785 (ode4) and -3.307 (ode5). A motion
without damping has an imaginary lambda = i omega; there ode1 grows by about exp(h omega^2 t/2), ode2 by exp(h^3 omega^4
t/8), and the others are stable up to a multiple of 1/omega.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from ...declare import unknown
from ...errors import UnknownName

POLYNOMIALS = {
    "ode1": (1, 1),
    "ode2": (1, 1, 1 / 2),
    "ode3": (1, 1, 1 / 2, 1 / 6),
    "ode4": (1, 1, 1 / 2, 1 / 6, 1 / 24),
    "ode5": (1, 1, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 600),
}
"""R of the Runge-Kutta methods, from the constant on; ode5 is Dormand and Prince's method of order 5 with 6 stages."""

EXPLICIT = (*POLYNOMIALS, "semi-implicit", "mixed")
"""The methods whose step is limited, by their names in `Model.realtime`."""

GROWTH = 0.05
"""A motion that grows by no more than this share over a whole run counts as one that does not grow; and one that grows
by itself may do so by this share faster."""

SHORTEST, LONGEST = 1e-9, 1.0
"""Between these (s) the largest steps are looked for ..."""
LADDER, REFINED = 61, 4
"""... at so many lengths, and so many times between two of them: to 1e-6."""


@dataclass(frozen=True, eq=False)
class System:
    """x' = A x, and what each x is: "v" a speed, "q" a position, "z" a state of a friction law, "u" one of a signal.

    >>> System(np.array([[-3.0]]), "v").eigenvalues
    array([-3.+0.j])
    """

    A: np.ndarray
    kinds: str

    @cached_property
    def eigenvalues(self) -> np.ndarray:
        """In 1/s."""
        return np.linalg.eigvals(self.A).astype(complex)

    @property
    def rate(self) -> float:
        """|lambda| of the fastest motion (1/s)."""
        return float(np.abs(self.eigenvalues).max(initial=0.0))

    @property
    def own(self) -> float:
        """The rate (1/s) at which it grows by itself; 0 if it does not."""
        return max(0.0, float(self.eigenvalues.real.max(initial=0.0)))


def stability_limit(method: str) -> float:
    """The largest h |lambda| at which an explicit method is stable on the negative real axis.

    A motion that decays at a rate |lambda| (1/s) without oscillation takes steps up to this number divided by the rate.

    >>> round(sb.analysis.stability_limit("ode4"), 3)
    2.785
    """
    if method not in EXPLICIT:
        raise UnknownName(unknown("stability_limit: there is no explicit method", method, EXPLICIT))
    return _real_limit(method)


@cache
def _real_limit(method: str) -> float:
    decay = System(np.array([[-1.0]]), "v")
    low, high = 1.0, 5.0
    while high - low > 1e-12:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if growth(method, decay, np.array([middle]))[0] <= 1.0 else (low, middle)
    return low


def growth(method: str, system: System, h: np.ndarray) -> np.ndarray:
    """By how much a motion is multiplied in one step, that which grows most, for each of several steps h (s).

    >>> growth("ode1", System(np.array([[-3.0]]), "v"), np.array([1.0]))
    array([2.])
    """
    if method in POLYNOMIALS:
        factors = np.polyval(POLYNOMIALS[method][::-1], np.multiply.outer(h, system.eigenvalues))
    else:
        factors = 1 + h[:, None] * np.linalg.eigvals(_one_after_another(method, system, h))
    largest: np.ndarray = np.abs(factors).max(axis=-1, initial=0.0)
    return largest


def excess(method: str, system: System, h: np.ndarray) -> np.ndarray:
    """The rate (1/s) at which a method makes motions grow that do not do so by themselves; not positive if it does not.

    >>> excess("ode1", System(np.array([[0.0, -9.0], [1.0, 0.0]]), "vq"), np.array([1e-3]))
    array([0.0045])
    """
    with np.errstate(divide="ignore"):
        rate: np.ndarray = np.log(growth(method, system, h)) / h - system.own
    return rate


def largest_step(method: str, system: System, span: float) -> float:
    """The step (s) up to which a method keeps the system from growing by more than GROWTH over a time `span` (s).

    It is infinite if that is so for all steps up to LONGEST, and 0 if not even for SHORTEST.

    >>> largest_step("ode1", System(np.array([[-4.0]]), "v"), span=10.0)
    0.5
    """
    allowed = max(np.log1p(GROWTH) / span, GROWTH * system.own)
    low, high = SHORTEST, LONGEST
    for _ in range(REFINED):
        ladder = np.geomspace(low, high, LADDER)
        grows = excess(method, system, ladder) > allowed
        if not grows.any():
            return np.inf if high == LONGEST else high
        at = int(np.argmax(grows))
        if at == 0:
            return 0.0 if low == SHORTEST else low
        low, high = float(ladder[at - 1]), float(ladder[at])
    return low


def resolvent_swing(eigenvalue: complex, h: float) -> tuple[float, float]:
    """What the resolvent step makes of a spring and a damper that swing with an eigenvalue (1/s): by which share it is
    slower, and by how much its damping ratio is larger (`kernel/fixed/free_motion.c`).

    With x'' + d x' + c x = 0 the spring acts at mid-step, the damper after the share (1/2 + h d)/(1 + h d) of it, and
    the numerical damper 0.75 c h y/(1 + y), y = h^2 c, at the end.

    >>> resolvent_swing(400.0j, 1e-3)
    (0.0172, 0.0201)
    """
    c, d = abs(eigenvalue) ** 2, -2 * eigenvalue.real
    extra = 0.75 * c * h * (h * h * c) / (1 + h * h * c)
    share = (0.5 + h * d) / (1 + h * d) if d > 0 else 0.5
    whole = 1 + h * (share * d + extra) + h * h * c / 4
    by_speed, by_position = -h * (0.5 * h * c + d + extra) / whole, -h * c / whole
    step = np.array([[1 + by_speed, by_position], [h + 0.5 * h * by_speed, 1 + 0.5 * h * by_position]])
    made = np.log(np.linalg.eigvals(step)[0].astype(complex)) / h
    damping = eigenvalue.real / abs(eigenvalue) - made.real / abs(made)
    return float(1 - abs(made.imag) / abs(eigenvalue.imag)), float(damping)


def _one_after_another(method: str, system: System, h: np.ndarray) -> np.ndarray:
    """D of the step 1 + h D of the methods that advance a part of the unknowns before the others: semi-implicit Euler
    positions last, with the new speeds; the mixed mode the states of friction laws first, implicitly.

    The 1 is left out, for beside it the eigenvalues of a short step would be lost in rounding."""
    slopes = np.zeros((h.size, *system.A.shape))
    for kinds in ("vzu", "q") if method == "semi-implicit" else ("z", "vqu"):
        part = [i for i, kind in enumerate(system.kinds) if kind in kinds]
        rows = system.A[part]
        if kinds == "z":
            own = h[:, None, None] * rows[:, part]
            slopes[:, part] = np.linalg.solve(np.eye(len(part)) - own, np.broadcast_to(rows, (h.size, *rows.shape)))
        else:
            slopes[:, part] = rows + h[:, None, None] * (rows @ slopes)
    return slopes
