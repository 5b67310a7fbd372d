import numpy as np

import stribeck as sb

# car launch with stiff clutch bristles: fixed-step methods compared with the adaptive run
bristles = sb.LuGre(sigma0=50, sigma1=0.3, mu_c=0.25, mu_s=0.3, w_s=2)
model = sb.load_model("powertrain-3").varied({"clutch.law": bristles})
exact = sb.simulate(model, tolerance=1e-10, intervals=80000)


def run(h, method="resolvent"):
    """The run in steps of h (s), or as far as it came before it exploded."""
    try:
        return model.realtime(h=h, method=method).run(t_end="4 s")
    except sb.SimulationError as error:
        return error.result


def error(result):
    """Root mean square of the error of the gearbox speed (rad/s), nan if the run exploded."""
    off = result["gearbox.w"] - exact.at(result.time, "gearbox.w")
    return np.sqrt(np.mean(off**2)) if result.time[-1] > 3.9 else np.nan


steps = np.array([0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10])  # ms
with sb.picture("a clutch with stiff bristles at fixed steps", "realtime-step.png", width=9, height=4.4) as figure:
    left, right = figure.subplots(1, 2, width_ratios=[1.25, 1])
    left.plot(exact.time, exact["clutch.tau"], color="#bbbbbb", linewidth=4, label="adaptive")
    for method, h in (("resolvent", 0.001), ("resolvent", 0.01), ("ode4", 0.0005)):
        result = run(h, method)
        left.plot(result.time, result["clutch.tau"], label=f"{method}, {1e3 * h:g} ms", linewidth=1.1)
    left.set(xlabel="time / s", ylabel="clutch torque / N·m", xlim=(0, 2), ylim=(-190, 60))
    left.legend(loc="upper left", ncols=2)
    for method in ("resolvent", "semi-implicit", "ode1", "ode4"):
        errors = np.array([error(run(1e-3 * h, method)) for h in steps])
        right.loglog(steps, errors, "o-", markersize=3.5, label=method)
        largest = steps[np.isfinite(errors)][-1]
        print(f"{method:13} is stable up to {largest:4g} ms; at 0.1 ms the speed is off by {errors[1]:.1e} rad/s")
    right.set(xlabel="step / ms", ylabel="error of the gearbox speed / (rad/s)")
    right.legend(loc="lower right")
