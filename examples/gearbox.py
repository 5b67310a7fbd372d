import stribeck as sb

# a planetary set shifts under load: the brake of first gear opens while the clutch of second gear closes
gears = sb.Model("gearbox", t_end="5 s", intervals=2000)
engine, load = gears.add("engine", sb.Inertia(J=1)), gears.add("load", sb.Inertia(J=10))
ring = gears.add("ring", sb.Inertia(J="0.01 kg.m2"))
gears.add("motor", sb.Torque(engine, tau=sb.Step("20 N.m", start="0.5 s")))
gears.add("fan", sb.SpeedTorque(load, tau_nominal="-20 N.m", w_nominal="100 rpm", form="quadratic"))
gears.add("set", sb.Planetary(engine, load, ring, ratio=1.5))
shift = gears.signal("shift", sb.Ramp(1, start="2 s", duration="100 ms"))
lining = {"law": sb.FrictionTable(w=[0, 50], mu=[0.5, 0.45], peak=1.1), "fn_max": "100 N", "cgeo": 2}
gears.add("clutch", sb.Clutch(engine, ring, f_normalized=shift, **lining))
gears.add("brake", sb.Brake(ring, f_normalized=1 - shift, **lining))

shifted = sb.simulate(gears)
print(shifted.events)
print("heat of the clutch", shifted.energy.dissipated["clutch"], "J")
print(gears.linearize(at="5 s", inputs=["motor"]))
shifted.plot("engine.w", "load.w", "ring.w", "clutch.tau", "brake.tau", path="gearbox.png")
