import numpy as np

import stribeck as sb

# stick-slip or steady sliding? a sweep over pull speed and damping, compared with linear theory
model = sb.Model("map", t_end="200 s")
pull = model.add("pull", sb.Speed(w=0.1))
mass = model.add("mass", sb.Inertia(J="1 kg.m2"))
model.add("spring", sb.SpringDamper(pull, mass, c="2 N.m/rad", d=0.1))
model.add("friction", sb.Bearing(mass, law=sb.Stribeck(tau_c="1 N.m", tau_s="1.5 N.m", w_s="0.2 rad/s")))

grid = {"spring.d": np.linspace(0, 2.4, 41), "pull.w": np.linspace(0.06, 0.7, 41)}  # N.m.s/rad, rad/s
study = sb.sweep(model, grid, ["mass.w:max", "mass.w:range", "friction:slips"], settle="160 s").to_xarray()
speeds, dampings = study["pull.w"].values, study["spring.d"].values
swinging = study["mass.w:range"].values > 0.02 * speeds
swings = np.where(swinging, study["mass.w:max"].values / speeds, np.nan)
sticks = study["friction:slips"].values > 0


def fall(w):
    """How steeply friction falls at this speed (N.m.s/rad): with less damping steady sliding is unstable."""
    return 0.5 * 2 * w / 0.2**2 * np.exp(-((w / 0.2) ** 2))


both = swinging & (dampings[:, None] > fall(speeds))
print(f"{swinging.sum()} of {swinging.size} runs oscillate without end, {int(sticks.sum())} of them with stick phases")
print(f"in {both.sum()} of them steady sliding is stable too: the initial state decides")

with sb.picture("a mass pulled by a spring", "stability-map.png", width=7.5, height=4.6) as figure:
    axes = figure.subplots()
    colors = axes.pcolormesh(speeds, dampings, swings, cmap="viridis", vmin=1)
    figure.colorbar(colors, label="largest speed / pull speed", pad=0.02, aspect=30)
    i, j = np.nonzero(swinging & ~sticks)
    axes.plot(speeds[j], dampings[i], ".", color="white", markersize=2)
    fine = np.linspace(0.05, 0.71, 200)
    axes.plot(fine, fall(fine), color="#D55E00", linewidth=2)
    axes.text(0.1, 0.9, "sticks and slips", color="white")
    axes.text(0.25, 1.75, "dots: oscillates without sticking")
    axes.text(0.31, 1.2, "steady sliding is stable above this line", color="#D55E00")
    axes.set(xlabel="pull speed / (rad/s)", ylabel="damping / (N·m·s/rad)", ylim=(0, 2.4))
