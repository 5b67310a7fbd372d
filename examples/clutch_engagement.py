import numpy as np

import stribeck as sb

# a motor accelerates a load through a closing clutch: lock-up and remaining slip under four laws
model = sb.Model("engagement", t_end="1.2 s", intervals=12000)
motor = model.add("motor", sb.Inertia(J="0.15 kg.m2", w0="1500 rpm"))
load = model.add("load", sb.Inertia(J="0.6 kg.m2"))
model.add("drive", sb.Torque(motor, tau="40 N.m"))
model.add("drag", sb.MovingLoad(load, tau="15 N.m"))
law = sb.LuGre(sigma0=100, sigma1=0.3, mu_c=0.12, mu_s=0.14, w_s="2 rad/s")
press = sb.Ramp(1, start="0.1 s", duration="0.4 s")
model.add("clutch", sb.Clutch(motor, load, law=law, fn_max="6 kN", cgeo="0.2 m", f_normalized=press))

laws = [
    sb.Stribeck(mu_c=0.12, mu_s=0.14, w_s="2 rad/s"),
    law,
    sb.Dahl(sigma0=100, mu_c=0.12),
    sb.Tanh(mu_c=0.12, w_0=1),
]
runs = sb.analysis.compare(model, laws).results
(stuck,) = runs["Stribeck"].events.of("clutch", to="Stuck").time

with sb.picture("a clutch closes", "clutch-engagement.png", width=9, height=4.8) as figure:
    (speed, near), (torque, slip) = figure.subplots(2, 2, width_ratios=[1, 1.2])
    first = runs["Stribeck"]
    speed.plot(first.time, first["motor.w"], color="#555555")
    speed.plot(first.time, first["load.w"], color="#555555", linestyle="--")
    torque.plot(first.time, -first["clutch.tau"], color="#555555")
    for name, result in runs.items():
        after = 1e3 * (result.time - stuck)
        near.plot(after, -result["clutch.tau"], label=name)
        slip.semilogy(after, np.maximum(np.abs(result["clutch.w_rel"]), 1e-12), label=name)
        left, swing = result.at(1.2, "clutch.w_rel"), np.ptp(result["clutch.tau"][(after > 5) & (after < 60)])
        print(f"{name:8} oscillates by {swing:5.2f} N.m after lock-up and still slips with {abs(left):.1g} rad/s")
    for axes in (speed, torque):
        axes.axvspan(stuck - 0.02, stuck + 0.06, color="#d5dae1", zorder=0.5)
    speed.set_title("motor and, dashed, load", fontsize=9, loc="left")
    speed.set(ylabel="speed / (rad/s)", xlim=(0, 1.2))
    torque.set(xlabel="time / s", ylabel="clutch torque / N·m", xlim=(0, 1.2))
    near.set(ylabel="clutch torque / N·m", xlim=(-20, 60))
    near.legend(loc="upper right", ncols=2)
    slip.set(xlabel="time after it sticks / ms", ylabel="slip / (rad/s)", xlim=(-20, 60), ylim=(1e-7, 1e2))
