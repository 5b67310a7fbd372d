import numpy as np

import stribeck as sb

# friction from measurements: a steady-speed curve with a sensor offset, and presliding stiffness from loops of eleven
# encoder counts
rng = np.random.default_rng(8)
speed = np.geomspace(0.003, 1, 14) * [[-1], [1]]  # rad/s, both directions
truth = sb.Stribeck(tau_c=1, tau_s=1.5, w_s=0.03, tau_v=0.5)
model = sb.Model("pulled", t_end=0.1, intervals=2)
model.add("drive", sb.Speed(w=0.1))
model.add("joint", sb.Bearing("drive", law=truth))
runs = [sb.simulate(one)["joint.tau"][-1] for one in model.compile().with_values({"drive.w": speed.ravel()})]
torque = np.array(runs) + 0.15 + 0.03 * rng.normal(size=speed.size)
curve = sb.identify.fit_curve(speed.ravel(), torque, offset=True, units=("rad/s", "N.m"))

t = 5e-4 * np.arange(2000)
rig = sb.Model("rig")
block = rig.add("block", sb.Mass(m="1 g"))
rig.add("push", sb.Force(block, f=sb.External(0)))
rig.add("guide", sb.Guide(block, law=sb.LuGre(sigma0=1e5, sigma1=300, f_c=1.5, f_s=1.5)))
bench = sb.identify.VirtualBench(
    rig, "push.f", "block.s", resolution="3 um", sample_time="0.5 ms", substeps=10, also=["block.s"]
)
push = np.concatenate([0.8 * np.sin(2 * np.pi * 2 * t), 1.2 * np.sin(2 * np.pi * 10 * t)])
loops = bench.record(push)
loops = loops.with_channel("f", push + 0.01 * rng.normal(size=push.size), "N")
contact = sb.identify.fit_presliding(loops, "q", "f", mass=1e-3, hold=True)

with sb.picture("friction from measurements", "identified-friction.png", width=9, height=4.2) as figure:
    left, right = figure.subplots(1, 2)
    left.plot(np.abs(speed).ravel(), np.sign(speed).ravel() * torque, "o", markersize=4, label="measured")
    pace = np.geomspace(0.002, 1.2, 200)
    left.plot(pace, curve(pace), label="fit, forward")
    left.plot(pace, -curve(-pace), "--", label="fit, backward")
    left.set(xscale="log", xlabel="speed / (rad/s)", ylabel="torque / N.m")
    left.legend()
    part = slice(2000, 2200)
    right.plot(1e6 * loops["q"][part], loops["f"][part], ".", color="#bbbbbb", markersize=3, label="measured")
    right.plot(1e6 * loops["block.s"][part], push[part], color="#D55E00", linewidth=3, alpha=0.5, label="true")
    right.plot(1e6 * contact.predicted[part], push[part], color="#0072B2", label="fit")
    right.set(xlabel="displacement / um", ylabel="force / N")
    right.legend(loc="upper left")

for found, names in ((curve, ["mu_c", "mu_s", "v_s", "offset"]), (contact, ["sigma0", "sigma1", "f"])):
    ends = found.estimate.interval()
    print(*(f"{name} {found[name]:.4g} ({ends[name][0]:.4g} to {ends[name][1]:.4g})" for name in names), sep=", ")
