import numpy as np

import stribeck as sb

# a mass on a belt, held by a spring: at one belt speed it sticks and slips or slides, by where the run comes from
speeds = np.linspace(0.05, 1.55, 31)
model = sb.Model("belt", t_end="300 s", intervals=12000)
belt = model.add("belt", sb.Speed(v=0.05))
mass = model.add("mass", sb.Mass(m="1 kg"))
model.add("spring", sb.SpringDamper(mass, c="1 N/m", d="0.2 N.s/m"))
law = sb.Stribeck(mu_c=0.4, mu_s=1.0, v_s="0.4 m/s", exponent=1)
model.add("contact", sb.Clutch(belt, mass, law=law, fn_max="1 N"))
program = model.compile()


def scan(speeds, start=None):
    """Swing of the mass at one belt speed after the other; each run starts where the last one has ended."""
    runs = []
    for one in program.with_values({"belt.v": speeds}):
        result = sb.simulate(one, start=start)
        start = result.end
        runs.append(result)
    return runs


def swing(result):
    late = result["mass.s"][result.time > result.time[0] + 270]
    return (late.max() - late.min()) / 2


up = scan(speeds)
down = scan(speeds[::-1], start=up[-1].end)[::-1]
swings_up, swings_down = (np.array([swing(result) for result in runs]) for runs in (up, down))
both = speeds[(swings_up > 0.05) & (swings_down < 0.05)]
print(f"stick-slip on the way up to {speeds[swings_up > 0.05].max():g} m/s")
print(f"steady sliding on the way down to {speeds[swings_down < 0.05].min():g} m/s")
print(f"linearised: steady sliding is stable from {0.4 * np.log(0.6 / 0.4 / 0.2):.3g} m/s on")

with sb.picture("stick-slip or steady sliding: hysteresis over the belt speed", "hysteresis.png", height=4.2) as figure:
    left, right = figure.subplots(1, 2, width_ratios=[1.3, 1])
    left.axvspan(both.min(), both.max(), color="0.93")
    left.plot(speeds, swings_up, "o-", label="speed rises")
    left.plot(speeds, swings_down, "s-", label="speed falls", markersize=4)
    left.set(xlabel="belt speed / (m/s)", ylabel="swing of the mass / m", ylim=(0, None))
    left.legend(loc="upper left")
    middle = int(np.flatnonzero(speeds == both[both.size // 2])[0])
    for result, style in ((up[middle], "C0"), (down[middle], "C1")):
        late = result.time > result.time[0] + 270
        right.plot(result["mass.s"][late], result["mass.v"][late], style, marker="." if style == "C1" else "")
    right.set_title(f"both at {speeds[middle]:g} m/s", fontsize=9, loc="left")
    right.set(xlabel="position / m", ylabel="velocity / (m/s)")
