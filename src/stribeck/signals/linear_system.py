"""Linear systems: state space and transfer function, in continuous or discrete time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ..declare import Param, Series, Values, Word
from ..errors import SpecError
from ._graph import Graph, weighted
from ._matrix import Matrix, Vector
from ._state import NOMINAL, Dynamic, start_of
from .signal import Operand, Signal

Terms = list[tuple[float, int]]


class StateSpace(Dynamic):
    """`x' = A x + B u, y = C x + D u` with one input and one output, in SI; with dt > 0 it is
    `x[k+1] = A x[k] + B u[k], y[k] = C x[k] + D u[k]`, sampled every dt and held.

    The initial state is x0, by default 0.

    >>> StateSpace("motor.w", A=[[0, 1], [-100, -2]], B=[0, 100], C=[1, 0])
    """

    u = Operand(None, "", "input")
    A = Matrix(None, "", "system matrix")
    B = Vector(None, "", "input matrix: one number per state")
    C = Vector(None, "", "output matrix: one number per state")
    D = Param(0.0, "", "feedthrough")
    x0 = Vector(None, "", "initial states", optional=True)
    dt = Param(0.0, "s", "sample time; 0: continuous", min=0)
    nominal = NOMINAL

    @staticmethod
    def faults(p: Values) -> list[str]:
        n = len(p.A)
        if len(p.A[0]) != n:
            return [f"A has {n} x {len(p.A[0])} numbers and must be square"]
        for name, values in (("B", p.B), ("C", p.C), ("x0", p.x0)):
            if values is not None and len(values) != n:
                return [f"{name} has {len(values)} numbers and A {n} rows; give one number for each state"]
        return []

    @property
    def direct(self) -> list[Signal]:
        """The input, if there is feedthrough."""
        return self.operands if self.D else []

    @property
    def sample_time(self) -> float | None:
        """That of a system in discrete time."""
        return self.p.dt or None

    def lower(self, graph: Graph) -> int:
        p = self.p
        return linear(self, graph, p, p.x0 or [0.0] * len(p.A), lambda: [(1.0, graph.lower(p.u))])


class TransferFunction(Dynamic):
    """`num(s) / den(s)` times u, coefficients of the highest power first, in SI; with dt > 0 it is `num(z) / den(z)`.

    It starts at rest, with all states 0, or "steady": in the steady state of the initial value of u.

    >>> TransferFunction("motor.w", num=[1], den=["10 ms", 1])
    """

    u = Operand(None, "", "input")
    num = Series(None, "", "numerator")
    den = Series(None, "", "denominator")
    start = Word("rest", "1", "initial state", options=("rest", "steady"))
    dt = Param(0.0, "s", "sample time; 0: continuous", min=0)
    nominal = NOMINAL

    @staticmethod
    def faults(p: Values) -> list[str]:
        num, den = trimmed(p.num), trimmed(p.den)
        if not p.num:
            return ["num = [] has no coefficients; give at least one, for instance num=[1]"]
        if not den:
            return [f"den = {p.den} is zero; a transfer function needs a denominator"]
        if len(num) > len(den):
            return [
                f"num has degree {len(num) - 1} and den {len(den) - 1}, so it would differentiate; "
                "raise the degree of den by a short time constant, for instance den=[0.001, 1]"
            ]
        if p.start == "steady" and sum(den if p.dt else den[-1:]) == 0:
            return [f"den = {p.den} integrates, so there is no steady start; use start='rest'"]
        return []

    @property
    def direct(self) -> list[Signal]:
        """The input, if there is feedthrough or a steady start."""
        proper = len(trimmed(self.num)) < len(trimmed(self.den))
        return [] if proper and self.start == "rest" else self.operands

    @property
    def sample_time(self) -> float | None:
        """That of a system in discrete time."""
        return self.p.dt or None

    def lower(self, graph: Graph) -> int:
        p = self.p
        system = realised(trimmed(p.num), trimmed(p.den), p.dt)
        x0 = [0.0] * len(system.A)
        if p.start == "rest":
            return linear(self, graph, system, x0, lambda: [(1.0, graph.lower(p.u))])

        # the response to the change of u since t = 0, plus the initial steady state
        value, terms = start_of(graph, p.u)
        change = [(1.0, graph.lower(p.u)), *((-k, node) for k, node in terms)]
        node = linear(self, graph, system, x0, lambda: change, -value)
        gain = (sum(p.num) / sum(p.den)) if p.dt else p.num[-1] / p.den[-1]
        return weighted(graph, [(1.0, node), *((gain * k, other) for k, other in terms)], gain * value)


def trimmed(coefficients: list[float]) -> list[float]:
    """A polynomial without leading zeros.

    >>> trimmed([0.0, 0.0, 2.0, 1.0])
    [2.0, 1.0]
    """
    first = next((i for i, c in enumerate(coefficients) if c != 0), len(coefficients))
    return list(coefficients[first:])


def realised(num: list[float], den: list[float], dt: float = 0.0) -> SimpleNamespace:
    """Matrices of a transfer function in controllable form. Continuous time is scaled so that the states have the
    magnitude of the input: with s = w p, x' = w (A x + B u), where w is the mean of the non-zero poles.

    >>> realised([1.0], [4.0, 0.0, 1.0]).A
    [[-0.0, -0.5], [0.5, 0.0]]
    """
    n = len(den) - 1
    num = [0.0] * (n + 1 - len(num)) + num
    a, b = ([c / den[0] for c in polynomial] for polynomial in (den, num))
    last = next((i for i in range(n, 0, -1) if a[i] != 0), 0)
    w = abs(a[last]) ** (1 / last) if last and not dt else 1.0
    a, b = ([c / w**i for i, c in enumerate(polynomial)] for polynomial in (a, b))
    A = [[-w * c for c in a[1:]], *([w if j == i else 0.0 for j in range(n)] for i in range(n - 1))] if n else []
    C = [c - b[0] * d for c, d in zip(b, a, strict=True)][1:]
    return SimpleNamespace(A=A, B=[w, *[0.0] * (n - 1)][:n], C=C, D=b[0], dt=dt)


def linear(
    signal: Dynamic, graph: Graph, system: SimpleNamespace, x0: list[float], u: Any, constant: float = 0.0
) -> int:
    """The output node of `x' = A x + B u, y = C x + D u`, or of the same in discrete time.

    The input is `constant` plus the terms of `u()`. Without feedthrough `u()` is called later, so that its terms may
    depend on the output.
    """
    n, dt = len(system.A), system.dt
    if dt:
        x = [graph.node("SAMPLE", (), [dt, 0.0, start]) for start in x0]  # fed later: first read at dt
    else:
        x = [signal.state(graph, f"x{i + 1}", start) for i, start in enumerate(x0)]

    def inputs() -> Terms:
        terms: Terms = u()
        return [(1.0, graph.node("SAMPLE", [weighted(graph, terms)], [dt, 0.0, 0.0]))] if dt else terms

    def row(weights: list[float], k: float, terms: Terms) -> int:
        own = list(zip(weights, x, strict=True))
        return weighted(graph, [*own, *((k * factor, node) for factor, node in terms)], k * constant)

    def close(terms: Terms) -> None:
        for i in range(n):
            (graph.feed if dt else graph.rate)(x[i], row(system.A[i], system.B[i], terms))

    if system.D:
        known = inputs()
        close(known)
        return row(system.C, system.D, known)
    graph.later(lambda: close(inputs()))
    return row(system.C, 0.0, [])


def linear_system(system: Any, u: Any) -> StateSpace | TransferFunction:
    """A linear system of another package (python-control, scipy.signal) with the input u as a signal.

    >>> import control
    >>> linear_system(control.tf([1], [0.01, 1]), mass.sensor("w"))
    TransferFunction(u='mass.w', num=[1.0], den=[0.01, 1.0])
    """
    words, dt = " ".join(repr(system).split()), getattr(system, "dt", None)
    if dt is True:
        raise SpecError(f"{words} is in discrete time without a sample time; give dt in seconds")
    for what, alternatives in (("inputs", ("ninputs", "inputs")), ("outputs", ("noutputs", "outputs"))):
        number = next((n for name in alternatives if isinstance(n := getattr(system, name, None), int)), 1)
        if number != 1:
            raise SpecError(f"{words} has {number} {what}; a signal needs one, for instance system[0, 0]")
    timing = {"dt": float(dt)} if dt else {}
    if all(hasattr(system, name) for name in "ABCD"):
        D = _flat(system.D) if hasattr(system.D, "__len__") else [float(system.D)]
        if len(D) != 1:
            raise SpecError(f"{words}: D has {len(D)} numbers; a signal needs one input and one output")
        if not len(system.A):  # a gain without states
            return TransferFunction(u, num=D, den=[1.0], **timing)
        return StateSpace(u, A=system.A, B=system.B, C=system.C, D=D[0], **timing)
    if hasattr(system, "to_tf") and not hasattr(system, "num"):  # zeros, poles and a gain
        system = system.to_tf()
    if hasattr(system, "num") and hasattr(system, "den"):
        return TransferFunction(u, num=_flat(system.num), den=_flat(system.den), **timing)
    raise SpecError(f"{words} is not a linear system; it needs A, B, C, D or num, den")


def _flat(values: Any) -> list[float]:
    """The coefficients of a single-input single-output polynomial, at any nesting depth."""
    values = values.tolist() if hasattr(values, "tolist") else values
    while len(values) == 1 and hasattr(values[0], "__len__"):
        values = values[0].tolist() if hasattr(values[0], "tolist") else values[0]
    return [float(value) for row in values for value in (row if hasattr(row, "__len__") else [row])]
