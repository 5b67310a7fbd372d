"""The seven-parameter model of Armstrong-Helouvry, Dupont and Canudas de Wit."""

from __future__ import annotations

from ._lag import TAU_L, lag_need, lag_rates, lag_states
from ._parameters import MU_C, MU_S, MU_V, SIGMA0, SIGMA1, V_S, positive
from ._step_needs import damper
from .functions import Abs, Piecewise, sign, smaller
from .law import AtMost, BristleLaw, Expr, Flow, Jump, Mode, State, StepConditions, StepNeed, Values
from .rising_stribeck import T_RISE

SLACK = 1e-9
"""Spring force beyond static friction, relative to it, at which sliding begins: rounding must not begin it."""

FADED = 1e6
"""Speed relative to v_s beyond which the Stribeck friction is constant: 1e-12 of it."""


def stribeck_part(p: Values, arrival: Expr, dwell: Expr) -> Expr:
    """F_s(gamma, t2): what static friction has beyond Coulomb friction after the time t2 at rest."""
    time = Abs(dwell)
    return arrival + time / (time + p.t_rise) * (p.mu_s - p.mu_c - arrival)


def faded(p: Values, w: Expr) -> Expr:
    """Share of it that is left at the speed w."""
    return 1 / (1 + smaller(Abs(w) / p.v_s, FADED) ** 2)


class SevenParameter(BristleLaw):
    """The seven-parameter model: presliding, Coulomb, viscous and Stribeck friction, memory, rising static friction.

    Stuck, friction is a spring sigma0 (with a damper sigma1, which the paper does not have: set it to 0 for its model).
    Static friction rises with the time t2 at rest, F_s(t2) = F_a + (mu_s - mu_c - F_a) t2/(t2 + t_rise) beyond mu_c,
    from the Stribeck friction F_a at the end of the previous slide. Sliding, friction is
    mu_c + mu_v |v| + F_s(t2)/(1 + (w/v_s)^2), where w is the speed tau_L before (as a low-pass; see `_lag.py`).
    The paper leaves the changes open: here the spring breaks at its static friction, and the contact is stuck again
    when its speed changes sign, with the spring at the friction of sliding, so that friction is continuous.

    >>> Bearing(mass, law=SevenParameter(sigma0=1e4, tau_c=1, tau_s=1.5, tau_L="4 ms", t_rise="2 s"))
    """

    source = (
        "B. Armstrong-Helouvry, P. Dupont, C. Canudas de Wit: A Survey of Models, Analysis Tools and Compensation "
        "Methods for the Control of Machines with Friction. Automatica 30 (1994) 1083-1138, (12)-(14)"
    )

    sigma0 = SIGMA0
    sigma1 = SIGMA1
    mu_c = positive(MU_C)
    mu_s = positive(MU_S)
    v_s = V_S
    mu_v = MU_V
    tau_L = TAU_L
    t_rise = T_RISE
    orders = (AtMost("mu_c", "mu_s"),)

    z = State("{disp}", "deflection of the spring", lambda p: p.mu_s / p.sigma0)
    v_lag, u_lag = lag_states(lambda p: p.v_s)
    dwell = State("s", "time at rest", lambda p: p.t_rise, directed=False)
    arrival = State(
        "{load}",
        "Stribeck friction at the end of the previous slide",
        lambda p: p.mu_s,
        bound=lambda p: p.mu_s - p.mu_c,
        directed=False,
    )
    mode = Mode("stuck 0, sliding forward 1 or backward -1", (0, 1, -1))

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr, w: Expr, u: Expr, dwell: Expr, arrival: Expr, mode: Expr) -> Flow:
        stuck = Abs(mode) < 0.5
        dw, du = lag_rates(p, v, w, u)
        sliding = sign(mode) * (p.mu_c + stribeck_part(p, arrival, dwell) * faded(p, w)) + p.mu_v * v
        return Flow(
            z=Piecewise((v, stuck), (0, True)),
            v_lag=dw,
            u_lag=du,
            dwell=Piecewise((1, stuck), (0, True)),
            arrival=0,
            friction=Piecewise((p.sigma0 * z + p.sigma1 * v, stuck), (sliding, True)),
        )

    @staticmethod
    def jumps(
        p: Values, v: Expr, z: Expr, w: Expr, u: Expr, dwell: Expr, arrival: Expr, mode: Expr, hold: Expr
    ) -> list[Jump]:
        stuck, part = Abs(mode) < 0.5, stribeck_part(p, arrival, dwell)
        at_limit = 1 + SLACK - sign(v) * p.sigma0 * z / (p.mu_c + part)
        arriving = part * faded(p, w)
        return [
            Jump(Piecewise((at_limit, stuck), (1, True)), mode=sign(z)),
            Jump(
                Piecewise((1, stuck), (mode * v, True)),
                z=mode * (p.mu_c + arriving) / p.sigma0,
                dwell=0,
                arrival=arriving,
                mode=0,
            ),
        ]

    @staticmethod
    def steady(p: Values, v: Expr) -> tuple[Expr, Expr, Expr, Expr, Expr, Expr]:
        way = sign(v)
        return way * p.mu_s / p.sigma0, v, 0, 0, Abs(way) * (p.mu_s - p.mu_c), way

    @staticmethod
    def storage(p: Values, z: Expr, w: Expr, u: Expr, dwell: Expr, arrival: Expr, mode: Expr) -> Expr:
        return p.sigma0 * z**2 / 2

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return p.v_s

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        return [damper("sigma1", "", 0.0, at), lag_need(p, at)]
