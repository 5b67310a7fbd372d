"""SciPy and SUNDIALS behind one small contract, for runs on the open interface of the kernel."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import StribeckError

if TYPE_CHECKING:
    from ..kernel import Machine

SMALLEST_RTOL = 100 * np.finfo(float).eps  # of SciPy, which warns below


@dataclass(frozen=True)
class Setup:
    """What every integrator is made with. Error weights are tolerance * (nominal + |y|)."""

    machine: Machine
    nominal: np.ndarray
    tolerance: float
    max_step: float
    first_step: float
    """0 lets the integrator choose."""


STANDSTILL = 100
"""Steps in a row below the resolution of the clock after which a run is given up; LSODA would take them without end."""


NOT_FINITE = 1000
"""Rates that are not finite, since the last step that succeeded, after which a run is given up."""


class Stopped(Exception):
    """An integrator cannot go on; the message says why."""


class Integrator(ABC):
    """An integrator on its way from (t, y) to `stop`. The contract:

    1. `step` takes one step of the integrator's own choice, not past `stop`, which may also lie before t.
    2. `t`, `y` are the end of the last step; `t_old`, `y_old` its start.
    3. `at(t)` is the state anywhere within the last step.
    4. `evaluations` are the right-hand sides and Jacobians so far.
    """

    def __init__(self, t: float, y: np.ndarray) -> None:
        self.t = self.t_old = t
        self.y = self.y_old = y
        self._standing = self._not_finite = 0

    def step(self) -> None:
        """Takes one step."""
        t, y = self._advance()
        self._standing = self._standing + 1 if t == self.t else 0
        if self._standing > STANDSTILL:
            raise Stopped("the step size fell below what the clock resolves")
        self._not_finite = 0
        if not np.isfinite(y).all():
            raise Stopped("a state is not finite")
        self.t_old, self.y_old, self.t, self.y = self.t, self.y, t, y

    def at(self, t: float) -> np.ndarray:
        """State at t within the last step."""
        return self.y if t == self.t else self._interpolate(t)

    def _rates_of(self, machine: Machine) -> Callable[[float, np.ndarray], np.ndarray]:
        """The right-hand side of a machine, which gives up where an integrator would retry without end."""

        def rates(t: float, y: np.ndarray) -> np.ndarray:
            found = machine.rhs(t, y)
            if not np.isfinite(found).all():
                self._not_finite += 1
                if self._not_finite > NOT_FINITE:
                    raise Stopped("a state or its rate is not finite")
            return found

        return rates

    @property
    @abstractmethod
    def evaluations(self) -> tuple[int, int]:
        """Right-hand sides and Jacobians so far."""

    @abstractmethod
    def _advance(self) -> tuple[float, np.ndarray]: ...

    @abstractmethod
    def _interpolate(self, t: float) -> np.ndarray: ...


class Scipy(Integrator):
    """One of SciPy's `OdeSolver` classes."""

    def __init__(self, method: str, setup: Setup, t: float, y: np.ndarray, stop: float) -> None:
        import scipy.integrate

        super().__init__(t, y)
        explicit = method in ("RK45", "DOP853")
        self._solver: Any = getattr(scipy.integrate, method)(
            self._rates_of(setup.machine),
            t,
            y,
            stop,
            rtol=max(setup.tolerance, SMALLEST_RTOL),
            atol=setup.tolerance * setup.nominal,
            max_step=setup.max_step,
            first_step=min(setup.first_step, abs(stop - t)) or None,
            **({} if explicit else {"jac": setup.machine.jacobian}),
        )

    @property
    def evaluations(self) -> tuple[int, int]:
        """Right-hand sides and Jacobians so far."""
        return int(self._solver.nfev), int(self._solver.njev)

    def _advance(self) -> tuple[float, np.ndarray]:
        try:
            message = self._solver.step()
        except (ValueError, np.linalg.LinAlgError) as error:  # of a matrix that is not finite
            raise Stopped(f"{type(self._solver).__name__} of SciPy: {error}") from None
        if self._solver.status == "failed":
            raise Stopped(f"{type(self._solver).__name__} of SciPy: {message}")
        self._dense = self._solver.dense_output()
        return float(self._solver.t), self._solver.y

    def _interpolate(self, t: float) -> np.ndarray:
        return np.asarray(self._dense(t))


class Cvode(Integrator):
    """CVODE of SUNDIALS, through scikit-sundae."""

    def __init__(self, setup: Setup, t: float, y: np.ndarray, stop: float) -> None:
        try:
            from sksundae.cvode import CVODE
        except ImportError as error:
            way_out = "install it with: pip install 'stribeck[cvode]'"
            raise StribeckError(f"solver 'cvode' needs scikit-sundae ({error}); {way_out}") from None

        super().__init__(t, y)
        machine, rates = setup.machine, self._rates_of(setup.machine)

        def rhs(t: float, y: np.ndarray, rate: np.ndarray) -> None:
            rate[:] = rates(t, y)

        def jacobian(t: float, y: np.ndarray, rate: np.ndarray, matrix: np.ndarray) -> None:
            matrix[:] = machine.jacobian(t, y)

        unlimited = 0.0
        self._solver = CVODE(
            rhs,
            jacfn=jacobian,
            rtol=setup.tolerance,
            atol=setup.tolerance * setup.nominal,
            max_step=setup.max_step if np.isfinite(setup.max_step) else unlimited,
            first_step=setup.first_step,
        )
        self._stop = stop
        self._last = self._solver.init_step(t, y)

    @property
    def evaluations(self) -> tuple[int, int]:
        """Right-hand sides and Jacobians so far."""
        return int(self._last.nfev), int(self._last.njev)

    def _advance(self) -> tuple[float, np.ndarray]:
        self._last = self._call(self._stop, method="onestep", tstop=self._stop)
        if self._last.t == self.t:  # after an interpolation CVODE first returns to the end of its last step
            self._last = self._call(self._stop, method="onestep", tstop=self._stop)
        return float(self._last.t), self._last.y

    def _interpolate(self, t: float) -> np.ndarray:
        return np.asarray(self._call(t, method="normal").y)

    def _call(self, t: float, **how: Any) -> Any:
        result = self._solver.step(t, **how)
        if not result.success:
            raise Stopped(f"CVODE: {result.message}")
        return result


Start = Callable[[Setup, float, np.ndarray, float], Integrator]

INTEGRATORS: dict[str, Start] = {
    "scipy-lsoda": partial(Scipy, "LSODA"),
    "scipy-radau": partial(Scipy, "Radau"),
    "scipy-bdf": partial(Scipy, "BDF"),
    "scipy-dop853": partial(Scipy, "DOP853"),
    "scipy-rk45": partial(Scipy, "RK45"),
    "cvode": Cvode,
}
"""The outside integrators by the names that `simulate(solver=...)` knows."""
