"""Laws of a user in every family, as classes of a cell without a source file and as text."""

import stribeck as sb

CELL = '''
from stribeck.laws import BristleLaw, Flow, Jump, LockingLaw, Mode, Param, SmoothLaw, State, Stick
from stribeck.laws.functions import Abs, Piecewise, sign, stribeck, tanh


class MyCurve(SmoothLaw, registered=False):
    """A smooth curve with a static peak."""

    mu_c = Param(0.8, "{load}", "friction of sliding", min=0)
    peak = Param(0.25, "{load}", "peak above it", min=0)
    v_r = Param(0.01, "{vel}", "speed of the rise", above=0)
    v_f = Param(0.1, "{vel}", "speed of the fall", above=0)
    d = Param(0.3, "{load}.s/{disp}", "viscous friction", min=0)

    @staticmethod
    def friction(p, v):
        return p.peak * (tanh(v / p.v_r) - tanh(v / p.v_f)) + p.mu_c * tanh(v / p.v_r) + p.d * v


class MyBristle(BristleLaw, registered=False):
    """Bristles that bend up to the Stribeck curve."""

    sigma0 = Param(1e4, "{load}/{disp}", "stiffness", above=0)
    sigma1 = Param(100.0, "{load}.s/{disp}", "damping", min=0)
    mu_c = Param(0.8, "{load}", "friction of sliding", above=0)
    mu_s = Param(1.1, "{load}", "static friction", above=0)
    v_s = Param(0.05, "{vel}", "Stribeck speed", above=0)
    z = State("{disp}", "deflection", nominal=lambda p: p.mu_s / p.sigma0)

    @staticmethod
    def g(p, v):
        return p.mu_c + (p.mu_s - p.mu_c) * stribeck(v, p.v_s)

    @staticmethod
    def flow(p, v, z, g):
        rate = v - p.sigma0 * z * Abs(v) / g
        return Flow(p.sigma0 * z + p.sigma1 * rate, z=rate)

    @staticmethod
    def storage(p, z):
        return p.sigma0 * z**2 / 2

    @staticmethod
    def passive(p):
        return False


class MyMode(BristleLaw, registered=False):
    """Bristles with a lower limit above a speed, and a reset of the deflection there."""

    sigma0 = Param(1e4, "{load}/{disp}", "stiffness", above=0)
    mu_c = Param(0.8, "{load}", "friction of sliding", above=0)
    v_k = Param(0.05, "{vel}", "switching speed", above=0)
    z = State("{disp}", "deflection", nominal=lambda p: 1.5 * p.mu_c / p.sigma0)
    fast = Mode("1 above the switching speed", (0, 1))

    @staticmethod
    def flow(p, v, z, fast):
        limit = Piecewise((p.mu_c, fast > 0.5), (1.5 * p.mu_c, True))
        return Flow(p.sigma0 * z, z=v - p.sigma0 * z * Abs(v) / limit)

    @staticmethod
    def steady(p, v):
        limit = Piecewise((p.mu_c, Abs(v) > p.v_k), (1.5 * p.mu_c, True))
        return sign(v) * limit / p.sigma0, Piecewise((1, Abs(v) > p.v_k), (0, True))

    @staticmethod
    def storage(p, z, fast):
        return p.sigma0 * z**2 / 2

    @staticmethod
    def jumps(p, v, z, fast, hold):
        above = Abs(v) / p.v_k - 1
        guard = Piecewise((above + 0.2, fast > 0.5), (-above, True))
        return [Jump(guard, fast=1 - fast, z=Piecewise((z, fast > 0.5), (z / 1.5, True)))]


class MyStick(LockingLaw, registered=False):
    """True stick with a Stribeck curve."""

    mu_c = Param(0.8, "{load}", "friction of sliding", min=0)
    mu_s = Param(1.1, "{load}", "static friction", min=0)
    v_s = Param(0.05, "{vel}", "Stribeck speed", above=0)

    @staticmethod
    def sliding(p, v):
        return p.mu_c + (p.mu_s - p.mu_c) * stribeck(v, p.v_s)

    @staticmethod
    def breakaway(p):
        return p.mu_s


class MyWindow(MyStick, registered=False):
    """The same with a window in which it sticks."""

    dv = Param(1e-4, "{vel}", "half width of the window", above=0)
    lock = "karnopp"

    @staticmethod
    def stick(p):
        return Stick(window=p.dv)


class MyDwell(LockingLaw, registered=False):
    """Static friction that rises while it sticks."""

    mu_c = Param(0.8, "{load}", "friction of sliding", min=0)
    mu_s = Param(1.1, "{load}", "static friction after a long rest", min=0)
    T = Param(2.0, "s", "time of the rise", above=0)
    age = State("1", "age of the contact", nominal=lambda p: 1.0, directed=False)

    @staticmethod
    def flow(p, v, age):
        return Flow(p.mu_c, age=(1 - age) / p.T)

    @staticmethod
    def change(p, v, age, turn):
        return 0.0

    @staticmethod
    def breakaway(p, age):
        return p.mu_c + (p.mu_s - p.mu_c) * age
'''

