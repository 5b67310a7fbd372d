import numpy as np

import stribeck as sb

# clutch friction falls with slip: the steeper it falls, the faster the shaft vibration grows, as eigenvalues predict
program = sb.load_model("clutch-judder").compile()


def fall(slope):
    """The friction coefficient falls by `slope` for each rad/s."""
    return program.varied({"clutch.law.mu": [0.3, 0.3 - 150 * slope, 0.3 - 150 * slope]})


def swing(slope):
    """The eigenvalue of the swinging shaft, once the clutch is pressed."""
    return max(sb.analysis.linearize(fall(slope), at="0.4 s").modes(), key=lambda mode: mode.frequency).eigenvalue


shown, scan = [0, 0.0004, 0.0008, 0.0012], np.linspace(0, 0.0015, 31)
growth = [swing(slope).real for slope in scan]

with sb.picture("clutch judder", "judder.png", width=9, height=5.6) as figure:
    left, right = figure.subfigures(1, 2, width_ratios=[1.5, 1])
    for axes, slope in zip(left.subplots(4, 1, sharex=True), shown, strict=True):
        result, value = sb.simulate(fall(slope)), swing(slope)
        time, speed = result.time, result["shaft.w_rel"]
        start = 0.35 + np.argmax(np.abs(speed[350:500])) * 1e-3
        envelope = np.abs(result.at(start, "shaft.w_rel")) * np.exp(value.real * (time - start))
        envelope[time < 0.3] = np.nan
        axes.plot(time, speed)
        axes.plot(time, envelope, "--", time, -envelope, "--", color="#D55E00", linewidth=0.9)
        axes.set_title(f"friction falls by {1e3 * slope:g}: {value:.2f} 1/s", fontsize=8, loc="left")
        axes.set(xlim=(0, 2), ylim=(-110, 110))
        print(f"falls by {slope:.4f} s/rad: {value:.2f} 1/s, vibration {np.ptp(speed[time < 1.5]):.0f} rad/s")
    left.supylabel("twist rate of the shaft / (rad/s)", fontsize=9)
    axes.set(xlabel="time / s")
    axes = right.subplots()
    axes.plot(1e3 * scan, growth)
    axes.plot([1e3 * slope for slope in shown], [swing(slope).real for slope in shown], "o", color="#D55E00")
    axes.axhspan(0, 9, color="#fbe9dd", zorder=0.5)
    axes.text(0.03, 0.97, "grows", transform=axes.transAxes, va="top")
    axes.text(0.97, 0.03, "decays", transform=axes.transAxes, ha="right")
    axes.set(xlabel="fall of friction / (0.001 s/rad)", ylabel="real part of the eigenvalue / (1/s)", ylim=(-3, 9))
