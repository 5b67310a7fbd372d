import numpy as np

import stribeck as sb

# friction of a clutch actuator from a virtual test bench with 56 counts per turn: break-away over position in both
# directions, and the mean torque of swings, with viscous friction above 240 rad/s
break_away = {1: [0.0794, 0.0077, -2.7773e-4, 2.8731e-6], -1: [0.0938, -0.0126, 0.0013, -3.2940e-5, 2.5120e-7]}
beta = {1: 1.2325, -1: 1.3728}

model = sb.Model("actuator")
rotor = model.add("rotor", sb.Inertia(J=1.32e-5, phi0=5))
model.add("motor", sb.Torque(rotor, tau=0))
model.add("oil", sb.Bearing(rotor, law=sb.StribeckThreshold(tau_c=0, tau_s=0, tau_v=7.1746e-4, w_v=240)))
for way, (name, side) in {1: ("up", "load"), -1: ("down", "load_backward")}.items():
    sliding = sb.Polynomial(rotor.sensor("phi"), [b / beta[way] for b in break_away[way]])
    loads = {"load": 0, "load_backward": 0, side: sliding}
    model.add(name, sb.Bearing(rotor, law=sb.Switch(mu_c=1, mu_s=beta[way]), **loads))

bench = sb.identify.VirtualBench(model, "motor.tau", "rotor.phi", encoder=56, limit="2 N.m", substeps=4)
found = sb.identify.bench_test(
    bench, low=3, high=62, degrees=(3, 4), rates=[0.4, 0.15], inertia=1.32e-5, inertia_error=2.1e-6
)
print(found)
print("true values: break-away by sliding 1.2325 and 1.3728, viscous friction 7.1746e-4 N.m.s/rad from 240 rad/s on")

with sb.picture("friction of a clutch actuator, 56 counts per turn", "friction-test.png", width=9, height=4) as figure:
    left, right = figure.subplots(1, 2)
    for way, (name, colour) in {1: ("up", "C0"), -1: ("down", "C1")}.items():
        points, curve = found.break_aways.towards(way), found.curves[way]
        angle = np.linspace(curve.low, curve.high, 200)
        left.plot(points.position, points.drive, ".", color=colour, alpha=0.5)
        left.plot(angle, curve(angle), color=colour, label=name)
        left.plot(angle, np.polynomial.polynomial.polyval(angle, break_away[way]), "k:", lw=1)
    left.plot([], [], "k:", label="true")
    left.set(xlabel="angle / rad", ylabel="break-away torque / N.m", ylim=(0, None))
    left.legend()
    speed, torque, error = np.array(found.means.points).T
    right.errorbar(speed, torque, 2 * error, fmt="o", ms=4, label="swings")
    right.set(xlabel="mean speed / (rad/s)", ylabel="mean torque / N.m", ylim=(0, None))
    right.axhline(np.mean([found.coulomb[way][0] for way in (1, -1)]), color="C2", ls="--", label="dry friction")
    right.legend()
