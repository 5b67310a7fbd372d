"""Break-away on the virtual bench with known truth: laws, encoders and rates, with a break-away that scatters.

    python tests/support/break_away_truth.py [CELL ...] [--trials 400] [--store break_away.jsonl] [--write]

runs cells such as LuGre-4096, continues where the store ends, and prints the table, or writes it to
docs/notes/break-away.md. Its seeds were not used when the method was made."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import stribeck as sb
from stribeck.identify import Measurement, VirtualBench, break_aways
from stribeck.identify.bench.ramps import Ramps

STATIC, COULOMB, VISCOUS, INERTIA = 0.15, 0.11, 0.004, 2e-3
"""Break-away and sliding friction (N.m), viscous friction (N.m.s/rad), inertia (kg.m2)."""
SCATTER = 0.02
"""Standard deviation of break-away from ramp to ramp, relative."""
ENCODERS = (56, 500, 4096, 65536, 1_000_000)
RATES = (1.0, 2.0, 4.0)
"""Rates of the three tests, relative to the slowest, which is 0.03 to 0.08 N.m/s."""


def laws(random: np.random.Generator) -> dict[str, Callable[[], sb.Law]]:
    """Laws with this break-away; speeds and displacements at which friction changes are drawn."""
    speed, length = 10 ** random.uniform(-1.5, 0), 10 ** random.uniform(-3.7, -3)
    curve = {"mu_c": COULOMB, "mu_s": STATIC, "v_s": speed}
    stiff = STATIC / length
    bristles = {"sigma0": stiff, "sigma1": 0.7 * np.sqrt(stiff * INERTIA), "sigma2": VISCOUS}
    return {
        "Coulomb": lambda: sb.Coulomb(mu_c=STATIC),
        "Switch": lambda: sb.Switch(mu_c=COULOMB, mu_s=STATIC, mu_v=VISCOUS),
        "Stribeck": lambda: sb.Stribeck(**curve, mu_v=VISCOUS),
        "Karnopp": lambda: sb.Karnopp(**curve, mu_v=VISCOUS, dv=1e-4 * speed),
        "Tanh": lambda: sb.Tanh(mu_c=STATIC, v_0=1e-3, mu_v=VISCOUS),
        "Dahl": lambda: sb.Dahl(sigma0=stiff, mu_c=STATIC),
        "LuGre": lambda: sb.LuGre(**curve, **bristles),
        "ElastoPlastic": lambda: sb.ElastoPlastic(**curve, **bristles, z_ba=0.7 * COULOMB / stiff),
        "GMS": lambda: sb.GMS(**curve, **bristles, n=6),
        "MaxwellSlip": lambda: sb.MaxwellSlip(mu_c=STATIC, n=6, **bristles),
        "Leuven": lambda: sb.Leuven(**curve, **bristles),
        "BoucWen": lambda: sb.BoucWen(sigma0=stiff, mu_c=STATIC, mu_v=VISCOUS),
    }


def machine(law: sb.Law) -> sb.Model:
    model = sb.Model("rotor")
    rotor = model.add("rotor", sb.Inertia(J=INERTIA))
    model.add("motor", sb.Torque(rotor, tau=sb.External(0)))
    model.add("joint", sb.Bearing(rotor, law=law, load=sb.External(1.0)))
    return model


def ramped(law: sb.Law, encoder: int, rate: float, random: np.random.Generator, passes: int = 6) -> Measurement:
    """A break-away test; the load of the joint, 1 on average, is drawn before each ramp."""
    step = 2 * np.pi / encoder
    bench = VirtualBench(machine(law), "motor.tau", "rotor.phi", encoder=encoder, limit=2.0, substeps=4)
    stride = max(0.05, 8 * step)
    drive = Ramps(0.0, passes * stride, rate, 2 * step, stride=stride).started(bench.sample_time, 2.0)
    resting = True

    def control(k: int, q: float) -> float | None:
        nonlocal resting
        torque = drive(k, q)
        rests = torque == 0.0
        if torque is not None and resting and not rests:
            bench.plant.inputs["joint.load"] = 1 + SCATTER * random.standard_normal()
        resting = rests
        return torque

    return bench.run(control, 400_000, f"{rate:.3g} N.m/s")


def trial(cell: str, seed: int) -> list[tuple[float, float, bool]]:
    """Error and standard error of break-away in both directions, relative to the truth, and whether the interval of
    95 % holds it."""
    name, _, encoder = cell.rpartition("-")
    random = np.random.default_rng([seed, int(encoder)])
    law, slow = laws(random)[name], random.uniform(0.03, 0.08)
    found = break_aways([ramped(law(), int(encoder), factor * slow, random) for factor in RATES])
    rows = []
    for way in (1, -1):
        curve = found.curve(way, 0)
        (mean, error), (low, high) = curve.mean(), curve.estimate.interval(0.95)["b0"]
        rows.append((mean / STATIC - 1, error / STATIC, bool(low <= STATIC <= high)))
    return rows


CELLS = [f"{name}-{encoder}" for name in laws(np.random.default_rng(0)) for encoder in ENCODERS]
FIRST = 6000
"""The first seed of the campaign; seeds below were used to make the method."""
PAGE = Path(__file__).parents[2] / "docs" / "notes" / "break-away.md"
HEAD = """# Break-away on the virtual bench

