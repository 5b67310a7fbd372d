import stribeck as sb

# car launch: a controller in Python sets the clutch force every 10 ms
model = sb.Model("clutch-control", t_end="2 s")
engine = model.add("engine", sb.Inertia(J="0.2 kg.m2", w0="1500 rpm"))
gearbox = model.add("gearbox", sb.Inertia(J="0.02 kg.m2"))
car = model.add("car", sb.Inertia(J="1.4 kg.m2"))  # 1400 kg behind a ratio of 10 and wheels of 0.32 m
model.add("drive", sb.Torque(engine, tau="80 N.m"))
lining = sb.Stribeck(mu_c=0.3, mu_s=0.36, v_s=3)
plates = {"law": lining, "fn_max": "6 kN", "cgeo": "0.15 m"}
model.add("clutch", sb.Clutch(engine, gearbox, **plates, f_normalized=sb.External()))
model.add("shaft", sb.SpringDamper(gearbox, car, c="1500 N.m/rad", d="2 N.m.s/rad"))

CYCLE, LOCKED = 0.01, 1.2  # s; the slip must end at this time
plant = model.realtime(h="1 ms")
slip0 = plant["car.w"] - plant["engine.w"]
pressed, integral = [], 0.0

while plant.time < 2:
    left = max(1 - plant.time / LOCKED, 0)
    wanted, rate = slip0 * left**2, -2 * slip0 / LOCKED * left  # the slip ends gently: no jerk when the clutch sticks
    error = wanted - (plant["car.w"] - plant["engine.w"])
    integral += 10 * error * CYCLE
    torque = (rate + 80 / 0.2) / (1 / 0.2 + 1 / 1.42) + 3 * error + integral
    stuck = plant.modes["clutch"] == "Stuck" and plant.time > 0.1
    filled = min(plant.time / 0.15, 1.0)
    force = 1.0 if stuck else filled * min(max(torque / (6000 * 0.15 * 0.3), 0.0), 1.0)
    plant.inputs["clutch.f_normalized"] = force
    plant.step(10)
    pressed += [force] * 10

# repeated from the recorded commands, bit for bit, and once with an open-loop ramp
plant.reset()
controlled = plant.run(inputs={"clutch.f_normalized": pressed})
plant.reset()
ramp = plant.run(inputs={"clutch.f_normalized": [min(t / 2000, 1.0) for t in range(2000)]})
both = {"controlled": controlled, "ramp": ramp}
for name, result in both.items():
    stuck = result.events.of("clutch", to="Stuck").time[-1]
    after = result["shaft.tau"][result.time > stuck]
    print(f"{name}: sticks at {stuck:.3f} s, then the shaft torque oscillates by {after.max() - after.min():.1f} N.m")
    print(f"{name}: {result.energy.dissipated['clutch']:.0f} J of clutch heat")
sb.overlay(both, "engine.w", "car.w", "clutch.f_normalized", "shaft.tau", path="clutch-control.png", title="car launch")
