import stribeck as sb

# a motor drives a wheel, a disc brake stops it repeatedly; the lining fades as the disc heats up
model = sb.Model("hot-brake", t_end="120 s", intervals=2400)
wheel = model.add("wheel", sb.Inertia(J="30 kg.m2", w0="100 rad/s"))
disc = model.add("disc", sb.ThermalMass(C="5 kJ/K", T0="20 degC"))
pedal = sb.Pulse(height=1, period=12, width=4)
lining = {"T_fade": ["20 degC", "200 degC", "400 degC"], "fade": [1, 0.9, 0.5]}
law = sb.Stribeck(mu_c=0.4, mu_s=0.45, v_s=2)
model.add("brake", sb.Brake(wheel, law=law, fn_max="10 kN", cgeo="0.26 m", f_normalized=pedal, heat=disc, **lining))
model.add("air", sb.Convection(disc, G=4 + 0.2 * abs(wheel.sensor("w"))))
model.add("motor", sb.Torque(wheel, tau=sb.Where(pedal > 0.5, 0, 400)))

result = sb.simulate(model)
stops = result.phases("brake", "Forward")
print(f"the first stop takes {stops[0].duration:.2f} s, the eighth {stops[7].duration:.2f} s")
print(f"hottest {result.extremes['disc.T']['max'] - 273.15:.0f} degC")
print(f"brake heat {1e-6 * result.energy.dissipated['brake']:.3f} MJ")
result.plot("wheel.w", "brake.tau", "disc.T", path="hot-brake.png")
