"""Every friction law as its paper states it, written out in plain Python: nothing of the product is used here.

Readings of the formulas: guo2017 (1) is taken as dF/dt = sigma0 (v - |v| F/Fc); its (2) and (4) contain the total F and
are solved for dz/dt. nouailletas2010: (6) as printed, sigma0 and sigma1 of its Tables 1 and 2 exchanged, (14) as
m z'' = u - f_stick with z' = v and z = 0 at capture. Elasto-plastic: alpha of Dupont et al. 2002.

Bristle states are kept as forces (sigma0 z), so that all states are of the order of 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, exp, inf, isnan, nan, pi, sin, tanh
from typing import Any

from scipy.optimize import brentq
from support.reference.automaton import Contact, Mode, State


def fading(speed: float, scale: float, exponent: float) -> float:
    """exp(-(speed/scale)^exponent); a little below 0, where the step that finds the end of a piece looks, it goes on
    smoothly."""
    ratio = speed / scale
    power = ratio**exponent if ratio >= 0 or exponent == round(exponent) else -((-ratio) ** exponent)
    return exp(-max(power, -1.0))


# --- laws without sticking: kinks and jumps of the equations are the ends of their pieces -----------------------------


class Pieces(Contact):
    """A law whose equations change where one of its places passes zero: the mode is the tuple of their signs.

    The first place is the speed.
    """

    def places(self, v: float, z: State) -> State:
        return (v,)

    def steady(self, v: float) -> State:
        """States at constant speed."""
        return ()

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        z = self.steady(v)
        first, *others = (1 if place >= 0 else -1 for place in self.places(v, z))
        return (-1 if v == 0 and hold < 0 else first, *others), z

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        return [sign * place for sign, place in zip(mode, self.places(v, z), strict=True)]

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        return tuple(-sign if i == which else sign for i, sign in enumerate(mode)), v, z


@dataclass
class CoulombViscous(Pieces):
    """bataus2011 (5)."""

    mu_c: float = 1.0
    v_0: float = 0.1
    mu_v: float = 0.0

    def places(self, v: float, z: State) -> State:
        return v, v - self.v_0 / 2, v + self.v_0 / 2

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        _, above, below = mode
        ratio = 1.0 if above > 0 else -1.0 if below < 0 else 2 * v / self.v_0
        return self.mu_c * ratio + self.mu_v * v


@dataclass
class Tanh(Pieces):
    """bataus2011, the first (6)."""

    mu_c: float = 1.0
    v_0: float = 0.1
    mu_v: float = 0.0

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        return self.mu_c * tanh(2 * v / self.v_0) + self.mu_v * v


class BentBristle(Pieces):
    """Laws with one bristle state y = sigma0 z and friction = y + sigma1 dz/dt + sigma2 v."""

    sigma0: float
    sigma1: float
    sigma2: float

    def unit(self) -> State:
        return (1 / self.sigma0,)

    def rate(self, mode: Mode, v: float, y: float) -> float:
        """dz/dt."""
        raise NotImplementedError

    def rates(self, mode: Mode, v: float, z: State) -> State:
        return (self.sigma0 * self.rate(mode, v, z[0]),)

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        return z[0] + self.damping(v) * self.rate(mode, v, z[0]) + self.sigma2 * v

    def damping(self, v: float) -> float:
        return self.sigma1


@dataclass
class Dahl(BentBristle):
    """guo2017 (1), in its consistent reading."""

    sigma0: float = 1e5
    mu_c: float = 1.0
    sigma1 = sigma2 = 0.0

    def rate(self, mode: Mode, v: float, y: float) -> float:
        return v - mode[0] * v * y / self.mu_c

    def steady(self, v: float) -> State:
        return (copysign(self.mu_c, v) if v else 0.0,)


@dataclass
class LuGre(BentBristle):
    """guo2017 (3), nouailletas2010 (12), with any exponent in the Stribeck curve."""

    sigma0: float = 1e5
    sigma1: float = 1e5**0.5
    sigma2: float = 0.0
    mu_c: float = 1.0
    mu_s: float = 1.5
    v_s: float = 1e-3
    exponent: float = 2.0

    def curve(self, mode: Mode, v: float) -> float:
        return self.mu_c + (self.mu_s - self.mu_c) * fading(mode[0] * v, self.v_s, self.exponent)

    def rate(self, mode: Mode, v: float, y: float) -> float:
        return v - mode[0] * v * y / self.curve(mode, v)

    def steady(self, v: float) -> State:
        return (copysign(self.curve((copysign(1, v),), v), v) if v else 0.0,)


@dataclass
class DampedLuGre(LuGre):
    """LuGre with a bristle damping that fades with speed: sigma1 exp(-(v/v_d)^2)."""

    v_d: float = 1e-2

    def damping(self, v: float) -> float:
        return self.sigma1 * exp(-((v / self.v_d) ** 2))


@dataclass
class ImprovedDahl(BentBristle):
    """guo2017 (2), solved for dz/dt."""

    sigma0: float = 1e5
    sigma1: float = 1e5**0.5
    sigma2: float = 0.4
    mu_c: float = 1.0
    mu_s: float = 1.5
    dv: float = 1e-2

    def places(self, v: float, z: State) -> State:
        return v, v - self.dv, v + self.dv

    def shape(self, mode: Mode, v: float) -> float:
        """h(|v|)."""
        fast = mode[1] > 0 or mode[2] < 0
        return self.mu_s / self.mu_c if fast else 1.0

    def rate(self, mode: Mode, v: float, y: float) -> float:
        q = self.shape(mode, v) * mode[0] * v / self.mu_s
        return (v - q * (y + self.sigma2 * v)) / (1 + self.sigma1 * q)

    def steady(self, v: float) -> State:
        mode = tuple(1 if place >= 0 else -1 for place in self.places(v, (0.0,)))
        return (copysign(self.mu_s / self.shape(mode, v), v) - self.sigma2 * v if v else 0.0,)


@dataclass
class SimplifiedLuGre(ImprovedDahl):
    """guo2017 (4), solved for dz/dt."""

    def shape(self, mode: Mode, v: float) -> float:
        """s(|v|)."""
        speed, ratio = mode[0] * v, self.mu_s / self.mu_c
        if mode[1] > 0 or mode[2] < 0:
            return ratio - self.sigma2 * (speed - self.dv)
        return 1 + speed / self.dv * (ratio - 1)


def alpha(y: float, stick: float, slip: float) -> float:
    """How plastic a bristle is: 0 below `stick`, 1 above `slip`, Dupont et al. 2002."""
    size = abs(y)
    if size <= stick:
        return 0.0
    if size >= slip:
        return 1.0
    return 0.5 * sin(pi * (size - (slip + stick) / 2) / (slip - stick)) + 0.5


class Plastic(BentBristle):
    """Elasto-plastic bristles, petrun2012 (4): elastic up to a limit, plastic when they bend as in steady sliding."""

    def curve(self, mode: Mode, v: float) -> float:
        """Friction in steady sliding, which is also the bristle force then."""
        raise NotImplementedError

    def elastic(self, mode: Mode, v: float) -> float:
        """Bristle force up to which the bristle is elastic."""
        raise NotImplementedError

    def places(self, v: float, z: State) -> State:
        stick = self.elastic((1 if v >= 0 else -1,), v)
        return v, z[0] - stick, z[0] + stick

    def rate(self, mode: Mode, v: float, y: float) -> float:
        forward, above, below, *_ = mode
        plastic = above > 0 if forward > 0 else below < 0
        slip = self.curve(mode, v)
        return v - forward * v * y / slip * (alpha(y, self.elastic(mode, v), slip) if plastic else 0.0)

    def steady(self, v: float) -> State:
        return (copysign(self.curve((copysign(1, v),), v), v) if v else 0.0,)


@dataclass
class ElastoPlastic(Plastic, LuGre):
    """Dupont et al. 2002: a constant z_ba, and z_max(v) = z_ss(v)."""

    z_ba: float = 0.7e-5
    curve = LuGre.curve

    def elastic(self, mode: Mode, v: float) -> float:
        return self.sigma0 * self.z_ba


@dataclass
class ModifiedElastoPlastic(Plastic, LuGre):
    """The same with z_ba(v) = kappa z_ss(v)."""

    kappa: float = 0.8
    curve = LuGre.curve

    def elastic(self, mode: Mode, v: float) -> float:
        return self.kappa * self.curve(mode, v)


@dataclass
class Table:
    """A curve of straight lines; with `piece` that line also beyond its ends."""

    speed: Sequence[float]
    mu: Sequence[float]

    def __call__(self, speed: float, piece: int) -> float:
        x, y = self.speed, self.mu
        i = piece
        return y[i] + (speed - x[i]) * (y[i + 1] - y[i]) / (x[i + 1] - x[i])

    def piece(self, speed: float) -> int:
        return next((i for i in range(len(self.speed) - 2) if speed < self.speed[i + 1]), len(self.speed) - 2)


@dataclass
class ElastoPlasticTable(Plastic):
    """The same with any curve of steady sliding (petrun2012 after (5)), here of straight lines."""

    sigma0: float = 1e5
    sigma1: float = 1e5**0.5
    sigma2: float = 0.0
    z_ba: float = 0.7e-5
    speed: Sequence[float] = (0.0, 1e-3, 5e-3, 1.0)
    mu: Sequence[float] = (1.5, 1.2, 1.0, 1.1)

    def __post_init__(self) -> None:
        self.table = Table(self.speed, self.mu)
        self.knots = self.speed[1:-1]

    def curve(self, mode: Mode, v: float) -> float:
        speed = mode[0] * v
        signs = mode[3:] or [1 if speed >= knot else -1 for knot in self.knots]
        return self.table(speed, sum(sign > 0 for sign in signs))

    def elastic(self, mode: Mode, v: float) -> float:
        return self.sigma0 * self.z_ba

    def places(self, v: float, z: State) -> State:
        return *super().places(v, z), *(abs(v) - knot for knot in self.knots)


# --- laws that stick --------------------------------------------------------------------------------------------------

STUCK, FORWARD, BACKWARD = 0, 1, -1


@dataclass
class MaxwellSlip(Contact):
    """Springs in parallel, each with a slider: the mode is the direction of motion, and whether each slider slips.

    The damping of the springs is sigma1/sigma0 times the rate of their forces.
    """

    sigma0: float = 1e4
    sigma1: float = 0.0
    sigma2: float = 0.0
    mu_c: float = 1.0
    alpha: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4)
    beta: tuple[float, ...] = (0.4, 0.3, 0.2, 0.1)

    def unit(self) -> State:
        return (1.0,) * len(self.alpha)

    def level(self, v: float) -> float:
        """Friction of all sliders."""
        return self.mu_c

    def slipping(self, limit: float, f: float, v: float) -> float:
        """Rate of a force f in the direction of motion whose slider slips."""
        return 0.0

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        way = 1 if v > 0 or (v == 0 and hold >= 0) else -1
        if v == 0:
            return (way, *(False for _ in self.alpha)), [0.0 for _ in self.alpha]
        return (way, *(True for _ in self.alpha)), [way * a * self.level(v) for a in self.alpha]

    def rates(self, mode: Mode, v: float, z: State) -> State:
        way, *slips = mode
        return [
            way * self.slipping(a * self.level(v), way * f, v) if slip else self.sigma0 * b * v
            for a, b, f, slip in zip(self.alpha, self.beta, z, slips, strict=True)
        ]

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        return sum(z) + self.sigma1 / self.sigma0 * sum(self.rates(mode, v, z)) + self.sigma2 * v

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        way, *slips = mode
        rest = (1.0 if slip else a * self.level(v) - way * f for a, f, slip in zip(self.alpha, z, slips, strict=True))
        return [way * v, *rest]

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        if which == 0:
            return (-mode[0], *(False for _ in self.alpha)), v, z
        return tuple(True if i == which else x for i, x in enumerate(mode)), v, z


@dataclass
class GMS(MaxwellSlip):
    """Al-Bender, Lampaert, Swevers 2005: limits alpha_i s(v); in slip F_i' = sgn(v) C (alpha_i - F_i/s(v))."""

    mu_s: float = 1.5
    v_s: float = 1e-3
    exponent: float = 2.0
    C: float = 20.0

    def level(self, v: float) -> float:
        return self.mu_c + (self.mu_s - self.mu_c) * fading(abs(v), self.v_s, self.exponent)

    def slipping(self, limit: float, f: float, v: float) -> float:
        return self.C * (limit - f) / self.level(v)

    def longest(self, mode: Mode) -> float:
        return 0.5 * self.v_s if all(mode[1:]) else inf  # s; at accelerations of about 1 m/s^2


