import numpy as np

import stribeck as sb

# presliding of an actuator: a GMS law with ten elements, fitted to nested loops from an encoder with steps of 0.2 um
TRUTH = {"sigma0": 8e5, "mu_c": 12.0, "mu_s": 12.0}
GUESS = {"sigma0": 4e5, "mu_c": 18.0, "mu_s": 18.0}


def actuator(law: sb.Law) -> sb.Model:
    model = sb.Model("actuator")
    slide = model.add("slide", sb.Mass(m=2.0))
    model.add("motor", sb.Force(slide, f=sb.External(0)))
    model.add("guide", sb.Guide(slide, law=law))
    return model


t = 1e-3 * np.arange(4000)
push = 10 * np.sin(2 * np.pi * t) * np.cos(2 * np.pi * t / 4)  # loops within loops, below break-away
damping = {"sigma1": 2e3, "sigma2": 5.0}
bench = sb.identify.VirtualBench(
    actuator(sb.GMS(**TRUTH, **damping)), "motor.f", "slide.s", resolution="0.2 um", sample_time="1 ms", substeps=4
)
record = bench.record(push)

free = ["guide.law.sigma0", "guide.law.mu_c"]
ties = {"inputs": {"motor.f": "u"}, "outputs": {"slide.s": "q"}}
fits, models = {}, {"GMS": sb.GMS(**GUESS, **damping), "LuGre": sb.LuGre(**GUESS, **damping)}
for name, law in models.items():
    fits[name] = sb.identify.fit(actuator(law), record, free, **ties)
    predicted = fits[name].simulate(record)["slide.s"]
    rms, limit = 1e6 * np.sqrt(np.mean(predicted.residual**2)), fits[name].best["guide.law.mu_c"]
    print(f"{name}: rms error {rms:.3f} um; Coulomb friction {limit:.1f} N, in truth {TRUTH['mu_c']} N")
print(fits["GMS"])

with sb.picture("nested loops of an actuator", "gms-actuator.png", width=9, height=4.2) as figure:
    for axes, (name, found) in zip(figure.subplots(1, 2, sharey=True), fits.items(), strict=True):
        axes.plot(1e6 * record["q"], push, ".", color="#bbbbbb", markersize=2, label="measured")
        axes.plot(1e6 * found.simulate(record)["slide.s"].simulated, push, label=f"{name}, fitted")
        axes.set(xlabel="displacement / um", ylabel="force / N")
        axes.legend(loc="upper left")
