"""Section 1: the seven properties of friction, and which model has which."""

from __future__ import annotations

from functools import cache

import numpy as np

import stribeck as sb
from stribeck.reports import DataTable

from ..paper import Finding, titled_table
from ..rules import SAME
from ..scorecard import Claim, bracketed, judged, share, statement
from ._cycles import apart, per_cycle
from ._paper import PAPER
from .friction import STIFF, VISCOUS, Z_MAX, drift, hybrid, ideal, loaded, soft_gms, soft_leuven, soft_lugre, stick_slip

PAPERS_WORDS = {
    "Tanh": "static model, smoothed",
    "Karnopp": "Karnopp",
    "BlimanSorine": "Bliman and Sorine",
    "LuGre": "LuGre",
    "ElastoPlastic": "elasto-plastic (Armstrong)",
    "Leuven2000": "Leuven (2000)",
    "Leuven": "Leuven (2002)",
    "Hybrid": "hybrid",
    "HybridPresliding": "hybrid with presliding",
}
"""The laws of this library that the paper mentions, in its words."""

OTHERS = {
    "KatoStribeck": "Kato (1972)",
    "SevenParameter": "seven parameters (Armstrong 1994)",
    "ResetIntegrator": "reset integrator (1991)",
    "Bristle": "bristles (1991)",
    "MaxwellSlip": "Maxwell slip",
    "GMS": "generalised Maxwell slip (2005)",
}
"""Laws that it does not mention, most of them older."""

PROPERTIES = (
    "stiction",
    "rising static friction",
    "frictional memory",
    "presliding",
    "Stribeck effect",
    "viscous friction",
    "nonlocal memory",
)
"""The seven properties of friction, as the paper lists them."""


@cache
def probed(law: str) -> dict[str, sb.analysis.PropertyVerdict]:
    """What experiments on the bench say about a law with its default parameters."""
    return sb.analysis.friction_properties(sb.laws.get(law)())


@cache
def rises(law: str) -> bool:
    """Whether break-away rises with the time at rest."""
    name = "rising static friction"
    if law in PAPERS_WORDS:
        return name in having(law)
    return bool(sb.analysis.friction_properties(sb.laws.get(law)(), name)[name].has)


def having(law: str) -> set[str]:
    """The properties that a law has."""
    return {name for name, verdict in probed(law).items() if verdict.has}


@PAPER.item(
    "Section 1",
    "Seven properties of friction, and which model has which",
    shows=(
        "Friction has seven properties: stiction, rising static friction, frictional memory, presliding, the Stribeck "
        "effect, viscous friction, hysteresis with nonlocal memory. The text says which known model has which, and "
        "how many parameters it takes to stick without drift."
    ),
    equations=("(1)", "(2)", "(3)"),
)
def section_1(quick: bool) -> Finding:
    """Every law on the bench, every property by its experiment."""
    lacking = sorted(set(PROPERTIES) - having("LuGre"))
    others = {law: words for law, words in OTHERS.items() if law == "GMS" or not quick}
    complete = [words for law, words in (PAPERS_WORDS | others).items() if having(law) == set(PROPERTIES)]
    return Finding(
        text=(
            "Each law was put on a test bench, with its default parameters, and underwent one experiment for each "
            f"property. {', '.join(complete) or 'None'} of the {len(PAPERS_WORDS) + len(others)} laws has all seven. "
            f"LuGre lacks {', '.join(lacking)}; both forms of the Leuven model lack "
            f"{' and '.join(sorted(set(PROPERTIES) - having('Leuven')))}. The generalised Maxwell slip model lacks "
            f"{', '.join(sorted(set(PROPERTIES) - having('GMS')))} only."
        ),
        claims=[
            statement(
                "a static model whose jump at v = 0 is smoothed loses stiction",
                "stiction" not in having("Tanh"),
                f"{_words('Tanh', 'stiction')}, under a force below break-away",
                otherwise="refuted",
            ),
            *_karnopp(),
            *_bristle_models(lacking),
            _break_away(),
            statement(
                "the simplest hybrid model does not drift as long as the force stays below f_s",
                "stiction" in having("Hybrid"),
                _words("Hybrid", "stiction"),
                otherwise="refuted",
            ),
            *_parameters(),
            *_leuven(quick),
        ],
        tables=[_table("Found by experiment", PAPERS_WORDS), _table("Others, by the same experiments", others)],
    )


def _table(title: str, laws: dict[str, str]) -> DataTable:
    rows = [[words, *("yes" if name in having(law) else "–" for name in PROPERTIES)] for law, words in laws.items()]
    return titled_table(title, ["model", *PROPERTIES], rows)


def _words(law: str, name: str) -> str:
    return probed(law)[name].reason


def _karnopp() -> list[Claim]:
    """Karnopp's window: good for stick-slip, but what is in the window goes on moving."""
    window = 1e-4
    law = sb.Karnopp(**STIFF, mu_v=VISCOUS, dv=window)
    runs = [stick_slip(one) for one in (law, ideal())]
    periods = [np.diff(run.crossings("mass.v", 0.1, +1))[-1] for run in runs]
    far = apart(*runs) / float(np.ptp(np.asarray(runs[1]["mass.s"])))
    m = sb.Model("window")
    body = m.add("mass", sb.Mass(m=1.0, v0=0.5 * window))
    m.add("friction", sb.Guide(body, law=law))
    way = float(sb.simulate(m, t_end=100.0)["mass.s"][-1])
    return [
        judged(
            "Karnopp's model simulates stick-slip well",
            SAME,
            far,
            f"never farther from true stick than {100 * far:.2g} % of the way in 28 s; periods of {periods[0]:.4f} s "
            f"and {periods[1]:.4f} s",
            otherwise="refuted",
            because="its window changes when the mass breaks away",
            note=f"with a window of {window:g} m/s, which is ours",
        ),
        statement(
            "Karnopp's model does not describe stiction exactly",
            way > 0,
            f"at half the speed of its window a free mass goes on moving: {1e3 * way:.3g} mm in 100 s",
            otherwise="refuted",
            basis="put in",
            note="by construction: in the window nothing slows it. The bench starts from rest, and finds stiction",
        ),
    ]