TEXT = """
laws:
  MyCurve:
    family: smooth
    text: A smooth curve with a static peak
    parameters:
      mu_c: {default: 0.8, unit: "{load}", min: 0}
      peak: {default: 0.25, unit: "{load}", min: 0}
      v_r: {default: 0.01, unit: "{vel}", above: 0}
      v_f: {default: 0.1, unit: "{vel}", above: 0}
      d: {default: 0.3, unit: "{load}.s/{disp}", min: 0}
    friction: peak*(tanh(v/v_r) - tanh(v/v_f)) + mu_c*tanh(v/v_r) + d*v
  MyBristle:
    family: bristle
    parameters:
      sigma0: {default: 1e4, unit: "{load}/{disp}", above: 0}
      sigma1: {default: 100, unit: "{load}.s/{disp}", min: 0}
      mu_c: {default: 0.8, unit: "{load}", above: 0}
      mu_s: {default: 1.1, unit: "{load}", above: 0}
      v_s: {default: 0.05, unit: "{vel}", above: 0}
    states: {z: {unit: "{disp}", nominal: mu_s/sigma0}}
    curves: {g: "mu_c + (mu_s - mu_c)*stribeck(v, v_s)"}
    rates: {z: v - sigma0*z*abs(v)/g}
    friction: sigma0*z + sigma1*der(z)
    storage: sigma0*z^2/2
    passive: false
  MyMode:
    family: bristle
    parameters:
      sigma0: {default: 1e4, unit: "{load}/{disp}", above: 0}
      mu_c: {default: 0.8, unit: "{load}", above: 0}
      v_k: {default: 0.05, unit: "{vel}", above: 0}
    states: {z: {unit: "{disp}", nominal: 1.5*mu_c/sigma0}, fast: [0, 1]}
    let:
      limit: mu_c if fast > 0.5 else 1.5*mu_c
      above: abs(v)/v_k - 1
    rates: {z: v - sigma0*z*abs(v)/limit}
    friction: sigma0*z
    storage: sigma0*z^2/2
    steady:
      z: sign(v)*(mu_c if abs(v) > v_k else 1.5*mu_c)/sigma0
      fast: 1 if abs(v) > v_k else 0
    jumps:
      - {guard: above + 0.2 if fast > 0.5 else -above, fast: 1 - fast, z: z if fast > 0.5 else z/1.5}
  MyStick: &stick
    family: locking
    parameters: &parameters
      mu_c: {default: 0.8, unit: "{load}", min: 0}
      mu_s: {default: 1.1, unit: "{load}", min: 0}
      v_s: {default: 0.05, unit: "{vel}", above: 0}
    sliding: mu_c + (mu_s - mu_c)*stribeck(v, v_s)
    breakaway: mu_s
  MyWindow:
    <<: *stick
    parameters: {<<: *parameters, dv: {default: 1e-4, unit: "{vel}", above: 0}}
    stick: {window: dv}
  MyDwell:
    family: locking
    parameters:
      mu_c: {default: 0.8, unit: "{load}", min: 0}
      mu_s: {default: 1.1, unit: "{load}", min: 0}
      T: {default: 2, unit: s, above: 0}
    states: {age: {unit: 1, nominal: 1}}
    rates: {age: (1 - age)/T}
    change: {age: 0}
    sliding: mu_c
    breakaway: mu_c + (mu_s - mu_c)*age
"""


def class_laws():
    """The laws as classes, defined as in a notebook: their source is no file."""
    space = {"__name__": "__main__"}
    exec(compile(CELL, "<cell 1>", "exec"), space)
    return {name: law for name, law in space.items() if name.startswith("My")}


def text_laws():
    return sb.load_laws(TEXT)


def machine(law):
    """A mass that a spring pulls: it sticks and slips."""
    model = sb.Model("rig")
    motor = model.add("motor", sb.Speed(w=0.5))
    mass = model.add("mass", sb.Inertia(J=0.5))
    model.add("spring", sb.Spring(motor, mass, c=2.0))
    model.add("friction", sb.Bearing(mass, law=law))
    return model
