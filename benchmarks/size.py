"""Cost over size: chains of inertias with a clutch between each pair, from 5 to 320 inertias.

    python benchmarks/size.py [--json FILE] [--figure FILE]

Time per step of a chain that slips everywhere, sticks everywhere, does both in turn, or has bristles (LuGre) in all its
clutches, and of one whose clutches come to stick one by one, an event in every step; the same at a fixed step of 1 ms,
where chains of more than 24 clutches are solved by the sparse matrix; time to compile. The exponent is that of n fitted
over the longer half of the chains, where the fixed cost of a step does not flatter it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import stribeck as sb

SIZES = (5, 10, 20, 40, 80, 160, 320)
STEPS = 200
ROUNDS = 5
LIMIT = 1.15
"""What the exponent of the time per step shall not exceed."""

PLATES = sb.Switch(mu_c=0.5, mu_s=0.6, mu_v=0.01)
BRISTLES = sb.LuGre(sigma0=1e3, sigma1=10.0, sigma2=0.01, mu_c=0.5, mu_s=0.6, v_s=0.5)
TORQUE = sb.Sine(amplitude=4.0, f=1.0)


def chain(n: int, law: Any, speed: Callable[[int], float], fn_max: Callable[[int], float] = lambda i: 20.0) -> sb.Model:
    """n inertias that start with the speeds given; a torque swings the first one."""
    m = sb.Model("chain")
    for i in range(n):
        m.add(f"J{i}", sb.Inertia(J=1.0, w0=speed(i)))
    for i in range(n - 1):
        m.add(f"K{i}", sb.Clutch(f"J{i}", f"J{i + 1}", law=law, fn_max=fn_max(i)))
    m.add("drive", sb.Torque("J0", tau=TORQUE))
    return m


CASES: dict[str, Callable[[int], sb.Model]] = {
    "all slipping": lambda n: chain(n, PLATES, lambda i: -100.0 * i),
    "all stuck": lambda n: chain(n, PLATES, lambda i: 0.0),
    "slipping and stuck in turn": lambda n: chain(n, PLATES, lambda i: -100.0 * (i // 2)),
    "all LuGre": lambda n: chain(n, BRISTLES, lambda i: -10.0 * i),
}


def engaging(n: int) -> sb.Model:
    """Pairs that come to stick one after the other, about 10 ms apart, while all pairs slip against each other."""
    return chain(
        n, PLATES, lambda i: -100.0 * (i // 2) - 0.07 * (i % 2) * (i // 2 + 1), lambda i: 1.0 if i % 2 else 10.0
    )


def seconds_of(task: Callable[[], object]) -> float:
    """Shortest processor time of some calls: the others were disturbed."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    return min(times)


def per_step(model: sb.Model) -> float:
    """Seconds per step, from two runs of different length, so that the start does not count."""
    program = sb.compile_model(model)

    def run(steps: int) -> int:
        end = 1e-3 * steps
        return sb.simulate(program, t_end=end, intervals=1, max_step=1e-3, first_step=1e-3).statistics.steps

    few, many = run(STEPS), run(3 * STEPS)
    return (seconds_of(lambda: run(3 * STEPS)) - seconds_of(lambda: run(STEPS))) / (many - few)


def per_fixed_step(model: sb.Model) -> float:
    """Seconds per step of 1 ms, with all that coming to rest takes."""
    stepper = model.realtime(h=1e-3, energy=False)

    def run() -> None:
        stepper.reset()
        stepper.step(STEPS)

    return seconds_of(run) / STEPS


def per_event(n: int) -> float:
    """Seconds per event, with the steps between them."""
    program = sb.compile_model(engaging(n))
    events = sb.simulate(program, t_end=1e-2 * n, intervals=1).statistics.state_events
    return seconds_of(lambda: sb.simulate(program, t_end=1e-2 * n, intervals=1)) / events


def compile_seconds(n: int) -> float:
    """Seconds from a model to the arrays of the kernel."""
    model = CASES["all slipping"](n)
    return seconds_of(lambda: sb.compile_model(model).kernel)


def exponent(seconds: list[float]) -> float:
    """Of n, over the longer half of the chains."""
    half = len(SIZES) // 2
    return float(np.polyfit(np.log(SIZES[half:]), np.log(seconds[half:]), 1)[0])


def draw(figures: dict[str, list[float]], file: Path) -> None:
    """All of it over the number of inertias, on double logarithmic axes."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(10, 5), layout="constrained")
    n = np.array(SIZES)
    for name, seconds in figures.items():
        style = "k--" if name == "compile" else "s:" if name.startswith("fixed") else "o-"
        scale, label = (1e3, "compile / 1000") if name == "compile" else (1e6, name)
        axes.loglog(n, scale * np.array(seconds), style, label=f"{label}: n^{exponent(seconds):.2f}", markersize=4)
    first = 1e6 * min(seconds[0] for name, seconds in figures.items() if name != "compile")
    axes.loglog(n, 0.5 * first * (n / n[0]) ** LIMIT, color="0.7", linewidth=6, zorder=0, label=f"slope of n^{LIMIT}")
    axes.set_xlabel("inertias n")
    axes.set_ylabel("time per step [µs]")
    axes.set_xticks(n, labels=[str(x) for x in SIZES])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes.set_title("Chains of inertias and clutches: cost over size")
    figure.savefig(file, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    parser.add_argument(
        "--figure", type=Path, metavar="FILE", help="draw them", default=Path(__file__).with_suffix(".png")
    )
    chosen = parser.parse_args()
    figures = {name: [per_step(build(n)) for n in SIZES] for name, build in CASES.items()}
    figures |= {f"fixed, {name}": [per_fixed_step(build(n)) for n in SIZES] for name, build in CASES.items()}
    figures["an event and the steps to it"] = [per_event(n) for n in SIZES]
    figures["compile"] = [compile_seconds(n) for n in SIZES]
    print(f"{'microseconds per step, n =':<34}" + "".join(f"{n:>10}" for n in SIZES) + f"{'exponent':>10}")
    for name, seconds in figures.items():
        print(f"{name:<34}" + "".join(f"{1e6 * s:10.1f}" for s in seconds) + f"{exponent(seconds):10.2f}")
    if chosen.json:
        chosen.json.write_text(json.dumps({"sizes": SIZES, "seconds": figures}, indent=2) + "\n")
    draw(figures, chosen.figure)


if __name__ == "__main__":
    main()