def _bristle_models(lacking: list[str]) -> list[Claim]:
    """LuGre and the elasto-plastic model."""
    drifting = _words("LuGre", "stiction")
    return [
        statement(
            "LuGre has all of the properties but nonlocal memory",
            lacking == ["nonlocal memory"],
            f"it lacks {', '.join(lacking)}",
            otherwise="refuted",
            because=(
                f"it drifts ({drifting}), as Section 2.5 says; and its break-away does not rise with the time at rest, "
                f"it falls with the loading rate ({_words('LuGre', 'rising static friction')})"
            ),
            where="Section 1, (3)",
        ),
        statement("LuGre can drift", "stiction" not in having("LuGre"), drifting, otherwise="refuted"),
        statement(
            "the elasto-plastic model does not drift",
            "stiction" in having("ElastoPlastic"),
            _words("ElastoPlastic", "stiction"),
            otherwise="refuted",
        ),
        statement(
            "the elasto-plastic model has no nonlocal memory",
            "nonlocal memory" not in having("ElastoPlastic"),
            _words("ElastoPlastic", "nonlocal memory"),
            otherwise="refuted",
        ),
    ]


def _break_away() -> Claim:
    """The force at which a slowly loaded mass begins to move."""
    result = loaded(hybrid(Sigma=1e-4), rate=0.1)
    started = next(event.time for event in result.events if event.to == "Forward")
    force = float(result.at(started, "push.f"))
    return judged(
        "the break-away force equals the Coulomb force",
        SAME,
        force / STIFF["mu_c"] - 1,
        f"it moves at {force:.4f} N; f_c = {STIFF['mu_c']:g} N, f_s = {STIFF['mu_s']:g} N",
        otherwise="misprint",
        because="a slip of the pen in the list of properties: by (8) it is f_s, and so it is in the run",
        corrected="the break-away force is the Stribeck force f_s",
        where="Section 1, list of properties",
    )


def _parameters() -> list[Claim]:
    """How many numbers the models take: it depends on what is counted."""
    return [
        bracketed(
            "parameters of the simplest hybrid model",
            "5",
            [3, 5, 7],
            over="what is counted, from f_c, f_s and f_v to all seven of Section 2.7",
            basis="arithmetic",
        ),
        bracketed(
            "parameters of the elasto-plastic model",
            "8",
            [7, 8, 10],
            over="what is counted, from those of LuGre and z_ba to z_max, exponent and m",
            basis="arithmetic",
        ),
        statement(
            "the Leuven model takes more than eight parameters",
            _numbers(2) > 8,
            f"{_numbers(2)} with two elements, {_numbers(10)} with ten",
            otherwise="refuted",
            basis="arithmetic",
            note="stiffness and strength of each element, f_c, f_s, v_s, n, sigma_1, sigma_2",
        ),
    ]


def _numbers(elements: int) -> int:
    """Parameters of the Leuven model: stiffness and strength of each element, f_c, f_s, v_s, n, sigma_1, sigma_2."""
    return 2 * elements + 6


def _leuven(quick: bool) -> list[Claim]:
    """The drift test of Figure 7 with many Leuven models of both forms, and the seven properties of both."""
    random = np.random.default_rng(10)
    held, drifts = [], []
    for _ in range(20 if quick else 200):
        law = soft_leuven(
            exponent=float(random.uniform(1.0, 8.0)),
            elements=int(random.integers(2, 13)),
            strength=float(random.uniform(1.15, 2.2)),
            first=bool(random.integers(2)),
        )
        drifts.append(per_cycle(drift(law, t_end=22.0)))
        held.append(abs(drifts[-1]) < 1e-3 * Z_MAX)
    plain, maxwell = (1e3 * per_cycle(drift(law, t_end=22.0)) for law in (soft_lugre(), soft_gms()))
    lacking = {law: sorted(set(PROPERTIES) - having(law)) for law in ("Leuven2000", "Leuven")}
    return [
        share(
            "with the Leuven model the drift under small forces is gone",
            held,
            f"{len(held)} Leuven models (either form, 2 to 12 elements, exponents from 1 to 8, strengths from 1.15 to "
            f"2.2 N) it is below 0.1 % of z_max per cycle; it is {1e3 * min(drifts):.2g} to {1e3 * max(drifts):.3g} mm",
            because=(
                f"LuGre drifts by {plain:.3g} mm. Elements give nonlocal memory, but z still yields below break-away; "
                "larger exponents make the drift smaller, not zero. The generalised Maxwell slip model, in which "
                f"elements that stick are springs, does not drift ({abs(maxwell):.0e} mm)"
            ),
        ),
        statement(
            "the Leuven model has all seven properties",
            not any(lacking.values()),
            f"the form of 2000 lacks {' and '.join(lacking['Leuven2000'])}, that of 2002 "
            f"{' and '.join(lacking['Leuven'])}",
            otherwise="refuted",
            because=(
                f"it drifts ({_words('Leuven2000', 'stiction')}; {_words('Leuven', 'stiction')}), and break-away does "
                f"not depend on the time at rest ({_words('Leuven', 'rising static friction')})"
            ),
        ),
    ]
