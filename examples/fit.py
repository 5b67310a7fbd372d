import numpy as np

import stribeck as sb

# six parameters of a carriage from 3 s of a coarse position sensor, validated on a second record
truth = {"sigma0": 300, "sigma1": 5, "sigma2": 0.3, "mu_c": 0.8, "mu_s": 1.1, "v_s": 0.05}
guess = {"sigma0": 200, "sigma1": 5, "sigma2": 0.5, "mu_c": 0.6, "mu_s": 1.3, "v_s": 0.10}


def carriage(m: float, law: dict[str, float]) -> sb.Model:
    model = sb.Model("carriage")
    load = model.add("load", sb.Mass(m=m))
    model.add("rail", sb.Guide(load, law=sb.LuGre(**law)))
    model.add("motor", sb.Force(load, f=sb.External(0)))
    return model


def record(phase: float, seed: int) -> sb.identify.Measurement:
    """What the sensor sees: steps of 0.1 mm, noise of half a step, every 2 ms; u are the forces, q the positions."""
    t = np.arange(0, 3, 2e-3)
    force = 2.2 * np.sin(2 * np.pi * 0.9 * t) + 0.9 * np.sin(2 * np.pi * 0.37 * t + phase)
    rig = carriage(1.0, truth)
    bench = sb.identify.VirtualBench(
        rig, "motor.f", "load.s", resolution="0.1 mm", noise="0.05 mm", sample_time="2 ms", substeps=50, seed=seed
    )
    return bench.record(force)


free = [f"rail.law.{name}" for name in ("sigma0", "sigma2", "mu_c", "mu_s", "v_s")] + ["load.m"]
ties = {"inputs": {"motor.f": "u"}, "outputs": {"load.s": "q"}}
start = carriage(1.3, guess)
result = sb.identify.fit(start, record(3.0, seed=1), free, **ties)
print(result)

other = record(5.0, seed=2)
fitted = result.simulate(other)["load.s"]
print("held out:", fitted)

force = sb.Table(time=(other.time - other.time[0]).tolist(), value=np.asarray(other["u"]).tolist(), between="hold")
before = sb.simulate(start.varied({"motor.f": force}), times=other.time - other.time[0])["load.s"]

with sb.picture("validation record", "fit.png") as figure:
    course, error = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    course.plot(other.time, 1e3 * fitted.measured, label="measured", lw=4, alpha=0.4)
    course.plot(other.time, 1e3 * before, label="model before the fit", ls="--")
    course.plot(other.time, 1e3 * fitted.simulated, label="model after the fit", lw=1)
    course.set_ylabel("position in mm")
    course.legend()
    error.plot(other.time, 1e3 * fitted.residual, lw=0.6, label="model - measured")
    error.axhspan(-0.1, 0.1, alpha=0.2, label="one step of the sensor")
    error.set(xlabel="time in s", ylabel="error in mm", ylim=(-0.3, 0.5))
    error.legend(ncols=2, loc="upper left")
