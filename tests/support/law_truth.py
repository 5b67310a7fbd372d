"""Which law? Records of machines whose law is known, with two levels of noise and two kinds of excitation.

    python tests/support/law_truth.py [--trials 10] [--store laws.jsonl] [--page docs/fits.md] [CASE ...]

runs cases such as LuGre-swings-low, continues where the store ends, and prints the confusion matrix."""

import argparse
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.rigs import TIES, machine
from support.trials import Found, stored, write_table

import stribeck as sb
from stribeck.identify import LawChoice, Measurement, which_law
from stribeck.identify.fits.simulation import Rig

LAWS = ("Coulomb", "Stribeck", "Dahl", "LuGre")
KINDS = ("swings", "ramps")
NOISE = {"low": 2e-5, "high": 2e-4}
"""Standard deviation of the position (m); bodies move by some 0.5 m, bristles by 1 to 2 mm."""
SAMPLE, COUNT = 6e-3, 601
CASES = tuple("-".join(parts) for parts in product(LAWS, KINDS, NOISE))
UNDECIDED = "undecided"


def truth(law: str, random: np.random.Generator) -> sb.Law:
    """The law, with every parameter drawn within 20 % of a usual value."""
    usual = {
        "Coulomb": {"mu_c": 0.8},
        "Stribeck": {"mu_c": 0.8, "mu_s": 1.2, "v_s": 0.06, "mu_v": 0.3},
        "Dahl": {"sigma0": 600.0, "mu_c": 0.8},
        "LuGre": {"sigma0": 600.0, "sigma1": 15.0, "sigma2": 0.3, "mu_c": 0.8, "mu_s": 1.2, "v_s": 0.06},
    }
    return getattr(sb, law)(**{name: value * random.uniform(0.8, 1.2) for name, value in usual[law].items()})


def force(kind: str, random: np.random.Generator) -> np.ndarray:
    """Swings of several frequencies, or ramps to both sides with rests in between (N)."""
    t = SAMPLE * np.arange(COUNT)
    if kind == "swings":
        phases = random.uniform(0, 2 * np.pi, 3)
        sines = zip((1.6, 1.0, 0.35), (1.1, 0.45, 3.1), phases, strict=True)
        return sum(size * np.sin(2 * np.pi * f * t + phase) for size, f, phase in sines)
    turns = np.cumsum(random.uniform(0.15, 0.45, 14))
    levels = random.uniform(1.3, 2.0, 14) * np.where(np.arange(14) % 4 < 2, 1, -1) * np.where(np.arange(14) % 2, 1, 0.3)
    return np.interp(t, [0.0, *turns], [0.0, *levels])


def record(case: str, seed: int) -> Measurement:
    """The record of a trial."""
    law, kind, noise = case.split("-")
    random = np.random.default_rng([CASES.index(case), seed])
    model, drive = machine(truth(law, random)), force(kind, random)
    blank = Measurement({"f": drive, "s": drive}, sample_time=SAMPLE)
    s = Rig(model, blank, **TIES, initial={}, hold=False).simulate({})[0]
    s = s + NOISE[noise] * random.normal(size=s.size)
    return Measurement({"f": drive, "s": s}, sample_time=SAMPLE, units={"f": "N", "s": "m"})


def choice(case: str, seed: int, laws: tuple[str, ...] = LAWS) -> LawChoice:
    """The contest of a trial, from a model with other friction and another mass."""
    model = machine(sb.Coulomb(mu_c=0.6), m=1.2)
    return which_law(model, record(case, seed), laws, also=["load.m"], hold=False, **TIES)


def answer(found: LawChoice) -> str:
    """The law that a contest recommends, if it is sure."""
    return found.simplest if found.decided else UNDECIDED


def trial(case: str, seed: int) -> str:
    """The answer of a trial."""
    return answer(choice(case, seed))


def table(found: Found) -> str:
    """The confusion matrix, a row for each law and noise, and the share of confident wrong answers."""
    answers = (*LAWS, UNDECIDED)
    lines = [f"| truth, excitation, noise | trials | {' | '.join(answers)} |", "|---" * (len(answers) + 2) + "|"]
    wrong = total = 0
    for case in CASES:
        counts = Counter(given for (at, _), given in found.items() if at == case)
        trials = counts.total()
        wrong += trials - counts[case.split("-")[0]] - counts[UNDECIDED]
        total += trials
        cells = [str(counts[name]) if counts[name] else "" for name in answers]
        lines.append(f"| {', '.join(case.split('-'))} | {trials} | {' | '.join(cells)} |")
    share = wrong / max(total, 1)
    return "\n".join([*lines, "", f"{wrong} of {total} answers are confident and wrong ({share:.1%})."])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", default=CASES, metavar="CASE")
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--store", type=Path, default=Path("laws.jsonl"))
    parser.add_argument("--page", type=Path, help="page of the documents whose table is written")
    given = parser.parse_args()
    text = table(stored(trial, given.cases, range(given.trials), given.store))
    print(text)
    if given.page:
        write_table(given.page, "laws", text)


if __name__ == "__main__":
    main()