Written by `python tests/support/break_away_truth.py --write`. A rotor of 2e-3 kg.m2 with 12 friction laws, encoders
from 56 to 1e6 counts, ramps of three rates from 0.03 to 0.32 N.m/s in both directions; break-away, 0.15 N.m, scatters
by 2 % from ramp to ramp. Bias, scatter and standard error are relative to it. The last column has the share of
intervals of 95 % that hold the truth; a trial has two of them. Seeds were not used when the method was made
([decision 65](../decisions/0065-creep-over-displacement.md)).

"""


def row(cell: str, rows: list[tuple[float, float, bool]]) -> str:
    off, error, held = np.array(rows, float).T
    return (
        f"| {cell} | {len(rows) // 2} | {off.mean():+.2%} | {off.std():.2%} | {error.mean():.2%} | {held.mean():.1%} |"
    )


def table(found: dict[tuple[str, int], list[tuple[float, float, bool]]]) -> str:
    """A row for each cell with trials, and what they have in common."""
    cells = {cell: [pair for (at, _), rows in found.items() if at == cell for pair in rows] for cell in CELLS}
    cells = {cell: rows for cell, rows in cells.items() if rows}
    lines = ["| law-encoder | trials | bias | scatter | standard error | hold the truth |", "|---|---|---|---|---|---|"]
    lines += [row(cell, rows) for cell, rows in cells.items()]
    bias = np.array([np.mean([off for off, _, _ in rows]) for rows in cells.values()])
    every = [held for rows in cells.values() for _, _, held in rows]
    refused = sum(not rows for rows in found.values())
    lines.append(
        f"\n{len(found)} trials in {len(cells)} cells, {refused} of them refused: {np.mean(every):.1%} of {len(every)} "
        f"intervals hold the truth; the mean bias of a cell is {np.mean(np.abs(bias)):.2%}, and in "
        f"{np.sum(np.abs(bias) < 0.01)} cells it is below 1 %."
    )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("cells", nargs="*", default=CELLS)
    parser.add_argument("--trials", type=int, default=400)
    parser.add_argument("--store", type=Path, default=Path("break_away.jsonl"))
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    done = [json.loads(line) for line in given.store.read_text().splitlines()] if given.store.exists() else []
    found = {(cell, seed): rows for cell, seed, rows in done}
    with given.store.open("a") as store:
        for seed in range(FIRST, FIRST + given.trials):
            for cell in given.cells:
                if (cell, seed) not in found:
                    try:
                        found[cell, seed] = trial(cell, seed)
                    except sb.SpecError:  # refused: it has no interval
                        found[cell, seed] = []
                    store.write(json.dumps([cell, seed, found[cell, seed]]) + "\n")
                    store.flush()
                    print(f"\r{len(found)} trials, {cell}   ", end="", file=sys.stderr, flush=True)
    print(table(found))
    if given.write:
        PAGE.write_text(HEAD + table(found) + "\n")


if __name__ == "__main__":
    main()
