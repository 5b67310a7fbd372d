import numpy as np

import stribeck as sb

# a block carries a third of its break-away load plus a vibration: it should not move; which laws drift?
model = sb.Model("drift", t_end="22 s", intervals=4400)
block = model.add("block", sb.Mass(m="1 kg"))
model.add("load", sb.Force(block, f=sb.Ramp("0.5 N", duration="1 s") + sb.Sine("0.25 N", f="2 Hz", start="2 s")))
law = sb.LuGre(sigma0="1e4 N/m", sigma1="200 N.s/m", f_c="1 N", f_s="1.5 N")
model.add("guide", sb.Guide(block, law=law))
runs = sb.analysis.compare(model, sb.laws.all_laws().values()).results

creep = {
    name: 1e6 * np.diff(run.at([12, 22], "block.s"))[0] / 20 for name, run in runs.items()
}  # um in one of 20 cycles
order = sorted(creep, key=lambda name: creep[name])
moving = [name for name in order if creep[name] > 1e-6]
print("no drift:", ", ".join(order[: -len(moving)]))
print("drift, um per cycle:", ", ".join(f"{name} {creep[name]:.0f}" for name in moving))

with sb.picture("vibration below break-away", "drift.png", width=9, height=4) as figure:
    left, right = figure.subplots(1, 2, width_ratios=[1.5, 1])
    for name in ("Dahl", "LuGre", "ElastoPlastic", "ModifiedElastoPlastic", "Switch"):
        (line,) = left.plot(runs[name].time, 1e3 * runs[name]["block.s"], linewidth=0.9)
        end = {"ModifiedElastoPlastic": 5, "Switch": -5}.get(name, 0)
        style = {"textcoords": "offset points", "fontsize": 8, "color": line.get_color(), "va": "center"}
        left.annotate(name, (22, 1e3 * runs[name]["block.s"][-1]), (4, end), **style, annotation_clip=False)
    left.set(xlabel="time / s", ylabel="displacement / mm", xlim=(0, 22))
    bars = right.barh(moving, [creep[name] for name in moving], color="#56B4E9")
    right.bar_label(bars, fmt="%.0f", padding=3, fontsize=8)
    right.set(xscale="log", xlim=(1, 6e3), xlabel="creep / (µm/cycle); all other laws: 0")
    right.grid(axis="y", visible=False)
