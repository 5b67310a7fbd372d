"""Section 1.3: what a compiler has to do with the largest step."""

from __future__ import annotations

import numpy as np

from stribeck.reports import DataTable

from ..paper import Finding, titled_table
from ..rules import SAME, UNSTABLE
from ..scorecard import Claim, judged, unchecked
from ._paper import PAPER
from ._step_items import ONE_SLIP, exact, listing_error
from .bearing import BEARING
from .compiler import NEEDS_COMPILER, compiled_angle, compiler_version, has_x87_compiler
from .dassl import Listing
from .rounding import InRegister, has_wide_registers

SMALL = ("-O1", "-O2", "-Os")
"""With these options the paper needed a step of 50 µs."""
OPTIONS = ("-O0", *SMALL, "-O3", "-O2 -ffloat-store", "-O2 -mpc64", "-O3 -mpc64", "-O2 -mfpmath=sse")
"""-ffloat-store rounds every variable, -mpc64 sets the x87 to 53 bits, as Microsoft's library does."""
CLAIMS = (
    "with -O1, -O2 and -Os Runge-Kutta 4 does not converge at a step of 1 ms",
    "with -O1, -O2 and -Os it does at 50 µs",
    "without optimisation, -O0, a much larger step will do",
    "with Microsoft's compiler 1 ms will do",
    "with most optimisation, -O3, a much larger step will do",
    "with BearingFriction the options make no difference to the largest step",
)


@PAPER.item(
    "Section 1.3: compilers",
    "Why the largest step depended on the compiler",
    shows="with LuGre friction and Runge-Kutta 4 the GNU compiler of 1999 needed a step of 50 µs with -O1, -O2 and "
    "-Os, but not with -O0 and -O3, nor did Microsoft's compiler; the reason could not be determined",
    equations=("(1)", "(2)"),
)
def compilers(quick: bool) -> Finding:
    """The listing in C, compiled for the x87 processor; and the same arithmetic emulated."""
    if not has_x87_compiler():
        claims = [unchecked(claim, NEEDS_COMPILER, where="Section 1.3") for claim in CLAIMS]
        headline = "The unexplained effect of the compiler has an explanation: a cancellation to the last bit."
        return Finding(f"This {NEEDS_COMPILER}. {_emulated(quick)}", claims, headline=headline)
    off = {(options, h): _error(options, h) for options in OPTIONS for h in (1e-3, 5e-5)}
    version = compiler_version()
    return Finding(
        text=(
            f"The listing in C, compiled by gcc {version} for the x87 processor (-mfpmath=387). With tau_C = 1 the two "
            "terms of dz/dt cancel to the last bit while the mass slides, if g is rounded to the 53 bits of z_N. An "
            "optimising compiler keeps g in a register of 64 bits: then they do not cancel, and a step of 1 ms blows "
            "the difference up. Without optimisation, with -ffloat-store, or with the processor set to 53 bits, as "
            "Microsoft's run-time library sets it, g is rounded, and 1 ms is right by luck. So the riddle is solved: "
            "50 µs is what the equations ask for, and it is the 1 ms that is strange. " + _emulated(quick)
        ),
        claims=_claims(off, version),
        tables=[_table(off)],
        headline=(
            "The unexplained effect of the compiler is explained and shown with a real one: registers of 64 bits break "
            f"a cancellation to the last bit, and the angle is off by {100 * off['-O2', 1e-3]:.0f} % of its range with "
            f"-O2, by {100 * off['-O0', 1e-3]:.0e} % with -O0."
        ),
    )


def _claims(off: dict[tuple[str, float], float], version: str) -> list[Claim]:
    angles = [compiled_angle(options, 7e-3, friction="BearingFriction") for options in OPTIONS]
    spread = (max(angles) - min(angles)) / float(np.ptp(np.asarray(exact(true_stick=True)["mass.phi"])))
    gcc = f"gcc {version} -mfpmath=387"
    where = "Section 1.3"
    return [
        judged(
            CLAIMS[0],
            UNSTABLE,
            min(off[options, 1e-3] for options in SMALL),
            f"{gcc}: the angle is off by {_shown(off, SMALL, 1e-3)} of its range at 1 ms",
            otherwise="not determined",
            because=f"{gcc} keeps other numbers in registers",
            where=where,
        ),
        judged(
            CLAIMS[1],
            SAME,
            max(off[options, 5e-5] for options in SMALL),
            f"{gcc}: off by {_shown(off, SMALL, 5e-5)} at 50 µs",
            printed="50 µs",
            otherwise="refuted",
            where=where,
        ),
        judged(
            CLAIMS[2],
            SAME,
            off["-O0", 1e-3],
            f"{gcc}: off by {off['-O0', 1e-3]:.0e} at 1 ms",
            otherwise="not determined",
            because="this version rounds less often",
            note="by the accident of tau_C = 1",
            where=where,
        ),
        judged(
            CLAIMS[3],
            SAME,
            max(off[options, 1e-3] for options in ("-O2 -mpc64", "-O3 -mpc64")),
            f"{gcc} and the x87 set to 53 bits: off by {_shown(off, ('-O2 -mpc64', '-O3 -mpc64'), 1e-3)} at 1 ms",
            printed="1 ms",
            otherwise="not determined",
            because="its library sets more than the precision",
            note="Microsoft's library sets the precision so; the compiler itself is not available",
            where=where,
        ),
        judged(
            CLAIMS[4],
            SAME,
            off["-O3", 1e-3],
            f"{gcc}: off by {off['-O3', 1e-3]:.0%} at 1 ms",
            otherwise="not determined",
            because=f"gcc {version} keeps g in a register with -O3 as with -O2; egcs 2.91.66 is not available",
            where=where,
        ),
        judged(
            CLAIMS[5],
            SAME,
            spread,
            f"{gcc}: at 7 ms the angles of {len(OPTIONS)} sets of options differ by {100 * spread:.2g} % of the range",
            otherwise="refuted",
            where=where,
        ),
    ]


def _error(options: str, h: float) -> float:
    """Of the last angle over its range; 1 if the run explodes."""
    phi = np.asarray(exact()["mass.phi"])
    found = compiled_angle(options, h)
    return float(abs(found - phi[-1]) / np.ptp(phi)) if np.isfinite(found) else 1.0


def _emulated(quick: bool) -> str:
    """The same with g in a register, everything else rounded."""
    if not has_wide_registers():
        return ""
    until = 9.0 if quick else ONE_SLIP
    rounded, register = (listing_error("RKFIX4", 1e-3, model, until) for model in (Listing(), InRegister()))
    return (
        f"Emulated in Python, with nothing but g in such a register, the error at 1 ms is {register:.2g} of the range "
        f"instead of {rounded:.0e}."
    )


def _shown(off: dict[tuple[str, float], float], options: tuple[str, ...], h: float) -> str:
    return ", ".join(f"{off[name, h]:.0%}" if off[name, h] > 0.01 else f"{off[name, h]:.0e}" for name in options)


def _table(off: dict[tuple[str, float], float]) -> DataTable:
    rows = [[options, f"{off[options, 1e-3]:.1e}", f"{off[options, 5e-5]:.1e}"] for options in OPTIONS]
    title = f"Runge-Kutta 4 with tau_C = {BEARING['tau_c']:g}: error of the last angle over its range"
    return titled_table(title, ["options", "1 ms", "50 µs"], rows)
