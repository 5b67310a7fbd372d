import numpy as np

import stribeck as sb

# inertia of an axis from torque and encoder, with and without the reference as instrument
model = sb.Model("axis")
arm = model.add("arm", sb.Inertia(J=0.02))
model.add("motor", sb.Torque(arm, tau=sb.External(0)))
model.add("joint", sb.Bearing(arm, law=sb.Switch(tau_c=0.5, tau_s=0.6, tau_v=0.05)))

t = 1e-3 * np.arange(10_000)
path = np.sin(2.1 * t) + 0.4 * np.sin(5.3 * t) + 0.15 * np.sin(13.7 * t)
counts = np.geomspace(500, 50_000, 7).round()
ways = {"least squares": {}, "with the reference as instrument": {"instrument": "q_ref"}}

found = {way: [] for way in ways}
for number in counts:
    bench = sb.identify.VirtualBench(
        model, "motor.tau", "arm.phi", encoder=int(number), sample_time="1 ms", limit="10 N.m"
    )
    run = bench.follow(path, sb.identify.Tracking(inertia=0.02, bandwidth=60, friction=0.5, viscous=0.05))
    for way, options in ways.items():
        found[way].append(sb.identify.inverse_model(run, "u", "q", delay="0.5 ms", **options))
print(found["with the reference as instrument"][0])

with sb.picture("identified inertia over encoder resolution", "encoder_noise.png") as figure:
    axes = figure.subplots()
    for way, estimates in found.items():
        values = np.array([[e["inertia"], *e.interval(0.95)["inertia"]] for e in estimates]).T
        bars = np.abs(values[1:] - values[0])
        axes.errorbar(counts, values[0], bars, fmt="o-", ms=4, capsize=3, label=f"{way}, 95 %")
    axes.axhline(0.02, color="#333333", linestyle="--", linewidth=0.8, label="true")
    axes.set(xscale="log", xlabel="counts per turn", ylabel="inertia (kg.m²)", ylim=(0.018, 0.022))
    axes.legend(loc="lower right")
