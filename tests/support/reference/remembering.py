"""Laws with memory as their papers state them, written out in plain Python: nothing of the product is used here.

Frictional memory (Hess and Soom 1990) is a delay of speed; here it is a low-pass of second order,
3/(3 + 3 s tau + (s tau)^2). The seven-parameter model leaves its changes of mode open: its spring breaks at the static
friction, and it is stuck when its speed changes sign, with the spring at the friction of sliding.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, exp, inf, isnan

from support.reference.automaton import Contact, Mode, State
from support.reference.laws import BACKWARD, FORWARD, STUCK, Pieces, Stribeck, fading

# --- friction over the distance ---------------------------------------------------------------------------------------


@dataclass
class BlimanSorine(Pieces):
    """Bliman, Sorine 1995, second order: x' = |v| A x + B v, F = C x, and viscous friction."""

    mu_c: float = 1.0
    f2: float = 1.5
    eta: float = 0.4
    epsilon: float = 1e-3
    mu_v: float = 0.0

    def unit(self) -> State:
        return 1.0, 1.0

    def steady(self, v: float) -> State:
        way = copysign(1.0, v) if v else 0.0
        return way, way

    def rates(self, mode: Mode, v: float, z: State) -> State:
        speed = mode[0] * v
        return (v - speed * z[0]) / (self.eta * self.epsilon), (v - speed * z[1]) / self.epsilon

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        return (self.mu_c + self.f2) * z[0] - self.f2 * z[1] + self.mu_v * v


@dataclass
class BoucWen(Pieces):
    """Bouc 1967, Wen 1976: z' = A v - beta |v| |z|^(n-1) z - gamma v |z|^n, with A = 1 and beta + gamma = 1/z0^n."""

    sigma0: float = 1e4
    mu_c: float = 1.0
    sharpness: float = 2.0
    beta_share: float = 0.5
    mu_v: float = 0.0

    def unit(self) -> State:
        return (1 / self.sigma0,)

    def places(self, v: float, z: State) -> State:
        return v, z[0]

    def steady(self, v: float) -> State:
        return (copysign(self.mu_c, v) if v else 0.0,)

    def rates(self, mode: Mode, v: float, z: State) -> State:
        way, side = mode
        size = max(side * z[0] / self.mu_c, 0.0) ** self.sharpness
        gamma = 1 - self.beta_share
        return (self.sigma0 * (v - self.beta_share * way * v * side * size - gamma * v * size),)

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        return z[0] + self.mu_v * v


@dataclass
class ResetIntegrator(Contact):
    """Haessig, Friedland 1991: a spring of (1 + a) sigma0 up to z0, then mu_c = sigma0 z0; here 1 + a = mu_s/mu_c."""

    sigma0: float = 1e4
    sigma1: float = 100.0
    sigma2: float = 0.0
    mu_c: float = 1.0
    mu_s: float = 1.5

    def unit(self) -> State:
        return (1 / self.sigma0,)

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        way = FORWARD if v > 0 else BACKWARD if v < 0 else STUCK
        return way, (way * self.mu_c,)

    def rates(self, mode: Mode, v: float, z: State) -> State:
        return (self.sigma0 * v if mode == STUCK else 0.0,)

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        spring = self.mu_s / self.mu_c * z[0] + self.sigma1 * v
        return (spring if mode == STUCK else mode * self.mu_c) + self.sigma2 * v

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        return [self.mu_c - z[0], self.mu_c + z[0]] if mode == STUCK else [mode * v]

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        return ((FORWARD, BACKWARD)[which] if mode == STUCK else STUCK), v, z


# --- rising static friction -------------------------------------------------------------------------------------------


@dataclass
class RisingStribeck(Stribeck):
    """Armstrong-Helouvry, Dupont, Canudas de Wit 1994 (14): F_s,a + (F_s,inf - F_s,a) t2/(t2 + gamma); z is t2."""

    fresh: float = 0.4
    t_rise: float = 1.0

    def __post_init__(self) -> None:
        self.begin = self.mu_c + self.fresh * (self.mu_s - self.mu_c)
        self.curve_of = Stribeck(self.mu_c, self.begin, self.v_s, self.exponent, self.mu_v)

    def unit(self) -> State:
        return (1.0,)

    def rise(self, t2: float) -> float:
        return t2 / (t2 + self.t_rise)

    def limit(self, z: State) -> float:
        """Static friction."""
        return self.begin + (self.mu_s - self.begin) * self.rise(max(z[0], 0.0))

    def static(self) -> float:
        return self.begin  # of a contact that has just stopped

    def curve(self, speed: float, piece: int) -> float:
        return self.curve_of.curve(speed, piece)

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        return super().start(v, hold)[0], (0.0,)

    def rates(self, mode: Mode, v: float, z: State) -> State:
        return (1.0 if mode[0] == STUCK else 0.0,)

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        if mode[0] == STUCK:
            return [self.limit(z) - hold, self.limit(z) + hold]
        return super().guards(mode, v, z, hold)

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        mode, v, _ = super().jump(mode, which, v, z, hold)
        return mode, v, (0.0,)


