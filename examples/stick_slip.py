import stribeck as sb

# a mass on a spring whose far end is pulled steadily, with friction against the ground
model = sb.Model("stick-slip", t_end="25 s", intervals=2500)
pull = model.add("pull", sb.Speed(w="0.1 rad/s"))
mass = model.add("mass", sb.Inertia(J="1 kg.m2"))
model.add("spring", sb.Spring(pull, mass, c="2 N.m/rad"))
law = sb.LuGre(tau_c="1 N.m", tau_s="1.5 N.m", tau_v="0.4 N.m.s/rad")
model.add("friction", sb.Bearing(mass, law=law))

result = sb.simulate(model)
print("slips at", result.crossings("mass.w", 0.1, direction=+1), "s")
print("break-away torque", result.extremes["friction.tau"]["max"], "N.m")
print(result.energy)
result.plot("mass.w", "friction.tau", path="stick-slip.png")
