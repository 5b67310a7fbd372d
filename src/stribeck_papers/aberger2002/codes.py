"""Codes of DASSL's family: DDASPK, its successor in Fortran by the same authors, and IDA, a later one in C.

Both integrate y' = f(t, y) as 0 = y' - f(t, y) by backward differences of orders 1 to 5, one step at a time, and count.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np

import stribeck as sb

from ..choice import choose

Rates = Callable[[float, Any], tuple[float, ...]]
NEEDS_CODE = "needs a code of DASSL's family: pip install 'stribeck[cvode]' for IDA, 'stribeck[dassl]' for DDASPK"
NEEDS_DDASPK = "needs DASSL's own successor DDASPK: pip install 'stribeck[dassl]', which takes a Fortran compiler"


class Code(Protocol):
    """An integrator that is stepped from outside."""

    name: str
    evaluations: int
    """Of the equations, those for Jacobians by differences with them."""
    jacobians: int
    order: int
    """The highest that was used."""

    def start(self, t: float, y: np.ndarray, rates: Rates, output: float) -> None:
        """Begins again at t (s), on the way to a first output (s), from which it may take its first step."""

    def step(self) -> tuple[float, np.ndarray]:
        """The end of the next step, and the state there."""

    def at(self, t: float) -> np.ndarray:
        """The state at a time within the last step."""


class Ddaspk:
    """DDASPK with dense Jacobians by differences.

    >>> Ddaspk.name
    'DDASPK'
    """

    name = "DDASPK"

    def __init__(self, tolerance: float, t_end: float, first_step: float = 0.0, max_order: int = 5) -> None:
        from scikits_odes_daepack.ddaspk import ddaspk

        self._call, self._tolerance, self._t_end = ddaspk, np.array([tolerance]), t_end
        self._first_step, self._max_order = first_step, max_order
        self.evaluations, self.jacobians, self.order = 0, 0, 1

    def start(self, t: float, y: np.ndarray, rates: Rates, output: float) -> None:
        """Begins again."""
        n = y.size
        self._rates, self._low, self._t, self._y = rates, t, t, np.array(y)
        self._slopes = np.array(rates(t, y.tolist()))
        self._info, self._words, self._numbers = (
            np.zeros(20, np.int32),
            np.zeros(40 + n, np.int32),
            np.zeros(50 + 9 * n + n * n),
        )
        self._info[[2, 3, 8]] = 1  # one step at a time, none beyond the end, an order that may be limited
        self._numbers[0], self._words[2] = self._t_end, self._max_order
        if self._first_step > 0:
            self._info[7], self._numbers[2] = 1, min(self._first_step, self._t_end - t)
        self._output, self._before = (output if self._first_step <= 0 else self._t_end), 0

    def step(self) -> tuple[float, np.ndarray]:
        """One step."""
        self._low = self._t
        self._t, self._y = self._go(self._t, self._output)
        self._output = self._t_end
        self.jacobians += int(self._words[12]) - self._before
        self._before = int(self._words[12])
        self.order = max(self.order, int(self._words[7]))
        return self._t, self._y

    def at(self, t: float) -> np.ndarray:
        """By the formula of the last step; its start is known."""
        return self._y if t >= self._t else self._go(self._low, t)[1]

    def _go(self, t: float, output: float) -> tuple[float, np.ndarray]:
        if t >= output:
            return t, self._y
        limits = self._info, self._tolerance, self._tolerance, self._numbers, self._words
        y, self._slopes, now, flag = self._call(self._residual, _none, self._y, self._slopes, t, output, *limits)
        if flag < 0:
            raise sb.StribeckError(f"DDASPK at {now:g} s: it stops with IDID = {flag}")
        return float(now), y

    def _residual(self, t: float, y: np.ndarray, slopes: np.ndarray) -> tuple[np.ndarray, int]:
        self.evaluations += 1
        return slopes - self._rates(t, y.tolist()), 0


def _none(*_: Any) -> float:
    """In the place of a Jacobian: differences are taken."""
    return 0.0


class Ida:
    """IDA of SUNDIALS.

    >>> code = Ida(1e-6, t_end=25.0)
    >>> code.start(0.0, np.ones(1), lambda t, y: (-y[0],), output=0.01)
    >>> 0 < code.step()[0] < 1e-3
    True
    """

    name = "IDA"

    def __init__(self, tolerance: float, t_end: float, first_step: float = 0.0, max_order: int = 5) -> None:
        from sksundae.ida import IDA

        how = {"rtol": tolerance, "atol": tolerance, "first_step": first_step, "max_order": max_order}
        self._t_end, self._rates, self._seen = t_end, None, 0
        self._solver = IDA(self._residual, max_num_steps=1_000_000, **how)
        self.evaluations, self.jacobians, self.order = 0, 0, 0

    def start(self, t: float, y: np.ndarray, rates: Any, output: float) -> None:
        """Begins again."""
        self._rates, self._t, self._output, self._seen = rates, t, output, 0
        self._solver.init_step(t, y, np.array(rates(t, y.tolist())))

    def step(self) -> tuple[float, np.ndarray]:
        """One step; after an interpolation the code first returns to the end of its last one."""
        for _ in range(2):
            last = self._solver.step(max(self._output, self._t + 1e-2), method="onestep", tstop=self._t_end)
            if not last.success:
                raise sb.StribeckError(f"IDA at {self._t:g} s: {last.message}")
            if last.t > self._t:
                break
        self._t, self._y = last.t, np.array(last.y)
        self.jacobians += last.njev - self._seen
        self._seen = last.njev
        return self._t, self._y

    def at(self, t: float) -> np.ndarray:
        """By the formula of the last step."""
        return self._y if t >= self._t else np.array(self._solver.step(t).y)

    def _residual(self, t: float, y: np.ndarray, slopes: np.ndarray, found: np.ndarray) -> None:
        self.evaluations += 1
        assert self._rates is not None
        found[:] = slopes - self._rates(t, y.tolist())


CODES: dict[str, tuple[Any, str]] = {"DDASPK": (Ddaspk, "scikits_odes_daepack"), "IDA": (Ida, "sksundae")}
"""By preference."""


def best_code() -> str | None:
    """The name of the code that is nearest to DASSL of those that are installed.

    >>> best_code() in CODES
    True
    """
    return next((name for name in CODES if has_code(name)), None)


def has_code(name: str) -> bool:
    """Whether a code is installed.

    >>> has_code("IDA")
    True
    """
    return find_spec(CODES[name][1]) is not None


def made(name: str | None, tolerance: float, t_end: float, **options: Any) -> Code:
    """A code by its name, the best one if it is None.

    >>> made("IDA", 1e-6, 25.0).name
    'IDA'
    """
    chosen = best_code() if name is None else choose("there is no code", name, {key: key for key in CODES})
    if chosen is None or not has_code(chosen):
        raise sb.StribeckError(f"this run {NEEDS_CODE}")
    code: Code = CODES[chosen][0](tolerance, t_end, **options)
    return code
