import numpy as np

import stribeck as sb

# a row of blocks, coupled by springs, is dragged over rough ground: a model of earthquakes
N = 40
rough = 1 + 0.15 * np.random.default_rng(7).random(N)  # N, breaks a block away
model = sb.Model("earthquake", t_end="120 s", intervals=6000)
plate = model.add("plate", sb.Speed(v="10 mm/s"))
blocks = [model.add(f"block{i}", sb.Mass(m="1 kg")) for i in range(N)]
for i, block in enumerate(blocks):
    law = sb.Stribeck(f_s=rough[i], f_c=0.7 * rough[i], v_s="20 mm/s")
    model.add(f"ground{i}", sb.Guide(block, law=law))
    model.add(f"leaf{i}", sb.Spring(plate, block, c="10 N/m"))
    if i:
        model.add(f"link{i}", sb.Spring(blocks[i - 1], block, c="100 N/m"))

result = sb.simulate(model)
speed = np.array([result[f"block{i}.v"] for i in range(N)])  # m/s
moving = np.abs(speed) > 1e-6
print(f"{len(result.events)} stick and break-away events; blocks rest {100 * (~moving).mean():.0f} % of the time")
print(f"at most {moving.sum(axis=0).max()} of {N} blocks move at once, the fastest with {1e3 * speed.max():.0f} mm/s")
print(f"{result.statistics.steps} steps in {result.statistics.seconds:.2f} s")

with sb.picture("blocks dragged by a plate", "earthquake.png", width=9, height=5) as figure:
    top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=[3.2, 1])
    shown = np.maximum(1e3 * speed, 0.1)
    colors = top.pcolormesh(result.time, range(1, N + 1), shown, norm="log", cmap="magma", rasterized=True)
    figure.colorbar(colors, ax=top, label="velocity / (mm/s)", pad=0.01, aspect=30)
    top.set(ylabel="block")
    top.grid(False)
    bottom.plot(result.time, 1e3 * speed.mean(axis=0), linewidth=0.8)
    bottom.set(xlabel="time / s", ylabel="mean / (mm/s)", xlim=(0, 120))