@dataclass
class Leuven(Contact):
    """Lampaert, Swevers, Al-Bender 2002: z' = v (1 - sgn(F_h/s) |F_h/s|^transition), s odd in v; F_h of springs that z
    drags along. The mode is the direction of z', whether each slider slips, and where each slider is (times sigma0)."""

    sigma0: float = 1e4
    sigma1: float = 0.0
    sigma2: float = 0.0
    mu_c: float = 1.0
    mu_s: float = 1.5
    v_s: float = 1e-3
    exponent: float = 2.0
    transition: float = 1.0
    reserve: float = 1.25
    alpha: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4)
    beta: tuple[float, ...] = (0.4, 0.3, 0.2, 0.1)

    def unit(self) -> State:
        return (1 / self.sigma0,)

    def limits(self) -> list[float]:
        return [a * self.reserve * self.mu_s for a in self.alpha]

    def level(self, v: float) -> float:
        return self.mu_c + (self.mu_s - self.mu_c) * fading(abs(v), self.v_s, self.exponent)

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        way = 1 if v > 0 or (v == 0 and hold >= 0) else -1
        bent = self.bent(self.level(v)) if v else 0.0
        slips = tuple(b * bent > limit for limit, b in zip(self.limits(), self.beta, strict=True))
        return (way, slips, tuple(0.0 for _ in self.alpha)), (way * bent,)

    def first(self, y: float) -> float:
        """The spring force of a first motion."""
        rows = zip(self.limits(), self.beta, strict=True)
        return copysign(sum(min(b * abs(y), limit) for limit, b in rows), y)

    def bent(self, force: float) -> float:
        """Where it has a force."""
        return brentq(lambda y: self.first(y) - force, 0.0, 1e3, xtol=1e-15)

    def longest(self, mode: Mode) -> float:
        return 0.5 * self.v_s  # s; at accelerations of about 1 m/s^2

    def forces(self, mode: Mode, z: State) -> list[float]:
        way, slips, places = mode
        rows = zip(self.limits(), self.beta, slips, places, strict=True)
        return [way * limit if slip else b * (z[0] - place) for limit, b, slip, place in rows]

    def rate(self, mode: Mode, v: float, z: State) -> float:
        """z'."""
        ratio = sum(self.forces(mode, z)) / self.level(v)
        return v - abs(v) * copysign(abs(ratio) ** self.transition, ratio)

    def rates(self, mode: Mode, v: float, z: State) -> State:
        return (self.sigma0 * self.rate(mode, v, z),)

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        return sum(self.forces(mode, z)) + self.sigma1 * self.rate(mode, v, z) + self.sigma2 * v

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        way, slips, _ = mode
        forces = self.forces(mode, z)
        rest = (1.0 if s else limit - way * f for limit, f, s in zip(self.limits(), forces, slips, strict=True))
        turns = way * self.rate(mode, v, z) + 1e-11 * abs(v)  # in steady sliding z' is 0 to rounding
        return [turns, *rest]

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        way, slips, places = mode
        if which > 0:
            return (way, tuple(s or i + 1 == which for i, s in enumerate(slips)), places), v, z
        rows = zip(self.limits(), self.beta, slips, places, strict=True)
        kept = tuple(z[0] - way * limit / b if slip else place for limit, b, slip, place in rows)
        return (-way, tuple(False for _ in slips), kept), v, z


