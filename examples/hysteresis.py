import numpy as np

import stribeck as sb

# a mass on a belt, held by a spring: at one belt speed it sticks and slips or slides, by where the run comes from
model = sb.Model("belt", t_end="300 s")
belt = model.add("belt", sb.Speed(v=0.05))
mass = model.add("mass", sb.Mass(m="1 kg"))
model.add("spring", sb.SpringDamper(mass, c="1 N/m", d="0.2 N.s/m"))
law = sb.Stribeck(mu_c=0.4, mu_s=1.0, v_s="0.4 m/s", exponent=1)
model.add("contact", sb.Clutch(belt, mass, law=law, fn_max="1 N"))

speeds = np.linspace(0.05, 1.55, 61)
branch = sb.continuation(model, "belt.v", speeds, "mass.s", settle="270 s")
rising, falling = (np.ptp(extremes, axis=1) / 2 > 0.05 for extremes in (branch.up, branch.down))
print(f"stick-slip on the way up to {speeds[rising].max():g} m/s")
print(f"steady sliding on the way down to {speeds[~falling].min():g} m/s")
print(f"linearised: steady sliding is stable from {0.4 * np.log(0.6 / 0.4 / 0.2):.3g} m/s on")
print(f"from {branch.hysteresis.min():g} to {branch.hysteresis.max():g} m/s the start decides")
branch.plot("hysteresis.png")
