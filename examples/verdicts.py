import stribeck as sb

# the launch of a car whose clutch has smoothed friction, at a fixed step: which method bears which transition
model = sb.load_model("powertrain-3").varied({"clutch.law": sb.Tanh(mu_c=0.25, v_0="4.7 rad/s")})

report = model.check_realtime("1 ms", methods=["resolvent", "ode2", "ode3", "ode4"])
print(report)
report.plot("verdicts.png")
