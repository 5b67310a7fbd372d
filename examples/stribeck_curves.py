import stribeck as sb

# a slide moves back and forth, slowly and fast: friction over slip velocity under every law
slow, quick = "0.01 Hz", "1 Hz"
laws = sorted(sb.laws.all_laws().values(), key=lambda law: law.family)
runs = {}
for frequency, t_end in ((slow, "150 s"), (quick, "1.5 s")):
    model = sb.Model("slide", t_end=t_end, intervals=6000)
    model.add("drive", sb.Speed(v=sb.Sine(amplitude="60 mm/s", f=frequency)))
    law = sb.LuGre(sigma0=4000, sigma1=4, f_c="1 N", f_s="1.5 N", f_v="6 N.s/m", v_s="8 mm/s")
    model.add("slide", sb.Guide("drive", law=law))
    runs[frequency] = sb.analysis.compare(model, laws).results  # each law takes the parameters that it shares

title = f"{len(laws)} laws on a slide that moves back and forth: friction over slip velocity"
rows = -(-len(laws) // 6)
with sb.picture(title, "stribeck-curves.png", width=10, height=2 * rows) as figure:
    panels = figure.subplots(rows, 6, sharex=True, sharey=True)
    for axes in panels.flat[len(laws) :]:
        axes.remove()
    for axes, law in zip(panels.flat, laws, strict=False):
        color = {"bristle": "#0072B2", "locking": "#D55E00", "smooth": "#009E73"}[law.family]
        for frequency, style in ((slow, {"color": "#bbbbbb", "linewidth": 3}), (quick, {"color": color})):
            result = runs[frequency][law.__name__]
            axes.plot(1e3 * result["slide.v_rel"], result["slide.f"], label=frequency, **style)
        axes.set_title(law.__name__, fontsize=9, loc="left", color=color)
        axes.text(0.97, 0.05, law.family, transform=axes.transAxes, ha="right", fontsize=8, color=color)
    panels[0, 0].legend(loc="upper left", handlelength=1)
    figure.supxlabel("slip velocity / (mm/s)", fontsize=9)
    figure.supylabel("friction / N", fontsize=9)

for family in ("locking", "bristle", "smooth"):
    heat = {law.__name__: runs[quick][law.__name__].energy.dissipated["slide"] for law in laws if law.family == family}
    least, most = min(heat, key=heat.__getitem__), max(heat, key=heat.__getitem__)
    print(f"{family}: from {1e3 * heat[least]:.1f} mJ ({least}) to {1e3 * heat[most]:.1f} mJ ({most}) lost at {quick}")
