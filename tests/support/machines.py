"""Machines that together hold every element, signal and law, for tests that must hold for all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import stribeck as sb

MACHINES: dict[str, Callable[[], sb.Model]] = {
    name: lambda name=name: sb.load_model(name) for name in sb.shipped_models()
}
"""Machines by name: the shipped ones, and those that `machine` adds."""


def machine(build: Callable[[sb.Model], None]) -> Callable[[], sb.Model]:
    """Registers a function that fills a model of its name."""

    def model() -> sb.Model:
        m = sb.Model(build.__name__)
        build(m)
        return m

    MACHINES[build.__name__] = model
    return model


def soft_bristle(**changes: float) -> sb.LuGre:
    """LuGre friction with a wide Stribeck curve."""
    return sb.LuGre(**{"sigma0": 300.0, "sigma1": 5.0, "sigma2": 0.4, "mu_c": 0.8, "mu_s": 1.2, "v_s": 0.1} | changes)


@machine
def driveline(m: sb.Model) -> None:
    """Three inertias with every kind of rotational link, driven by every kind of signal."""
    wall = m.add("wall", sb.Fixed())
    motor = m.add("motor", sb.Inertia(J=0.5, w0=0.3))
    gear = m.add("gear", sb.Inertia(J=0.2, phi0=0.02))
    wheel = m.add("wheel", sb.Inertia(J=2.0))
    m.add("shaft", sb.SpringDamper(motor, gear, c=30.0, d=0.2))
    m.add("axle", sb.Spring(gear, wheel, c=20.0, phi_rel0=-0.02))
    m.add("mount", sb.Spring(wall, wheel, c=3.0))
    m.add("oil", sb.Damper(motor, wheel, d=0.1))
    m.add("air", sb.Damper(wheel, d=0.3))
    m.add("seal", sb.Bearing(motor, law=soft_bristle(mu_c=0.2, mu_s=0.3)))
    m.add("brake", sb.Bearing(wheel, law=sb.Switch(mu_c=0.6, mu_s=0.9, mu_v=0.2), load=sb.Sine(0.4, f=0.7, offset=1.0)))
    m.add("plain", sb.Bearing(gear, law=sb.Switch(mu_c=0.1, mu_s=0.1, mu_v=0.0)))
    m.add("constant", sb.Torque(motor, tau=0.4))
    m.add("step", sb.Torque(gear, tau=sb.Step(height=1.0, start=0.6)))
    m.add("ramp", sb.Torque(wheel, tau=sb.Ramp(height=1.5, duration=1.0, start=0.3)))
    m.add("sine", sb.Torque(motor, tau=sb.Sine(amplitude=3.0, f=0.6, phase=0.2)))
    m.add("table", sb.Torque(gear, tau=sb.Table(time=[0.0, 0.5, 1.1, 2.0], value=[0.0, 1.0, -1.0, 0.5])))


@machine
def slide(m: sb.Model) -> None:
    """Masses on guides of both laws behind a prescribed position, with forces."""
    shaker = m.add("shaker", sb.Position(s=sb.Sine(amplitude=0.2, f=0.8, phase=0.5)))
    table, tool = m.add("table", sb.Mass(m=2.0)), m.add("tool", sb.Mass(m=0.5, v0=-0.2))
    m.add("drive", sb.SpringDamper(shaker, table, c=40.0, d=1.0, s_rel0=0.02))
    m.add("clamp", sb.SpringDamper(table, tool, c=25.0, d=0.3))
    m.add(
        "way",
        sb.Guide(table, law=sb.Switch(mu_c=0.2, mu_s=0.3, mu_v=1.0), load=sb.Ramp(-8.0, duration=2.0, offset=20.0)),
    )
    m.add("chip", sb.Guide(tool, law=soft_bristle(), load=sb.Table(time=[0.0, 1.0, 2.0], value=[1.0, 2.0, 0.5])))
    m.add("cut", sb.Force(tool, f=sb.Sine(amplitude=2.0, f=0.9, offset=-1.0)))


@machine
def towed(m: sb.Model) -> None:
    """A prescribed speed that carries a body and friction itself, and pulls another body that sticks and slips."""
    drum = m.add("drum", sb.Speed(w=sb.Sine(amplitude=0.3, f=0.5, offset=0.5)))
    m.add("rim", sb.Inertia(J=0.4))
    m.connect("drum", "rim")
    load = m.add("load", sb.Inertia(J=1.0))
    m.add("rope", sb.SpringDamper(drum, load, c=8.0, d=0.2))
    m.add("drum_seal", sb.Bearing(drum, law=soft_bristle(mu_c=0.1, mu_s=0.2)))
    m.add("drum_brake", sb.Bearing(drum, law=sb.Switch(mu_c=0.3, mu_s=0.4), load=sb.Sine(0.5, f=0.6, offset=1.0)))
    m.add("floor", sb.Bearing(load, law=sb.Switch(mu_c=0.5, mu_s=0.8, mu_v=0.1)))


@machine
def winch(m: sb.Model) -> None:
    """Gears with losses: constant, by speed, on a housing that moves, self-locking, and in a planetary set."""
    motor, drum = m.add("motor", sb.Inertia(J=0.5, w0=3.0)), m.add("drum", sb.Inertia(J=2.0))
    house, load = m.add("house", sb.Inertia(J=1.5)), m.add("load", sb.Inertia(J=1.0))
    ring, pulley = m.add("ring", sb.Inertia(J=0.3)), m.add("pulley", sb.Inertia(J=0.8))
    worm = m.add("worm", sb.Inertia(J=0.1))
    m.add("mount", sb.SpringDamper(house, c=300.0, d=3.0))
    table = [[0.0, 0.8, 0.7, 0.3, 0.2], [2.0, 0.9, 0.85, 0.2, 0.2], [20.0, 0.95, 0.9, 0.6, 0.5]]
    m.add("gear", sb.LossyGear(motor, drum, house, ratio=3, loss_table=table))
    m.add("rope", sb.SpringDamper(drum, load, c=40.0, d=0.5))
    m.add("set", sb.Planetary(load, pulley, ring, ratio=2, efficiency=0.9))
    m.add("anchor", sb.SpringDamper(ring, c=60.0, d=0.8))
    m.add("screw", sb.LossyGear(worm, pulley, ratio=-0.5, loss_table=[[0.0, 0.6, 0.0, 0.1, 0.0]]))
    m.add("seal", sb.Bearing(motor, law=soft_bristle(mu_c=0.2, mu_s=0.3)))
    m.add("air", sb.Damper(load, d=0.2))
    m.add("drive", sb.Torque(motor, tau=sb.Sine(6.0, f=0.7, offset=1.0)))
    m.add("turn", sb.Torque(worm, tau=sb.Sine(2.0, f=0.4, phase=1.0)))


@machine
def robot(m: sb.Model) -> None:
    """Joints whose friction grows with the torque: with compliance and a bristle or a lock, rigid, and a servo."""
    base = m.add("base", sb.Inertia(J=0.4, w0=1.0))
    links = [m.add(f"link{i}", sb.Inertia(J=0.3 + 0.2 * i)) for i in range(3)]
    bristle, curve = soft_bristle(mu_c=0.8, mu_s=1.0), sb.Stribeck(mu_c=0.8, mu_s=1.0, v_s=0.1, mu_v=0.05)
    m.add("soft", sb.LossyJoint(base, links[0], law=bristle, tau_0=0.3, k_forward=0.3, k_backward=0.2, c=40.0, d=0.5))
    m.add(
        "lock", sb.LossyJoint(links[0], links[1], law=curve, tau_0=0.2, k_forward=0.4, k_backward=1.2, c=60.0, d_v=0.1)
    )
    m.add("hard", sb.LossyJoint(links[1], links[2], law=curve, tau_0=0.2, eta_forward=0.7, eta_backward=0.6))
    m.add("weight", sb.Torque(links[2], tau=-3.0 * sb.Function("sin", "link2.phi")))
    m.add("drive", sb.Torque(base, tau=sb.Sine(6.0, f=0.7, offset=1.0)))
    servo = {"K_c": 0.1, "K_v": 0.05, "K_m": 0.05, "K_e": 0.04, "K_cs": 0.1, "K_ms": 0.1, "K_mq": 0.01, "K_eq": 0.02}
    m.add("servo", sb.ServoFriction(links[2], **servo, tau_m=sb.Sine(2.0, f=0.9), tau_e="weight.tau"))


@machine
def twice_held(m: sb.Model) -> None:
    """Two locking bearings on one inertia, the motion of which either holds already, and one on its neighbour."""
    first, second = m.add("first", sb.Inertia(J=1.0)), m.add("second", sb.Inertia(J=0.5))
    m.add("shaft", sb.Spring(first, second, c=10.0))
    m.add("strong", sb.Bearing(first, law=sb.Switch(mu_c=2.0, mu_s=3.0, mu_v=0.1)))
    m.add("weak", sb.Bearing(first, law=sb.Switch(mu_c=1.0, mu_s=1.5, mu_v=0.2)))
    m.add("far", sb.Bearing(second, law=sb.Switch(mu_c=0.5, mu_s=0.5)))
    m.add("push", sb.Torque(first, tau=sb.Sine(amplitude=8.0, f=0.5)))


@machine
def carriages(m: sb.Model) -> None:
    """A chain of masses, each on a guide that sticks in its own way."""
    laws = {
        "coulomb": sb.Coulomb(mu_c=0.4),
        "stribeck": sb.Stribeck(mu_c=0.3, mu_s=0.5, v_s=0.1, mu_v=0.1),
        "table": sb.FrictionTable(speed=[0.0, 0.2, 0.6, 5.0], mu=[0.5, 0.3, 0.4, 1.0], peak=1.2),
        "threshold": sb.StribeckThreshold(mu_c=0.3, mu_s=0.5, v_s=0.1, mu_v=0.2, v_v=0.4),
        "karnopp": sb.Karnopp(mu_c=0.3, mu_s=0.4, v_s=0.2, mu_v=0.1, dv=0.05),
        "hybrid": sb.Hybrid(mu_c=0.3, mu_s=0.5, v_s=0.2, mu_v=0.1, Sigma=0.02, Sigma_2=1e-3, p0=100.0),
        "rising": sb.RisingStribeck(mu_c=0.3, mu_s=0.5, v_s=0.1, mu_v=0.1, t_rise=0.2),
        "kato": sb.KatoStribeck(mu_c=0.3, mu_s=0.5, v_s=0.1, mu_v=0.1, t_rise=0.2),
        "lagged": sb.LaggedStribeck(mu_c=0.3, mu_s=0.5, v_s=0.1, mu_v=0.1, tau_L=0.05),
    }
    hook = m.add("hook", sb.Position(s=sb.Sine(amplitude=0.3, f=0.6)))
    for name, law in laws.items():
        mass = m.add(name, sb.Mass(m=0.5))
        m.add(f"{name}_rope", sb.SpringDamper(hook, mass, c=15.0, d=0.3))
        m.add(f"{name}_guide", sb.Guide(mass, law=law))
        hook = mass


@machine
def brushes(m: sb.Model) -> None:
    """A chain of inertias in bearings with bristles of all kinds, and with smooth friction, under a swinging torque."""
    bristle = {"sigma0": 300.0, "sigma1": 5.0, "sigma2": 0.1, "mu_c": 0.3, "mu_s": 0.5}
    laws = {
        "viscous": sb.CoulombViscous(mu_c=0.3, v_0=0.2, mu_v=0.1),
        "tanh": sb.Tanh(mu_c=0.3, v_0=0.2, mu_v=0.1),
        "dahl": sb.Dahl(sigma0=300.0, mu_c=0.4),
        "improved": sb.ImprovedDahl(**bristle, dv=0.1),
        "simplified": sb.SimplifiedLuGre(**bristle, dv=0.1),
        "lugre": sb.LuGre(**bristle, v_s=0.1, exponent=1.0),
        "damped": sb.DampedLuGre(**bristle, v_s=0.1, v_d=0.3),
        "plastic": sb.ElastoPlastic(**bristle, v_s=0.1, z_ba=4e-4),
        "modified": sb.ModifiedElastoPlastic(**bristle, v_s=0.1, kappa=0.4),
        "plastic_table": sb.ElastoPlasticTable(
            sigma0=300.0, sigma1=5.0, z_ba=4e-4, speed=[0.0, 0.1, 0.4, 5.0], mu=[0.5, 0.4, 0.3, 0.6]
        ),
        "elements": sb.MaxwellSlip(n=3, sigma0=300.0, sigma1=5.0, mu_c=0.4),
        "gms": sb.GMS(n=4, **bristle, v_s=0.1, C=2.0),
        "presliding": sb.HybridPresliding.tuned(mass=0.3, mu_c=0.3, mu_s=0.5, z_max=2e-3, v_s=0.1, Sigma=0.02),
        "reset": sb.ResetIntegrator(**bristle),
        "distance": sb.BlimanSorine(mu_c=0.3, f2=0.5, epsilon=5e-3, mu_v=0.1),
        "hysteresis": sb.BoucWen(sigma0=300.0, mu_c=0.4, sharpness=2.5, beta_share=0.6, mu_v=0.1),
        "seven": sb.SevenParameter(sigma0=300.0, sigma1=5.0, mu_c=0.3, mu_s=0.5, v_s=0.1, tau_L=0.05, t_rise=0.2),
    }
    chain(m, laws)


@machine
def hysteresis(m: sb.Model) -> None:
    """The same with laws whose springs have corners that are no events, and with bristles that snap."""
    bristle = {"sigma0": 300.0, "sigma1": 5.0, "sigma2": 0.1, "mu_c": 0.3, "mu_s": 0.5, "v_s": 0.1}
    laws = {
        "leuven": sb.Leuven(n=3, **bristle),
        "leuven2000": sb.Leuven2000(n=3, **bristle),
        "renewed": sb.Bristle(n=3, mu_c=0.3, delta=0.2, mu_v=0.1),
    }
    chain(m, laws)


def chain(m: sb.Model, laws: dict[str, sb.Law]) -> None:
    """Inertias with springs between them, each in a bearing with one of the laws."""
    last = m.add("wall", sb.Fixed())
    for name, law in laws.items():
        body = m.add(name, sb.Inertia(J=0.3))
        m.add(f"{name}_shaft", sb.SpringDamper(last, body, c=30.0, d=0.2))
        m.add(f"{name}_bearing", sb.Bearing(body, law=law))
        last = body
    m.add("swing", sb.Torque(last, tau=sb.Sine(amplitude=3.0, f=0.6)))


@machine
def waves(m: sb.Model) -> None:
    """Signals of time, alone and combined, on masses with friction under a load that they change."""
    t = sb.Time()
    forces = {
        "chirp": sb.Chirp(amplitude=2.0, f0=0.3, f1=1.5, duration=2.0),
        "pulse": sb.Pulse(height=2.0, period=0.8, width=0.3),
        "square": sb.Square(amplitude=1.0, f=0.9),
        "recorded": sb.Recording(str(Path(__file__).with_name("recording.csv")), time="t", value="force"),
        "held": sb.Table(time=[0.0, 0.6, 1.2], value=[1.0, -1.0, 0.5], between="hold"),
        "faded": 2.0 * np.exp(-0.5 * t) * np.sin(4.0 * t) + sb.Polynomial(t, [0.1, -0.2, 0.05]),
        "chosen": sb.Where((t > 0.7) & ~(t > 1.4) | (t > 1.9), sb.Sine(amplitude=2.0, f=0.8), -0.5),
        "shaped": sb.Maximum([sb.Minimum([sb.Sine(amplitude=2.0, f=0.5), 1.2]), -0.6]) / (1.0 + t**2),
    }
    for name, force in forces.items():
        mass = m.add(name, sb.Mass(m=0.8))
        m.add(f"{name}_spring", sb.SpringDamper(mass, c=12.0, d=0.3))
        m.add(f"{name}_drive", sb.Force(mass, f=force))
        m.add(f"{name}_guide", sb.Guide(mass, law=soft_bristle(mu_c=0.2, mu_s=0.3), load=1.0 + 0.5 * np.sin(3.0 * t)))


@machine
def servo(m: sb.Model) -> None:
    """Controllers that read the machine, and friction that depends on the position."""
    cart = m.add("cart", sb.Mass(m=1.0, s0=0.01))
    s = cart.sensor("s")
    target = m.signal("target", sb.Sine(amplitude=0.5, f=0.4))
    error = m.signal("error", target - s)
    m.add("pid", sb.Force(cart, f=sb.PID(target, s, Kp=8.0, Ki=3.0, Kd=1.0, T_f=0.05, low=-3.0, high=3.0, T_t=0.5)))
    m.add(
        "way", sb.Guide(cart, law=soft_bristle(), load=1.0 + 0.2 * s, load_backward=sb.Polynomial(s, [1.1, -0.2, 0.1]))
    )

    arm = m.add("arm", sb.Mass(m=0.6))
    x, w = arm.sensor("s"), arm.sensor("v")
    m.add("spring", sb.SpringDamper(cart, arm, c=10.0, d=0.2))
    state_space = sb.StateSpace(error, A=[[0.0, 1.0], [-20.0, -2.0]], B=[0.0, 5.0], C=[1.0, 0.2], D=0.1)
    m.add("smooth", sb.Force(arm, f=state_space - sb.TransferFunction(x, [5.0, 2.0], [0.1, 1.0])))
    m.add("parts", sb.Force(arm, f=sb.Integral(-x) - 0.3 * sb.Derivative(x, T=0.05) - 0.4 * sb.LowPass(w, T=0.1)))
    curved = (
        sb.Lookup(x, x=[-0.4, 0.1, 0.5], y=[0.5, 0.0, -0.8], outside="extend") - 0.3 * np.tanh(2.0 * w) - 0.1 * x * w
    )
    m.add("curved", sb.Force(arm, f=curved))
    mapped = sb.Map(x, w, x=[-1.0, 0.0, 1.0], y=[-2.0, 2.0], z=[[0.3, -0.3], [0.1, -0.2], [-0.2, -0.4]])
    m.add("mapped", sb.Force(arm, f=mapped - sb.DeadZone(x, low=-0.1, high=0.1) / (2.0 + np.abs(w))))
    m.add("edges", sb.Guide(arm, law=sb.Switch(mu_c=0.2, mu_s=0.3), load=sb.Saturation(1.0 + x, low=0.5, high=1.5)))

    tool = m.add("tool", sb.Mass(m=0.4))
    y, u = tool.sensor("s"), tool.sensor("v")
    m.add("clamp", sb.SpringDamper(arm, tool, c=15.0, d=0.3))
    m.add("sampled", sb.Force(tool, f=sb.SampleHold(-2.0 * y - 0.3 * u, period=0.07)))
    m.add("counted", sb.Force(tool, f=-sb.Quantiser(y, step=0.05)))
    m.add("late", sb.Force(tool, f=-0.3 * sb.Delay(u, delay=0.04)))
    m.add("switched", sb.Force(tool, f=sb.Relay(y, low=-0.1, high=0.1, off=0.4, on=-0.4)))


@machine
def clutches(m: sb.Model) -> None:
    """Clutches under forces that swing and are sensed, with a law that locks and bristles, and a brake that closes."""
    shafts = [m.add(f"shaft{i}", sb.Inertia(J=0.3 + 0.2 * i, w0=2.0 - i)) for i in range(3)]
    bristle = sb.LuGre(sigma0=30.0, sigma1=0.5, sigma2=0.04, mu_c=0.3, mu_s=0.4, v_s=0.1)
    m.add("drive", sb.Torque(shafts[0], tau=sb.Sine(amplitude=2.0, f=0.6)))
    m.add(
        "plates", sb.Clutch(shafts[0], shafts[1], law=bristle, fn_max=8.0, f_normalized=sb.Sine(1.0, f=0.4, offset=0.4))
    )
    lining = sb.FrictionTable(speed=[0, 1], mu=[0.3, 0.4], peak=1.1)
    pressed = 0.5 + 0.2 * shafts[2].sensor("w")
    m.add("cone", sb.Clutch(shafts[1], shafts[2], law=lining, fn_max=6.0, cgeo=0.8, f_normalized=pressed))
    drag = {"tau_drag": 0.1, "d_drag": 0.02, "w_drag": 0.5}
    band = sb.Brake(shafts[2], law=bristle, fn_max=2.0, f_normalized=sb.Step(1.0, start=0.7), engage="zero", **drag)
    m.add("band", band)


@machine
def gear_train(m: sb.Model) -> None:
    """Every rigid coupling: an engine and a swinging ring through gears onto wheels, a rack and a press."""
    engine = m.add("engine", sb.Inertia(J=0.3))
    m.add("ring", sb.Speed(w=sb.Sine(amplitude=0.4, f=0.5)))
    m.add("drive", sb.Torque(engine, tau=sb.Sine(amplitude=4.0, f=0.6)))
    carrier = m.add("carrier", sb.Inertia(J=0.2))
    m.add("seal", sb.Bearing(carrier, law=sb.Switch(mu_c=3.0, mu_s=4.0, mu_v=0.1)))
    m.add("set", sb.Planetary(engine, carrier, "ring", ratio=1.7))
    housing = m.add("housing", sb.Inertia(J=1.0))
    m.add("mount", sb.SpringDamper(housing, c=80.0, d=0.5))
    m.add("pair", sb.Gear("shaft.b", "rear.drive", housing, ratio=2.1))
    m.add("shaft", sb.SpringDamper(carrier, c=40.0, d=0.3))
    left, right = m.add("left", sb.Inertia(J=0.4)), m.add("right", sb.Inertia(J=0.5))
    m.add("rear", sb.Differential(None, left, right, ratio=1.5))
    m.add("brake", sb.Bearing(right, law=soft_bristle(mu_c=0.4, mu_s=0.6)))
    car, table, stamp = (m.add(name, sb.Mass(m=1.5)) for name in ("car", "table", "stamp"))
    m.add("tyre", sb.Wheel("hub.b", "tow.a", radius=0.6))
    m.add("hub", sb.Disc(left, deltaPhi=0.3))
    m.add("tow", sb.Rod(None, car, L=0.4))
    m.add("rack", sb.RackPinion(right, table, ratio=1.8))
    m.add("press", sb.Hydraulic(table, stamp, area_a=0.01, area_b=0.03))
    m.add("ground", sb.SpringDamper(stamp, c=60.0, d=1.0))


@machine
def powertrain(m: sb.Model) -> None:
    """Engine, converter and vehicle, with what brakes and drives by speed."""
    pedal = m.signal("pedal", sb.Sine(amplitude=0.3, f=0.4, offset=0.5))
    crank, turbine = m.add("crank", sb.Inertia(J=0.3, w0=5.0)), m.add("turbine", sb.Inertia(J=0.2, w0=3.0))
    maps = {"w_map": [0, 4, 9], "throttle_map": [0, 1], "tau_map": [[0, 6], [-1, 9], [-2, 7]]}
    m.add("otto", sb.Engine(crank, u=pedal, **maps))
    tables = {"nu": [0, 0.6, 1], "capacity": [0.03, 0.02, 0], "ratio": [2, 1.2, 1]}
    lockup = {"lockup": sb.Step(1.0, start=1.3), "law": sb.Coulomb(mu_c=0.1), "fn_max": 15.0}
    m.add("oil", sb.TorqueConverter(crank, turbine, **tables, **lockup))
    m.add("dyno", sb.MovingLoad(crank, tau=0.5))
    m.add("retarder", sb.EddyCurrentBrake(turbine, tau_nominal=2.0, w_nominal=4.0, u=0.5))
    m.add("fan", sb.SpeedTorque(crank, tau_nominal=-1.0, w_nominal=5.0, form="quadratic"))
    car = m.add("carriage", sb.Vehicle(m=2.0, c_w=0.3, A=2.2, c_r=0.05, slope="1 deg", v0=0.9))
    m.add("drive", sb.Wheel(turbine, "hub", radius=0.3))
    m.add("hub", sb.Mass(m=0.5))
    m.add("rod", sb.SpringDamper("hub", car, c=40.0, d=0.5))


@machine
def one_way(m: sb.Model) -> None:
    """What lets move one way only: free-wheels, one-way clutches that lock and that yield, stops that bounce."""
    shafts = [m.add(f"shaft{i}", sb.Inertia(J=0.3 + 0.2 * i)) for i in range(4)]
    m.add("drive", sb.Torque(shafts[0], tau=sb.Sine(amplitude=3.0, f=0.8)))
    m.add("hub", sb.FreeWheel(shafts[0], shafts[1]))
    m.add("seal", sb.Bearing(shafts[1], law=sb.Switch(mu_c=0.05, mu_s=0.08, mu_v=0.05)))
    u = sb.Sine(0.5, f=0.5, offset=0.4)
    lining = sb.Switch(mu_c=0.3, mu_s=0.4)
    m.add("sprag", sb.OneWayClutch(shafts[1], shafts[2], law=lining, fn_max=2.0, f_normalized=u))
    m.add("load", sb.Damper(shafts[2], d=0.3))
    bristle = sb.LuGre(sigma0=30.0, sigma1=0.5, sigma2=0.04, mu_c=0.3, mu_s=0.4, v_s=0.1)
    m.add("soft", sb.OneWayClutch(shafts[2], shafts[3], law=bristle, fn_max=2.0, f_normalized=u, c_max=10.0))
    m.add("axle", sb.SpringDamper(shafts[3], c=4.0, d=0.2))
    m.add("ends", sb.Stop(shafts[3], phi_min=-0.2, phi_max=0.3, restitution=0.6))


@machine
def contacts(m: sb.Model) -> None:
    """Springs that are not linear or yield, gaps and plays."""
    push = sb.Sine(amplitude=6.0, f=0.7)
    slider, block = m.add("slider", sb.Mass(m=1.0)), m.add("block", sb.Mass(m=0.7, s0=0.1))
    m.add("push", sb.Force(slider, f=push))
    m.add("pad", sb.NonlinearSpring(slider, block, coefficients=[30.0, 0, 50.0], d=0.4))
    m.add("cam", sb.CamSpring(block, s=[-1.0, 1.0], alpha=[-0.4, 0.5], c=5.0, f_0=10.0))
    m.add("bumper", sb.ElastoGap(slider, block, c=80.0, d=0.5, s_rel0=-0.1))
    m.add("strap", sb.HystereticSpring(slider, c=20.0, f_y=1.5, alpha=0.2, d=0.1))
    disc, rim, hub = (m.add(name, sb.Inertia(J=J)) for name, J in (("disc", 0.5), ("rim", 0.4), ("shaft", 0.6)))
    m.add("twist", sb.Torque(disc, tau=push))
    m.add("teeth", sb.ElastoBacklash(disc, rim, c=50.0, d=0.3, play=0.2))
    m.add("splines", sb.ElastoBacklash2(rim, hub, c=60.0, d=0.2, play=0.1))
    m.add("axle", sb.SpringDamper(hub, c=10.0, d=0.2))


@machine
def shafting(m: sb.Model) -> None:
    """Springs in series, in a star and on both sides of a gear, with nothing but themselves at their joints."""
    m.add("hand", sb.Position(phi=sb.Sine(amplitude=0.3, f=0.6)))
    first, second, third = (
        m.add(name, sb.Inertia(J=J)) for name, J in (("first", 0.5), ("second", 0.4), ("third", 1.0))
    )
    m.add("front", sb.SpringDamper(first, c=40.0, d=0.4, phi_rel0=0.1))
    m.add("middle", sb.SpringDamper("front.b", c=60.0, d=0.6))
    m.add("rear", sb.SpringDamper("middle.b", second, c=80.0, d=0.8))
    m.add("handle", sb.Spring("hand", c=30.0))
    m.add("rod", sb.Spring(first, c=20.0))
    m.add("mount", sb.Spring("handle.b", c=10.0))
    m.connect("handle.b", "rod.b")
    m.add("input", sb.Spring(second, c=25.0))
    m.add("pair", sb.Gear("input.b", ratio=1.5))
    m.add("output", sb.Spring("pair.b", third, c=35.0))
    m.add("brake", sb.Bearing(third, law=sb.Switch(mu_c=0.4, mu_s=0.6, mu_v=0.1)))
    m.add("load", sb.Torque(third, tau=sb.Sine(amplitude=2.0, f=0.5)))


@machine
def heated(m: sb.Model) -> None:
    """Everything that dissipates, into shared thermal masses, with friction and loads that depend on temperature."""
    plate, drum = m.add("plate", sb.ThermalMass(C=3.0)), m.add("drum", sb.ThermalMass(C=2.0, T0="40 degC"))
    oil = m.add("oil", sb.FixedTemperature(T=sb.Sine(amplitude=2.0, f=0.3, offset=290.0)))
    fades = {"T_fade": [290.0, 296.0, 320.0], "fade": [1.1, 0.9, 0.6]}
    shafts = [m.add(f"shaft{i}", sb.Inertia(J=0.3 + 0.1 * i, w0=0.6 - 0.3 * i)) for i in range(4)]
    bristle = {"sigma0": 300.0, "sigma1": 5.0, "sigma2": 0.1, "mu_c": 0.3, "mu_s": 0.5}
    m.add("drive", sb.Torque(shafts[0], tau=sb.Sine(amplitude=3.0, f=0.6)))
    pressed = sb.Sine(0.3, f=0.4, offset=0.6)
    law = sb.LuGre(**bristle, v_s=0.1)
    m.add("clutch", sb.Clutch(shafts[0], shafts[1], law=law, fn_max=2.0, f_normalized=pressed, heat=plate, **fades))
    m.add("lining", sb.Clutch(shafts[1], shafts[2], law=sb.Switch(mu_c=0.3, mu_s=0.4), fn_max=6.0, heat=plate, **fades))
    slope = 1.0 - 0.005 * (plate.sensor("T") - 293.15)
    m.add("seal", sb.Bearing(shafts[2], law=law, load=slope, heat=drum))
    karnopp = sb.Karnopp(mu_c=0.3, mu_s=0.4, v_s=0.2, mu_v=0.1, dv=0.05)
    m.add("window", sb.Bearing(shafts[0], law=karnopp, heat=drum))
    hybrid = sb.Hybrid(mu_c=0.3, mu_s=0.5, v_s=0.2, mu_v=0.1, Sigma=0.02, Sigma_2=1e-3, p0=100.0)
    m.add("caught", sb.Bearing(shafts[3], law=hybrid, heat=drum))
    m.add("damper", sb.Damper(shafts[2], d=0.3, heat=oil))
    m.add("shaft", sb.SpringDamper(shafts[2], shafts[3], c=15.0, d=0.2, heat=plate))
    m.add("teeth", sb.ElastoBacklash2(shafts[3], c=30.0, d=0.3, play=0.01, heat=drum))
    m.add("mount", sb.NonlinearSpring(shafts[3], coefficients=[5.0, 0, 2.0], d=0.4, heat="teeth.heat"))
    retarder = sb.EddyCurrentBrake(shafts[0], tau_nominal=0.5, w_nominal=4.0, alpha=0.02, heat=drum)
    m.add("retarder", retarder)
    m.add("contact", sb.Convection(plate, drum, G=0.4))
    m.add("air", sb.Convection(drum, G=0.1 + 0.02 * shafts[0].sensor("w") ** 2))
    m.add("bath", sb.Convection(plate, oil, h="5 W/(m2.K)", A="0.1 m2"))
    m.add("sun", sb.HeatFlow(plate, Q_flow=sb.Ramp(2.0, duration=1.0, start=0.3)))


@machine
def varying(m: sb.Model) -> None:
    """A chain of inertias in bearings of many laws. Each parameter that can vary follows time, a position, a speed or a
    temperature; all heat goes into one mass."""
    bristle = {"sigma0": 300.0, "sigma1": 5.0, "sigma2": 0.1, "mu_c": 0.3, "mu_s": 0.5}
    curve = {"mu_c": 0.3, "mu_s": 0.5, "v_s": 0.2, "mu_v": 0.1}
    laws = [
        sb.Coulomb(mu_c=0.3),
        sb.Stribeck(**curve),
        sb.StribeckThreshold(**curve, v_v=0.3),
        sb.RisingStribeck(**curve),
        sb.LaggedStribeck(**curve, tau_L=0.1),
        sb.Karnopp(**curve, dv=0.05),
        sb.Hybrid(**curve, Sigma=0.02, Sigma_2=1e-3, p0=100.0),
        sb.Tanh(mu_c=0.3, v_0=0.2, mu_v=0.1),
        sb.Dahl(sigma0=300.0, mu_c=0.4),
        sb.LuGre(**bristle, v_s=0.1),
        sb.ElastoPlastic(**bristle, v_s=0.1, z_ba=4e-4),
        sb.BoucWen(sigma0=300.0, mu_c=0.4, mu_v=0.1),
        sb.BlimanSorine(mu_c=0.3, f2=0.4, epsilon=0.01, mu_v=0.1),
    ]
    last, heat = m.add("wall", sb.Fixed()), m.add("block", sb.ThermalMass(C=2.0))
    for law in laws:
        name = type(law).__name__.lower()
        body = m.add(name, sb.Inertia(J=0.3))
        m.add(f"{name}_shaft", sb.SpringDamper(last, body, c=30.0, d=0.2))
        m.add(f"{name}_bearing", sb.Bearing(body, law=_varied(law, name), load=1 + 0.1 * sb.Sine(1, f=0.7), heat=heat))
        last = body
    m.add("drive", sb.Torque(last, tau=sb.Sine(amplitude=6.0, f=0.5)))


def _varied(law: sb.laws.Law, body: str) -> sb.laws.Law:
    """The law with a signal for each parameter that can vary; both levels follow one, which keeps their order."""
    temperature = sb.Sensor("block.T") - 293.15
    swings = [np.sin(sb.Sensor(f"{body}.phi")), np.tanh(sb.Sensor(f"{body}.w")), sb.Sine(1, f=0.9), np.sin(temperature)]
    level = 1 + 0.1 * sum(swings[1:], swings[0])
    others = {name: getattr(law, name) * (1 + 0.2 * swings[i % 4]) for i, name in enumerate(law.variable)}
    return law.replace(**others | {name: getattr(law, name) * level for name in ("mu_c", "mu_s") if name in law.given})