@dataclass
class KatoStribeck(RisingStribeck):
    """Kato, Sato, Matsubayashi 1972: F_inf - (F_inf - F_a) e^-(gamma t^m), gamma = t_rise^-m."""

    m: float = 0.5

    def rise(self, t2: float) -> float:
        return 1 - exp(-((t2 / self.t_rise) ** self.m))


# --- frictional memory ------------------------------------------------------------------------------------------------


def lag(v: float, w: float, u: float, tau: float) -> tuple[float, float]:
    """Rates of the lagging speed w and of u = tau w'."""
    return u / tau, 3 * (v - w - u) / tau


@dataclass
class LaggedStribeck(Stribeck):
    """Hess, Soom 1990: the curve of the speed tau_L before; z is the lagging speed and tau_L times its rate."""

    tau_L: float = 0.005

    def unit(self) -> State:
        return 1.0, 1.0

    def level(self, w: float) -> float:
        return self.mu_c + (self.mu_s - self.mu_c) * fading(abs(w), self.v_s, self.exponent)

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        return super().start(v, hold)[0], (v, 0.0)

    def rates(self, mode: Mode, v: float, z: State) -> State:
        return lag(v, *z, self.tau_L)

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        return hold if mode[0] == STUCK else mode[0] * self.level(z[0]) + self.mu_v * v

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        if mode[0] == STUCK:
            return [self.level(z[0]) - hold, self.level(z[0]) + hold]
        return super().guards(mode, v, z, hold)

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        state, _ = mode
        ends = state != STUCK and which == 0
        if ends and (isnan(hold) or abs(hold) > self.level(z[0])):
            return (-state, 0), 0.0, z
        return ((STUCK, 0), 0.0, z) if ends else super().jump(mode, which, v, z, hold)


@dataclass
class SevenParameter(Contact):
    """Armstrong-Helouvry, Dupont, Canudas de Wit 1994 (12)-(14); z: spring force, lag, time at rest, F_s,a."""

    sigma0: float = 1e4
    sigma1: float = 100.0
    mu_c: float = 1.0
    mu_s: float = 1.5
    v_s: float = 1e-2
    mu_v: float = 0.0
    tau_L: float = 0.005
    t_rise: float = 1.0

    def unit(self) -> State:
        return 1 / self.sigma0, 1.0, 1.0, 1.0, 1.0

    def static(self, z: State) -> float:
        """F_s(gamma, t2), beyond Coulomb friction."""
        _, _, _, t2, arrival = z
        return arrival + (self.mu_s - self.mu_c - arrival) * t2 / (t2 + self.t_rise)

    def left(self, z: State) -> float:
        """What the lagging speed leaves of it."""
        return self.static(z) / (1 + (z[1] / self.v_s) ** 2)

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        way = FORWARD if v > 0 else BACKWARD if v < 0 else STUCK
        return way, (way * self.mu_s, v, 0.0, 0.0, abs(way) * (self.mu_s - self.mu_c))

    def rates(self, mode: Mode, v: float, z: State) -> State:
        stuck = mode == STUCK
        return self.sigma0 * v * stuck, *lag(v, z[1], z[2], self.tau_L), 1.0 * stuck, 0.0

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        if mode == STUCK:
            return z[0] + self.sigma1 * v
        return mode * (self.mu_c + self.left(z)) + self.mu_v * v

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        limit = self.mu_c + self.static(z)
        return [limit - z[0], limit + z[0]] if mode == STUCK else [mode * v]

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        if mode == STUCK:
            return (FORWARD, BACKWARD)[which], v, z
        arrival = self.left(z)
        return STUCK, v, (mode * (self.mu_c + arrival), z[1], z[2], 0.0, arrival)

    def longest(self, mode: Mode) -> float:
        return inf if mode == STUCK else self.v_s / 4  # s; at accelerations of about 1 m/s^2
