import numpy as np

import stribeck as sb

# a contact moves back and forth by 0.2 mm with a small inner loop: which laws have nonlocal memory?
turns = [0, 0, 200, -200, 60, -60, 60, 200, -200]  # um
times = np.append(0, 0.1 + np.cumsum(np.abs(np.diff(turns)))) / 100  # s, at 100 um/s
model = sb.Model("contact", t_end=times[-1], intervals=3000)
model.add("drive", sb.Position(s=sb.Table(time=times, value=1e-6 * np.array(turns))))
law = sb.LuGre(sigma0="1e4 N/m", sigma1="10 N.s/m", f_c="1 N", f_s="1.5 N")
model.add("contact", sb.Guide("drive", law=law))
runs = sb.analysis.compare(model, ["Dahl", "LuGre", "ElastoPlastic", "ModifiedElastoPlastic"]).results

with sb.picture("contacts moved by ±0.2 mm, with a small inner loop", "presliding.png", width=8, height=6) as figure:
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for axes, (name, result) in zip(panels.flat, runs.items(), strict=True):
        s, f, time = 1e6 * result["contact.s_rel"], result["contact.f"], result.time
        axes.plot(s[time < times[4]], f[time < times[4]])
        axes.plot(s[time > times[6]], f[time > times[6]], color="#0072B2", linestyle="--")
        small = (time > times[4]) & (time < times[6])
        axes.plot(s[small], f[small], linewidth=2.5)
        axes.set_title(name, fontsize=9, loc="left")
        before, after = result.at(times[[4, 6]], "contact.f")
        axes.plot(60, before, "o", color="#D55E00", markersize=4)
        text = f"after the small stroke\noff by {abs(before - after):.2f} N"
        axes.text(0.97, 0.05, text, transform=axes.transAxes, ha="right", fontsize=8, color="#D55E00")
        print(f"{name:21} {1e6 * result.energy.dissipated['contact']:.0f} uJ of heat, forgets {before - after:6.3f} N")
    figure.supxlabel("displacement / µm", fontsize=9)
    figure.supylabel("friction / N", fontsize=9)
