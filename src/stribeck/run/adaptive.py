"""The adaptive solver of the kernel: Rodas5P, Dormand-Prince, or the choice between them."""

from __future__ import annotations

from typing import Any

from ..compile import Program
from ..kernel import methods, run, status_codes
from .options import Options
from .outcome import Failure, RunOutcome, failure_of
from .start import ADAPTIVE, end_of, is_same

METHODS = methods()
"""Methods by name, as the kernel numbers them."""


def settings_of(options: Options, method: str) -> dict[str, Any]:
    """Options as the kernel reads them.

    >>> settings_of(Options.of(program, tolerance=1e-6), "auto")["tolerance"]
    1e-06
    """
    return {
        "method": METHODS[method],
        "t_end": options.t_end,
        "tolerance": options.tolerance,
        "first_step": options.first_step,
        "max_step": options.max_step,
        "ledger": options.energy,
        "extremes": options.extremes,
        "max_steps": options.max_steps,
        "max_seconds": options.max_seconds,
    }


def adaptive(program: Program, options: Options, method: str) -> RunOutcome:
    """A run with located events, dense output on the grid and the energy ledger.

    >>> adaptive(program, Options.of(program), "rodas5p").statistics["steps"]
    867
    """
    settings = settings_of(options, method)
    from_end = None
    if (start := options.start) is not None:
        from_end = (is_same(program, start, ADAPTIVE), start.numbers, start.counts)
    raw = run(program.kernel, options.t_start, program.y0, options.grid, settings, options.progress, from_end)
    failed = raw["status"] != status_codes()["SB_OK"]
    return RunOutcome(
        time=raw["time"],
        data=raw["data"],
        written=raw["written"],
        events=raw["events"],
        breaks=raw["breaks"],
        statistics=raw["statistics"],
        extremes=raw["extremes"],
        ledger=raw["ledger"] if options.energy else None,
        failure=_failure(program, raw) if failed else None,
        redundant=raw["redundant"],
        raised=raw["raised"],
        end=end_of(program, ADAPTIVE, raw["time"], raw["end"]) if raw["end"] else None,
    )


def _failure(program: Program, raw: dict[str, Any]) -> Failure:
    return failure_of(program, raw["status"], raw["culprit"], raw["time"], raw["state"], raw["crowd"])
