import stribeck as sb

# a PID controller positions a slide; where static friction exceeds Coulomb friction it hunts without end
model = sb.Model("limit-cycle", t_end="120 s", intervals=12000)
slide = model.add("slide", sb.Mass(m="1 kg"))
law = sb.LuGre(sigma0=1e5, sigma1=300, f_c="1 N", f_s="1.5 N", f_v="0.4 N.s/m")
model.add("guide", sb.Guide(slide, law=law))
control = sb.PID(sb.Step("1 m"), slide.sensor("s"), Kp=3, Ki=4, Kd=6, T_f="10 ms")
model.add("motor", sb.Force(slide, f=control))

comparison = sb.analysis.compare(model, ["Stribeck", "LuGre", "Tanh", "Coulomb"])
for row in comparison.rows:
    does = f"hunts with a period of {row['period']:.3f} s" if row["period"] else "comes to rest, or nearly so"
    print(f"{row['law']:8} {does}")

with sb.picture("a PID controller against friction", "limit-cycle.png", width=9, height=4.2) as figure:
    left, right = figure.subplots(1, 2, width_ratios=[1.3, 1])
    for name, result in comparison.results.items():
        error, late = 1e3 * (result["slide.s"] - 1), result.time > 60
        left.plot(result.time, error, label=name)
        right.plot(error[late], 1e3 * result["slide.v"][late], label=name)
    left.set(xlabel="time / s", ylabel="error of position / mm", xlim=(0, 120), ylim=(-250, 550))
    left.legend(loc="upper right", ncols=2)
    right.set_title("from 60 s on", fontsize=9, loc="left")
    right.set(xlabel="error of position / mm", ylabel="velocity / (mm/s)")