@dataclass
class Leuven2000(Leuven):
    """Swevers, Al-Bender, Ganseman, Prajogo 2000, with the stack of reversals: a branch is F_b + F_d, where F_d is the
    curve of the first motion, twice as large (Masing), and z' = v (1 - sgn(q) |q|^transition), q = F_d/(s - F_b). The
    mode is the direction of v and the stack of reversals: where, the force, from which direction, and the last kink of
    the curve on the way to it. The curve is made of straight lines, so a reversal without a kink on the way leaves no
    trace, and a new one replaces those with no more kinks on their way."""

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        (way, *_), z = super().start(v, hold)
        return (way, ()), z

    def branch(self, mode: Mode, z: State) -> tuple[float, float]:
        """F_b and F_d."""
        _, stack = mode
        if not stack:
            return 0.0, self.first(z[0])
        start, base, *_ = stack[-1]
        return base, 2 * self.first((z[0] - start) / 2)

    def forces(self, mode: Mode, z: State) -> list[float]:
        return list(self.branch(mode, z))

    def rate(self, mode: Mode, v: float, z: State) -> float:
        way, stack = mode
        if v == 0:
            return 0.0
        base = next((force for _, force, side, _ in reversed(stack) if side == -way), 0.0)
        assert way * base < 0.99 * self.level(v)
        ratio = (sum(self.branch(mode, z)) - base) / (way * self.level(v) - base)
        return v * (1 - copysign(abs(ratio) ** self.transition, ratio))

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        way, stack = mode
        end = next((place for place, _, side, _ in reversed(stack) if side == way), None)
        mirror = -stack[0][0] if stack and stack[0][2] == -way else way * inf
        return [way * v, way * ((mirror if end is None else end) - z[0])]

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        way, stack = mode
        if which == 1:  # this reversal and all newer ones are forgotten
            last = max((i for i, old in enumerate(stack) if old[2] == way), default=0)
            return (way, stack[:last]), v, z
        start, share = (stack[-1][0], 2) if stack else (0.0, 1)
        kinks = [limit / b for limit, b in zip(self.limits(), self.beta, strict=True)]
        last = max((y for y in kinks if y < way * (z[0] - start) / share), default=0.0)
        if not last:
            return (-way, stack), v, z
        new = (z[0], sum(self.branch(mode, z)), way, last)
        return (-way, (*(old for old in stack if old[3] > last), new)), v, z


