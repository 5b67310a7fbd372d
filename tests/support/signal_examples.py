"""Examples of every signal: functions of time alone, functions of sensors, and signals with a memory."""

from __future__ import annotations

from stribeck.signals import (
    PID,
    And,
    Chirp,
    Compare,
    Constant,
    DeadZone,
    Delay,
    Derivative,
    External,
    Function,
    Gain,
    Integral,
    Lookup,
    LowPass,
    Map,
    Maximum,
    Minimum,
    Named,
    Not,
    Or,
    Polynomial,
    Power,
    Product,
    Pulse,
    Quantiser,
    Quotient,
    Ramp,
    Recording,
    Relay,
    SampleHold,
    Saturation,
    Sensor,
    Signal,
    Sine,
    Square,
    StateSpace,
    Step,
    Sum,
    Table,
    Time,
    TransferFunction,
    Where,
)

WAVE = Sine(amplitude=2, f=0.7, phase=0.4, offset=0.3)
OTHER = Sine(amplitude=1, f=1.1)

# one thing, with all its parameters
LEAVES: list[Signal] = [
    Constant(3),
    Step(height=2, start=1, offset=-1),
    Step(2),
    Ramp(height=2, duration=0.5, start=1, offset=-1),
    Ramp(2, duration=3, start=-1),
    Sine(amplitude=2, f=1.5, phase=0.3, offset=1, start=0.5),
    Sine(2, 1.5),
    Table([0, 1, 3], [1, -1, 2]),
    Table([-1, 0.5, 1], [0, 2, 1]),
    Table([1], [5]),
    Table([0, 1, 3], [1, -1, 2], between="hold"),
    Table([-1, 0.5, 0.7], [3, 2, 2], between="hold"),
    Chirp(amplitude=2, f0=0.5, f1=3, duration=1.5, phase=0.2, offset=1, start=0.3),
    Chirp(2, f0=0.5, f1=4, duration=2, sweep="logarithmic"),
    Chirp(2, f0=1, f1=1, duration=2, sweep="logarithmic"),
    Chirp(2, f0=3, f1=0, duration=1),
    Pulse(height=2, period=0.7, width=0.2, start=0.4, offset=-1),
    Pulse(2, period=0.5, width=0.3, count=2),
    Pulse(-2, period=0.5, width=0.3, start=-0.6),
    Square(amplitude=2, f=1.3, duty=0.3, offset=0.5, start=0.4),
    Square(1, f=2),
    Time(),
]


def composites(u: Signal, v: Signal) -> list[Signal]:
    """Functions of two signals that swing within -1.7 and 2.3, and within -1 and 1."""
    return [
        Sum([u, v, 1], [2, -1, 0.5]),
        Sum([u, 3]),
        Gain(u, -3),
        Product(u, v),
        Quotient(v, 5 + u),
        Power(u, 3),
        Power(u + 5, -0.5),
        Polynomial(u, [1, -2, 0, 0.5]),
        Polynomial(u, [1, -2]),
        *(Function(f, u) for f in ("exp", "sin", "cos", "tanh", "atan", "abs", "sign")),
        *(Function(f, u + 3) for f in ("sqrt", "log")),
        Lookup(u, x=[-1, 0, 0.5, 2], y=[1, 0, 2, -1]),
        Lookup(u, x=[-1, 0, 0.5, 2], y=[1, 0, 2, -1], outside="extend"),
        Map(u, v, x=[-1, 0, 2], y=[-0.5, 0.7], z=[[0, 1], [2, -1], [0.5, 3]]),
        *(Compare(u, relation, v) for relation in ("<", "<=", ">", ">=")),
        And([u > 0, v > 0, v < 0.5]),
        Or([u > 1, v > 0.5, Pulse(1, period=1, width=0.2)]),
        Not(u > 0),
        Where(u > 0, then=v, otherwise=-3),
        Where(Pulse(1, period=1, width=0.2), then=2),
        Minimum([u, v, 0.2]),
        Maximum([u, v]),
        Saturation(u, low=-1, high=1.5),
        DeadZone(u, low=-1, high=1.5),
        Quantiser(u, step=0.3),
        Quantiser(u, step=0.3, mode="floor"),
    ]


def memories(u: Signal, v: Signal) -> list[Signal]:
    """Signals with a memory, of the same."""
    return [
        Relay(u, low=-0.5, high=1, off=-1, on=2, start=1),
        SampleHold(u, period=0.13, start=0.2, initial=5),
        Delay(u, delay=0.31),
        Integral(u, start=0.5),
        Derivative(u, T=0.05),
        LowPass(u, T=0.2),
        LowPass(u, T=0.2, start=0),
        PID(u, v, Kp=2, Ki=3, Kd=0.5, T_f=0.02, low=-3, high=3, b=0.5, c=0, start=0.1),
        PID(u, v, Kp=2),
        PID(u, v, Kp=2, Ki=3, high=3, T_t=0.2),
        TransferFunction(u, num=[1, 2], den=[0.1, 0.3, 1]),
        TransferFunction(u, num=[0.2, 1], den=[0.1, 1], start="steady"),
        TransferFunction(u, num=[1], den=[1, -0.5], dt=0.1),
        StateSpace(u, A=[[0, 1], [-4, -1]], B=[0, 4], C=[1, 0], D=0.5, x0=[1, 0]),
        StateSpace(u, A=[[0.9]], B=[0.1], C=[1], dt=0.05),
    ]


TIME_ONLY: list[Signal] = [*LEAVES, *composites(WAVE, OTHER)]
MEMORY: list[Signal] = [*memories(WAVE, OTHER), Derivative(WAVE)]

U = 0.8 * Sensor("mass.phi") + Sine(amplitude=0.5, f=0.7, phase=0.4, offset=0.3)
V = 0.3 * Sensor("mass.w") - 0.2 * Sensor("mass.phi")
SENSED: list[Signal] = [*composites(U, V), *memories(U, V)]
"""The same as functions of time and of the oscillation of a body called mass."""

REFERENCES: list[Signal] = [
    Sensor("mass.w"),
    Named("u"),
    Recording("run.csv", time="t", value="torque", unit="kN.m"),
    External(2),
]

EXAMPLES: list[Signal] = [*TIME_ONLY, *MEMORY, *REFERENCES]
