"""Texts with combinations of separators, decimals, names, units, titles, line ends and encodings are read right."""

import random

import numpy as np
import pytest

from stribeck.identify import Measurement

T = np.round(0.01 * np.arange(30), 4)
CHANNELS = {"q": np.round(np.sin(7 * T), 4), "tau": np.round(200 * np.cos(7 * T), 3), "n": np.round(50 * T)}
FORMS = {
    "plain": str,
    "whole": lambda v: str(int(v)) if v == int(v) else str(v),
    "fixed": "{:.4f}".format,
    "aligned": "{:>12.4f}".format,
    "exponents": "{:.6e}".format,
    "Fortran": lambda v: f"{v:.6e}".replace("e", "D"),
    "signs": "{:+.4f}".format,
}
NAMES = ("none", "plain", "quoted", "commented", "brackets", "row", "row with brackets")
ABOVE = ("", "record of 12 March\n", "rig 7, axis 3\n\noperator; A. N. Other\n", "rate|1000\n\n", "# a comment\n")


def text(rng):
    """A random text, the options to read it, and the factor of the angle."""
    separator = rng.choice([";", "\t", "|", ",", " ", ", ", "; "])
    form = FORMS[rng.choice(list(FORMS))]
    comma = separator.strip() != "," and rng.random() < 0.4
    names = rng.choice(NAMES)
    end = rng.choice(["", " ", separator.strip() or ""])
    head = {
        "none": [],
        "plain": [["t", *CHANNELS]],
        "quoted": [['"t"', *(f'"{name}"' for name in CHANNELS)]],
        "commented": [["# t", *CHANNELS]],
        "brackets": [["t[s]", "q[deg]", "tau[N]", "n[1]"]],
        "row": [["t", *CHANNELS], ["s", "deg", "N", "-"]],
        "row with brackets": [["t", *CHANNELS], ["[s]", "[deg]", "[N]", "[-]"]],
    }[names]
    rows = [[form(float(v)) for v in row] for row in zip(T, *CHANNELS.values(), strict=True)]
    rows = [[cell.replace(".", ",") for cell in row] for row in rows] if comma else rows
    above = rng.choice(ABOVE if separator != " " else ABOVE[:1])
    gap = "\n" if rng.random() < 0.2 else ""
    body = gap.join(separator.join(row) + end + "\n" for row in [*head, *rows])
    columns = {"columns": ["t", *CHANNELS]} if names == "none" else {}
    return above + body, columns, np.pi / 180 if names.startswith(("brackets", "row")) else 1.0


@pytest.mark.parametrize("seed", range(12))
def test_a_random_text(seed, tmp_path):
    rng = random.Random(seed)
    for trial in range(25):
        content, options, degree = text(rng)
        content = content.replace("\n", rng.choice(["\n", "\r\n", "\r"]))
        path = tmp_path / f"run{trial}.txt"
        path.write_bytes(content.encode(rng.choice(["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-le"])))
        run = Measurement.read(path, **options)
        assert run.names == list(CHANNELS), content[:300]
        assert run.sample_time == pytest.approx(0.01), content[:300]
        for name, values in CHANNELS.items():
            factor = degree if name == "q" else 1.0
            assert run[name] == pytest.approx(factor * values, abs=1e-9), (name, content[:300])