@dataclass
class Bristle(Contact):
    """Haessig, Friedland 1991: bristles that are bent by the motion; one that is bent by delta snaps, and the new one
    is bent by a share of delta. The mode is the share of each; shares go on by an increment, less whole numbers."""

    mu_c: float = 1.0
    delta: float = 0.02
    mu_v: float = 0.0
    increment: tuple[float, ...] = (0.4142136, 0.7320508, 0.2360680, 0.6457513)

    def unit(self) -> State:
        return (1.0,) * len(self.increment)

    def limit(self) -> float:
        return 1.5 * self.mu_c / len(self.increment)

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        if v == 0:
            return tuple(0.0 for _ in self.increment), [0.0 for _ in self.increment]
        return self.increment, [copysign(share**0.5 * self.limit(), v) for share in self.increment]

    def rates(self, mode: Mode, v: float, z: State) -> State:
        return [self.limit() / self.delta * v for _ in z]

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        return sum(z) + self.mu_v * v

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        return [self.limit() - abs(f) for f in z]

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        snaps = [abs(f) > self.limit() * (1 - 1e-9) for f in z]  # several at a time, from rest all
        rows = zip(mode, self.increment, snaps, strict=True)
        shares = tuple((share + more) % 1.0 if snap else share for share, more, snap in rows)
        rows = zip(shares, z, snaps, strict=True)
        return shares, v, [copysign(share * self.limit(), f) if snap else f for share, f, snap in rows]


