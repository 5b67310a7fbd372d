import stribeck as sb

# a truck launches uphill every 20 s: the hot lining fades, so each launch takes longer and makes more heat
model = sb.Model("clutch-heat", t_end="600 s", intervals=6000)
engine = model.add("engine", sb.Speed(w="1500 rpm"))
truck = model.add("truck", sb.Inertia(J="1.6 kg.m2"))
model.add("hill", sb.MovingLoad(truck, tau="70 N.m"))
go = model.signal("go", sb.Pulse(height=1, period=20, width=12))
model.add("stop", sb.Brake(truck, law=sb.Coulomb(mu_c=0.4), fn_max="10 kN", cgeo="0.1 m", f_normalized=1 - go))

disc = model.add("disc", sb.ThermalMass(C="0.8 kJ/K", T0="60 degC"))
flywheel = model.add("flywheel", sb.ThermalMass(C="3.5 kJ/K", T0="60 degC"))
model.add("contact", sb.Convection(disc, flywheel, G="60 W/K"))
model.add("air", sb.Convection(flywheel, G="8 W/K", T_ambient="60 degC"))
lining = {"law": sb.Stribeck(mu_c=0.3, mu_s=0.33, w_s=3), "T_fade": ["60 degC", "150 degC", "350 degC"]}
press = {"fn_max": "2.6 kN", "cgeo": "0.2 m", "f_normalized": go}
model.add("clutch", sb.Clutch(engine, truck, **press, **lining, fade=[1, 1, 0.4], heat=disc))
good = model.varied({"clutch.fade": [1, 1, 1]})

runs = {"fades": sb.simulate(model), "lasts": sb.simulate(good)}
with sb.picture("a truck launches uphill every 20 s", "clutch-heat.png", width=9, height=4) as figure:
    hot, slip = figure.subplots(1, 2, width_ratios=[1.8, 1])
    for name, result in runs.items():
        (line,) = hot.plot(result.time, result["disc.T"] - 273.15, label=f"disc, lining {name}")
        hot.plot(result.time, result["flywheel.T"] - 273.15, "--", color=line.get_color(), label="flywheel")
        took = [phase.duration for phase in result.phases("clutch", "Backward")]
        slip.plot(range(1, len(took) + 1), took, "o-", markersize=3)
        top, total = result.extremes["disc.T"]["max"] - 273.15, 1e-6 * result.energy.dissipated["clutch"]
        print(
            f"lining {name}: {took[0]:.2f} s of slip at first, {took[-1]:.2f} s at last, {total:.3f} MJ, {top:.0f} degC"
        )
    hot.set(xlabel="time / s", ylabel="temperature / °C", xlim=(0, 600))
    hot.legend(loc="upper left")
    slip.set(xlabel="launch number", ylabel="time until the clutch sticks / s", ylim=0)
