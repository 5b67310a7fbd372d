import stribeck as sb

# three drivers launch the same car in first gear: clutch heat and passenger comfort
speeds, torques = [0, 80, 200, 400, 600], [[0, 20], [0, 90], [-15, 150], [-25, 165], [-40, 130]]  # rad/s, N.m
model = sb.Model("launch", t_end="3.5 s", intervals=3500)
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

runs = {}
for driver, takes in {"gentle, 3 s": 3, "brisk, 1 s": 1, "hasty, 0.4 s": 0.4}.items():
    result = runs[driver] = sb.simulate(model.varied({"foot.duration": takes}))
    stuck, heat = result.events.of("clutch", to="Stuck").time[-1], result.energy.dissipated["clutch"]
    low, high = result.extremes["car.a"]["min"], result.extremes["car.a"]["max"]
    print(f"{driver:12}  sticks at {stuck:.3f} s, {heat:4.0f} J of heat, acceleration {low:.2f} to {high:.2f} m/s2")
title = "car launch: the clutch closes within 3, 1 and 0.4 s"
sb.overlay(runs, "car.v", "car.a", "crank.w", "clutch.tau", path="car-launch.png", title=title)