class Locking(Contact):
    """True stick up to the static limit, the curve in sliding; mode is (state, piece of the curve)."""

    def static(self) -> float:
        raise NotImplementedError

    def curve(self, speed: float, piece: int) -> float:
        """Friction in sliding on the given smooth piece of the curve."""
        raise NotImplementedError

    def knots(self) -> State:
        """Speeds at which the curve has a kink or a jump, rising."""
        return ()

    def piece(self, speed: float) -> int:
        return sum(speed >= knot for knot in self.knots())

    def sliding(self, direction: int, v: float) -> Mode:
        return direction, self.piece(max(direction * v, 0.0))

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        if v == 0 and abs(hold) <= self.static():
            return (STUCK, 0), ()
        return self.sliding(FORWARD if (v or hold) > 0 else BACKWARD, v), ()

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        state, piece = mode
        if state == STUCK:
            return hold
        return state * self.curve(state * v, piece)

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        state, piece = mode
        if state == STUCK:
            return [self.static() - hold, self.static() + hold]
        return [*self.ends(state, v, hold), *self.borders(piece, state * v)]

    def ends(self, state: int, v: float, hold: float) -> State:
        """Guards of sliding."""
        return [state * v]

    def borders(self, piece: int, speed: float) -> State:
        """Guards of a piece of the curve."""
        knots = self.knots()
        lower = speed - knots[piece - 1] if piece > 0 else 1.0
        upper = knots[piece] - speed if piece < len(knots) else 1.0
        return [lower, upper]

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        state, piece = mode
        if state == STUCK:
            return ((FORWARD, BACKWARD)[which], 0), 0.0, z
        n = len(self.ends(state, v, hold))
        if which >= n:
            return (state, piece + (-1, 1)[which - n]), v, z
        if isnan(hold) or abs(hold) > self.static():
            return (-state, 0), 0.0, z
        return (STUCK, 0), 0.0, z


