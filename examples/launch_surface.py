import stribeck as sb

# how long should the clutch take, and how far should the pedal go? 256 launches of a car as a response surface
speeds, torques = [0, 80, 200, 400, 600], [[0, 20], [0, 90], [-15, 150], [-25, 165], [-40, 130]]  # rad/s, N.m
model = sb.Model("launch", t_end="4 s")
pedal = model.signal("pedal", sb.Ramp(0.3, offset=0.1, duration="0.5 s"))
foot = model.signal("foot", sb.Ramp(1, start="0.2 s", duration="1 s"))

crank = model.add("crank", sb.Inertia(J="0.2 kg.m2", w0="1200 rpm"))
model.add("engine", sb.Engine(crank, u=pedal, w_map=speeds, throttle_map=[0, 1], tau_map=torques, w_idle="800 rpm"))
disc = model.add("disc", sb.Inertia(J="0.01 kg.m2"))
lining = sb.Stribeck(mu_c=0.3, mu_s=0.33, w_s="3 rad/s")
model.add("clutch", sb.Clutch(crank, disc, law=lining, fn_max="3 kN", cgeo="0.2 m", f_normalized=foot))
axle = model.add("axle", sb.Inertia(J="0.5 kg.m2"))
model.add("gear", sb.Gear(disc, axle, ratio=13))
wheel = model.add("wheel", sb.Wheel(b="car", radius="0.3 m"))
model.add("shafts", sb.SpringDamper(axle, wheel.a, c="6 kN.m/rad", d="150 N.m.s/rad"))
model.add("car", sb.Vehicle(m="1200 kg", c_w=0.3, A=2, c_r=0.012))

design = sb.sweeps.sobol({"foot.duration": (0.3, 3.0), "pedal.height": (0.1, 0.6)}, 256)
study = sb.sweep(model, design, ["clutch:dissipated", "car.a:max", "clutch:stick", "crank.w:min"])
table = study.to_pandas()
stalled = table["crank.w:min"] < 40
gentle = table[(table["car.a:max"] < 3) & ~stalled].nsmallest(1, "clutch:dissipated").iloc[0]
print(f"{int(stalled.sum())} of {len(table)} launches nearly stall the engine")
heat, takes = gentle["clutch:dissipated"], gentle["foot.duration"]
print(f"least heat below 3 m/s2: {heat:.0f} J, with a clutch that closes within {takes:.2f} s")
study.plot("car.a:max", "launch-surface.png")
