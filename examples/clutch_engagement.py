import numpy as np

import stribeck as sb

# a motor at speed takes a load along through a clutch that closes: the same under five laws, and the slip that is left
model = sb.Model("engagement", t_end="1.5 s", intervals=6000)
motor = model.add("motor", sb.Inertia(J="0.15 kg.m2", w0="1500 rpm"))
load = model.add("load", sb.Inertia(J="0.6 kg.m2"))
model.add("drive", sb.Torque(motor, tau="40 N.m"))
model.add("drag", sb.Torque(load, tau=sb.Where(load.sensor("w") > 0, "-15 N.m", 0)))
plates = {"fn_max": "3 kN", "cgeo": "0.2 m", "f_normalized": sb.Ramp(1, start="0.1 s", duration="0.8 s")}
law = sb.LuGre(sigma0=200, sigma1=0.5, mu_c=0.12, mu_s=0.14, w_s="2 rad/s")
model.add("clutch", sb.Clutch(motor, load, law=law, **plates))
comparison = sb.compare(model, ["Stribeck", "LuGre", "ElastoPlastic", "Dahl", "Tanh"])
print(comparison)
with sb.picture("clutch", "clutch-engagement.png", width=9, height=6) as figure:
    a, b, c = figure.subplots(3, 1, sharex=True)
    for name, result in comparison.results.items():
        a.plot(result.time, result["motor.w"])
        a.plot(result.time, result["load.w"])
        b.plot(result.time, -result["clutch.tau"], label=name)
        c.semilogy(result.time, np.abs(result["clutch.w_rel"]), label=name)
    c.legend()
    c.set_ylim(1e-9,1e3)
