import numpy as np

import stribeck as sb

# a dual-clutch gearbox shifts up without torque interruption: if the second clutch takes over too early, the clutches
# work against each other; if too late, the engine speeds up
model = sb.load_model("dual-clutch-launch")
runs = {}
for name, start in {"early": 2.9, "in time": 3.06, "late": 3.2}.items():
    takes = [0, start, start + 0.3, start + 1.2, start + 1.6]  # s
    shift = model.varied({"K2.f_normalized.time": takes})
    result = runs[name] = sb.simulate(shift, times=np.linspace(2.7, 5, 2301))
    pull, speed = result["car.a"][result.time < 3.5].min(), result["crank.w"].max()
    print(f"{name:8} acceleration at least {pull:.2f} m/s2, engine at most {speed:.0f} rad/s, ", end="")
    print(f"clutch heat {result.energy.dissipated['K1'] + result.energy.dissipated['K2']:.0f} J")
title = "shift from first to second gear"
sb.overlay(runs, "car.a", "crank.w", "K1.tau", "K2.tau", path="gear-shift.png", title=title)
