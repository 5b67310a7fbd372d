import stribeck as sb

# three clutches in a row close one after the other; each sticks and breaks away when the others let it
model = sb.load_model("coupled-clutches")
result = sb.simulate(model)
for name in ("clutch1", "clutch2", "clutch3"):
    stuck = [event.time for event in result.events.of(name) if event.to == "Stuck"]
    times = " and ".join(f"{time:.6f} s" for time in stuck)
    print(f"{name} sticks from {times} on, {result.energy.dissipated[name]:.3f} J of heat")
print(f"the ledger of energy closes to {result.energy.residual:.0e} J")
result.plot("J1.w", "J2.w", "J3.w", "J4.w", "clutch1.tau", "clutch2.tau", "clutch3.tau", path="coupled-clutches.png")
