import stribeck as sb

# car launch with smoothed clutch friction at a fixed step: which method works with which transition
model = sb.load_model("powertrain-3").varied({"clutch.law": sb.Tanh(mu_c=0.25, v_0="4.7 rad/s")})

report = model.check_realtime("1 ms", methods=["resolvent", "ode2", "ode3", "ode4"])
print(report)
report.plot("verdicts.png")