@dataclass
class Coulomb(Locking):
    """bataus2011 (3)."""

    mu_c: float = 1.0

    def static(self) -> float:
        return self.mu_c

    def curve(self, speed: float, piece: int) -> float:
        return self.mu_c


@dataclass
class Switch(Locking):
    """bataus2011, Table 1, with viscous friction."""

    mu_c: float = 1.0
    mu_s: float = 1.5
    mu_v: float = 0.0

    def static(self) -> float:
        return self.mu_s

    def curve(self, speed: float, piece: int) -> float:
        return self.mu_c + self.mu_v * speed


@dataclass
class Stribeck(Locking):
    """nouailletas2010 (5), bataus2011 the second (6): any exponent, also with a rising slope."""

    mu_c: float = 1.0
    mu_s: float = 1.5
    v_s: float = 1e-3
    exponent: float = 2.0
    mu_v: float = 0.0

    def static(self) -> float:
        return self.mu_s

    def knots(self) -> State:
        return (8 * self.v_s,)  # not a kink: below it steps are short

    def longest(self, mode: Mode) -> float:
        state, piece = mode
        return inf if state == STUCK or piece > 0 else self.v_s / 4  # accelerations are about 1 m/s2

    def curve(self, speed: float, piece: int) -> float:
        part = fading(speed, self.v_s, self.exponent)
        return self.mu_c + (self.mu_s - self.mu_c) * part + self.mu_v * speed


