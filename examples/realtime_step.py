import numpy as np

import stribeck as sb

# the launch of a car at fixed steps against the adaptive run: what 1 ms does, and how the error falls with the step
model = sb.set_parameter(sb.load_model("powertrain-3"), "clutch.law", sb.LuGre(sigma0=50, sigma1=0.3, mu_c=0.25, mu_s=0.3, w_s=2))
exact = sb.simulate(model, intervals=4000, tolerance=1e-9)
print(exact.statistics.steps)
for h in (1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 4e-3,1e-2):
    r = sb.realtime(model, h=h).run(t_end=4)
    for n in ("clutch.tau","shaft.tau","gearbox.w"):
        print(h, n, np.abs(r[n] - exact.at(r.time, n)).max())
r = sb.realtime(model, h=1e-3).run(t_end=4)
sb.overlay({"adaptive":exact,"1 ms":r}, "clutch.tau","gearbox.w","shaft.tau", path="realtime-step.png")
