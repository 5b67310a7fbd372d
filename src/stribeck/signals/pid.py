"""A PID controller."""

from __future__ import annotations

from ..declare import Param, Values
from ..traced import function
from ._graph import Graph, weighted
from ._state import NOMINAL, Dynamic, lag
from .arithmetic import Sum
from .limits import out_of_order
from .signal import Operand


class PID(Dynamic):
    """A PID controller in parallel form with filtered derivative, output limits and anti-windup by back-calculation.

        e  = setpoint - measurement
        v  = Kp (b setpoint - measurement) + I + D
        u  = v between low and high                          the value of this signal
        I' = Ki e + (u - v) / T_t,    I(0) = start
        D  = Kd s / (T_f s + 1) (c setpoint - measurement),  D(0) = 0

    The default tracking time is T_t = sqrt(Kd/Ki), or Kp/Ki if Kd = 0.

    >>> Torque(mass, tau=PID("1 rad", "mass.phi", Kp=30, Ki=5, Kd=2, T_f="1 ms", low="-10 N.m", high="10 N.m"))
    """

    setpoint = Operand(None, "", "wanted value")
    measurement = Operand(None, "", "measured value")
    Kp = Param(0.0, "", "proportional gain")
    Ki = Param(0.0, "", "integral gain")
    Kd = Param(0.0, "", "derivative gain")
    T_f = Param(None, "s", "time constant of the derivative filter", above=0, optional=True)
    low = Param(None, "{value}", "lower limit of the output", optional=True)
    high = Param(None, "{value}", "upper limit of the output", optional=True)
    T_t = Param(None, "s", "tracking time of the anti-windup", above=0, optional=True)
    b = Param(1.0, "1", "setpoint weight of the proportional part")
    c = Param(1.0, "1", "setpoint weight of the derivative part")
    start = Param(0.0, "{value}", "initial integral part")
    nominal = NOMINAL

    @staticmethod
    def faults(p: Values) -> list[str]:
        if p.Kd and p.T_f is None:
            return [f"Kd = {p.Kd:g} needs the time constant of its filter; give T_f, for instance T_f = Kd / (10 Kp)"]
        if not any((p.Kp, p.Ki, p.Kd)):
            return ["Kp, Ki and Kd are all 0; give at least one of them"]
        if faults := out_of_order(p.low, p.high):
            return faults
        limited = p.low is not None or p.high is not None
        if limited and p.Ki and p.T_t is None and not tracking_time(p) > 0:
            return [f"Kp = {p.Kp:g}, Ki = {p.Ki:g}, Kd = {p.Kd:g} determine no tracking time; give T_t"]
        return []

    def bounds(self) -> tuple[float, float] | None:
        """The limits of the output, if there are two."""
        return None if None in (self.p.low, self.p.high) else (self.p.low, self.p.high)

    def lower(self, graph: Graph) -> int:
        p = self.p
        r, y = graph.lower(p.setpoint), graph.lower(p.measurement)
        parts = [(p.Kp * p.b, r), (-p.Kp, y)]
        if p.Kd:
            parts += self._derivative(graph)
        if not p.Ki:
            return self._limited(graph, weighted(graph, parts, p.start))
        integral = self.state(graph, "integral", p.start)
        v = weighted(graph, [*parts, (1.0, integral)])
        u = self._limited(graph, v)
        back = [] if u == v else [(1 / self.T_t_used, u), (-1 / self.T_t_used, v)]
        graph.rate(integral, weighted(graph, [(p.Ki, r), (-p.Ki, y), *back]))
        return u

    def _derivative(self, graph: Graph) -> list[tuple[float, int]]:
        """The derivative part as terms of a sum."""
        p = self.p
        error = Sum.ready(self.path, terms=[p.setpoint, p.measurement], gains=[p.c, -1.0])
        k = p.Kd / p.T_f
        return [(k, graph.lower(error)), (-k, lag(self, graph, error, p.T_f, "filter"))]

    def _limited(self, graph: Graph, v: int) -> int:
        """The output between its limits."""
        low, high = self.p.low, self.p.high
        knots = [limit for limit in (low, high) if limit is not None]
        if not knots:
            return v
        below, above = [(low, low, 0.0)] if low is not None else [], [(high, high, 0.0)] if high is not None else []
        lines = [*below, (0.0, 0.0, 1.0), *above]
        return graph.node("PIECEWISE", [v], [float(len(knots)), *knots, *(x for line in lines for x in line)])

    @property
    def T_t_used(self) -> float:
        """The tracking time (s) of the anti-windup."""
        return self.p.T_t if self.p.T_t is not None else tracking_time(self.p)


def tracking_time(p: Values) -> float:
    """The geometric mean of integral time Kp/Ki and derivative time Kd/Kp, or the first alone; 0 if there is none.

    >>> tracking_time(SimpleNamespace(Kp=2.0, Ki=8.0, Kd=0.5))
    0.25
    """
    if p.Kd:
        return function("sqrt", max(p.Kd / p.Ki, 0.0))
    return max(p.Kp / p.Ki, 0.0)