SLOW, FAST, AT = 0, 1, 2


@dataclass
class StribeckThreshold(Stribeck):
    """nouailletas2010 (48): viscous friction only above a threshold speed, with a jump there.

    Friction takes any value between the two at the threshold: while the force is between them the speed stays there.
    """

    v_v: float = 0.2

    def knots(self) -> State:
        return (self.v_v,)

    def longest(self, mode: Mode) -> float:
        return inf if mode[0] == STUCK else self.v_s / 4

    def curve(self, speed: float, piece: int) -> float:
        part = fading(speed, self.v_s, self.exponent)
        return self.mu_c + (self.mu_s - self.mu_c) * part + (self.mu_v * speed if piece == FAST else 0.0)

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        return hold if mode[1] == AT else super().friction(mode, v, z, hold, m)

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        state, piece = mode
        if piece == AT:
            return [state * hold - self.curve(self.v_v, SLOW), self.curve(self.v_v, FAST) - state * hold]
        return super().guards(mode, v, z, hold)

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        state, piece = mode
        if piece == AT:
            return (state, (SLOW, FAST)[which]), v, z
        mode, v, z = super().jump(mode, which, v, z, hold)
        crossed = mode[0] == state and mode[1] != piece
        if crossed and self.curve(self.v_v, SLOW) < state * hold < self.curve(self.v_v, FAST):
            return (state, AT), state * self.v_v, z
        return mode, v, z


@dataclass
class FrictionTable(Locking):
    """Friction by straight lines between points; sticks up to `peak` times its value at 0 (aberger2002, tau_pos)."""

    speed: Sequence[float] = (0.0, 0.1, 1.0)
    mu: Sequence[float] = (1.2, 1.0, 1.4)
    peak: float = 1.0

    def __post_init__(self) -> None:
        self.table = Table(self.speed, self.mu)

    def static(self) -> float:
        return self.peak * self.mu[0]

    def knots(self) -> State:
        return self.speed[1:-1]

    def curve(self, speed: float, piece: int) -> float:
        return self.table(speed, piece)


KEEP, PUSH_FORWARD, PUSH_BACKWARD = "keep", "push forward", "push backward"


@dataclass
class Karnopp(Stribeck):
    """bataus2011, section 2.4: a window of speeds |v| < dv in which the contact is stuck and keeps its slip.

    Within it friction is the holding force, at most the static limit; beyond the limit the body speeds up within the
    window until it leaves it, or until the limit suffices again.
    """

    dv: float = 1e-3

    def inside(self, hold: float) -> Mode:
        """The mode within the window."""
        state = KEEP if abs(hold) <= self.static() else PUSH_FORWARD if hold > 0 else PUSH_BACKWARD
        return state, 0

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        if isnan(hold) or abs(v) >= self.dv:
            return self.sliding(FORWARD if v > 0 else BACKWARD, v), ()
        return self.inside(hold), ()

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        state, piece = mode
        if state == KEEP:
            return hold
        if state in (PUSH_FORWARD, PUSH_BACKWARD):
            return self.static() if state == PUSH_FORWARD else -self.static()
        return state * self.curve(state * v, piece)

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        state, _ = mode
        if state == KEEP:
            return [self.static() - hold, self.static() + hold]
        if state == PUSH_FORWARD:
            return [self.dv - v, hold - self.static()]
        if state == PUSH_BACKWARD:
            return [self.dv + v, -hold - self.static()]
        return super().guards(mode, v, z, hold)

    def ends(self, state: int, v: float, hold: float) -> State:
        return [state * v if isnan(hold) else state * v - self.dv]

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        state, _ = mode
        if state == KEEP:
            return ((PUSH_FORWARD, PUSH_BACKWARD)[which], 0), v, z
        if state in (PUSH_FORWARD, PUSH_BACKWARD):
            if which == 1:
                return (KEEP, 0), v, z
            direction = FORWARD if state == PUSH_FORWARD else BACKWARD
            return self.sliding(direction, v), direction * self.dv, z
        if isnan(hold) or which > 0:
            return super().jump(mode, which, v, z, hold)
        return self.inside(hold), state * self.dv, z


