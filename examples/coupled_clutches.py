import stribeck as sb

# three clutches in series close one after the other; stick and break-away of each depend on the others
model = sb.load_model("coupled-clutches")
result = sb.simulate(model)
for name in ("clutch1", "clutch2", "clutch3"):
    times = result.events.of(name, to="Stuck").time
    print(f"{name} sticks at {times} s, {result.energy.dissipated[name]:.3f} J of heat")
print(f"the energy balance closes to {result.energy.residual:.0e} J")
result.plot("J1.w", "J2.w", "J3.w", "J4.w", "clutch1.tau", "clutch2.tau", "clutch3.tau", path="coupled-clutches.png")
