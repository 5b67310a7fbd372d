import stribeck as sb

# three clutches in a row close one after the other; each sticks and breaks away when the others let it
model = sb.load_model("coupled-clutches")
result = sb.simulate(model)
for event in result.events.of("clutch1"):
    print(f"{event.time:.6f} s  clutch1 from {event.from_} to {event.to}")
for name in ("clutch1", "clutch2", "clutch3"):
    print(f"{name}: {result.energy.dissipated[name]:.3f} J of heat")
print("the ledger closes to", result.energy.residual, "J")
result.plot("J1.w", "J2.w", "J3.w", "J4.w", "clutch1.tau", "clutch2.tau", "clutch3.tau", path="coupled-clutches.png")