@dataclass
class Hybrid(Stribeck):
    """nouailletas2010 (6), (7), (10): stuck, the slip decays with p0; it slides on (5)."""

    Sigma: float = 2e-3
    Sigma_2: float = 4e-5
    p0: float = 1e3

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        state, piece = mode
        if state == STUCK:
            return hold + m * self.p0 * v
        return state * self.curve(state * v, piece)

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        state, piece = mode
        if state == STUCK:  # both of (10) must hold to break away
            return [max(self.mu_s - abs(hold), abs(v) - self.Sigma_2)]
        return [*self.ends(state, v, hold), *self.borders(piece, state * v)]

    def ends(self, state: int, v: float, hold: float) -> State:
        speed, pull = state * v, state * hold
        return [speed] if isnan(hold) else [max(speed - self.Sigma, pull - self.mu_c), speed + self.Sigma_2]

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        state, piece = mode
        if state == STUCK:
            return (FORWARD if hold > 0 else BACKWARD, 0), v, z
        n = len(self.ends(state, v, hold))
        if which >= n:
            return (state, piece + (-1, 1)[which - n]), v, z
        return ((-state, 0) if isnan(hold) else (STUCK, 0)), v, z


@dataclass
class HybridPresliding(Contact):
    """nouailletas2010 (25), (26) and (7): stuck on a spring with damping; (5) in sliding, where z keeps its value."""

    k1: float = 1.5e4
    k2: float = 2 * 1.5e4**0.5
    z_max: float = 1e-4
    Sigma: float = 2e-3
    mu_c: float = 1.0
    mu_s: float = 1.5
    v_s: float = 1e-3
    exponent: float = 2.0
    mu_v: float = 0.0

    def __post_init__(self) -> None:
        self.stribeck = Stribeck(self.mu_c, self.mu_s, self.v_s, self.exponent, self.mu_v)

    def unit(self) -> State:
        return (1 / self.k1,)

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        return (FORWARD if v > 0 else BACKWARD if v < 0 else STUCK), (0.0,)

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        if mode == STUCK:
            return z[0] + self.k2 * v
        return mode * self.stribeck.curve(mode * v, 0)

    def rates(self, mode: Mode, v: float, z: State) -> State:
        return (self.k1 * v if mode == STUCK else 0.0,)

    def longest(self, mode: Mode) -> float:
        return self.stribeck.longest((mode, 0))

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        if isnan(hold):  # a given motion brings up what friction takes
            hold = self.friction(mode, v, z, hold, nan)
        if mode == STUCK:  # to break away, z and the force must both be beyond their limits, on the same side
            limit = self.k1 * self.z_max
            return [max(limit - z[0], self.mu_s - hold), max(limit + z[0], self.mu_s + hold)]
        return [max(mode * v - self.Sigma, mode * hold - self.mu_c), mode * v]

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        if mode == STUCK:
            return (FORWARD, BACKWARD)[which], v, z
        return STUCK, v, (0.0,)


def laws() -> dict[str, type[Any]]:
    """The laws of this file by the name of the law in the product."""
    kinds = (
        CoulombViscous, Tanh, Coulomb, Stribeck, StribeckThreshold, FrictionTable, Switch, Karnopp, Hybrid, Dahl,
        ImprovedDahl, LuGre, DampedLuGre, SimplifiedLuGre, ElastoPlastic, ElastoPlasticTable, ModifiedElastoPlastic,
        HybridPresliding, MaxwellSlip, GMS, Leuven, Leuven2000, Bristle,
    )  # fmt: skip
    return {kind.__name__: kind for kind in kinds}
