"""The virtual tribometer: all experiments with one law, and the properties of friction that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...declare import unknown
from ...errors import SimulationError, UnknownName
from ...laws import Law, get
from ...results.data_table import DataTable
from .bench import LawBench
from .experiment import Experiment, PropertyVerdict
from .properties import EXPERIMENTS, PROBES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = {True: "yes", False: "no", None: "?"}
"""A verdict in a table."""


@dataclass(frozen=True, eq=False)
class TribometerReport:
    """What a law does on the tribometer: `experiments` with their curves, and `verdicts` on the seven properties.

    All on a guide with load 1: friction in N, displacement in m. `failures` has the reasons why experiments stopped.

    >>> report = sb.analysis.tribometer(sb.GMS(n=4))
    >>> report.verdicts["nonlocal memory"].has
    True
    >>> loops = report["nested loops"].curve("nested loops")
    >>> loops.x.size == loops.y.size
    True
    """

    law: Law
    break_away: float
    """Break-away friction (N) of a body that is towed slowly."""
    experiments: Mapping[str, Experiment]
    verdicts: Mapping[str, PropertyVerdict]
    failures: Mapping[str, str]

    def __getitem__(self, name: str) -> Experiment:
        """An experiment by its name.

        >>> sb.analysis.tribometer("switch")["vibration"].curves[0].y.max()
        0.0
        """
        if name not in self.experiments:
            raise UnknownName(unknown(f"{self.title}: there is no experiment", name, self.experiments))
        return self.experiments[name]

    @property
    def title(self) -> str:
        """The law with its parameters.

        >>> sb.analysis.tribometer("lugre").title
        'LuGre with its default parameters'
        """
        name = repr(self.law).removesuffix("()")
        return name if self.law.given else f"{name} with its default parameters"

    def table(self) -> DataTable:
        """The verdicts, with the experiments that they follow from.

        >>> print(sb.analysis.tribometer("switch").table())
        property                has it  measured                                    experiment
        stiction                yes     does not move                               vibration
        ...
        """
        rows = [
            [name, WORDS[verdict.has], verdict.reason, PROBES[name].experiment.name]
            for name, verdict in self.verdicts.items()
        ]
        return DataTable(["property", "has it", "measured", "experiment"], rows)

    def __str__(self) -> str:
        return f"{self.title}\n{self.table()}"

    def plot(self, path: str | Path | None = None) -> Figure:
        """All experiments in one picture.

        >>> sb.analysis.tribometer("gms").plot("gms.png")
        """
        from .experiment_plot import plot_report

        return plot_report(self, path)

    def page(self, path: str | Path) -> Path:
        """Writes one page of HTML that needs no other file: formulas, parameters, and each verdict beside its picture.

        >>> sb.analysis.tribometer("gms").page("gms.html")
        PosixPath('gms.html')
        """
        from .tribometer_page import write_reports

        return write_reports(path, [self])


def tribometer(law: Law | type[Law] | str) -> TribometerReport:
    """Puts a law on the virtual tribometer: a law, its class, or the name of a law of the package.

    The experiments are steady sliding with a ramp of speed, velocity sines, break-away over the time at rest and over
    the rate of loading, a small force, nested loops of presliding, and vibration; for laws that stick within a window
    of speed also their capture and decay. The seven properties of friction follow from them.

    >>> report = sb.analysis.tribometer(sb.RisingStribeck(t_rise="2 s"))
    >>> report.verdicts["rising static friction"].has
    True
    >>> report.page("rising.html")
    PosixPath('rising.html')
    """
    law = get(law) if isinstance(law, str) else law
    law = law() if isinstance(law, type) else law
    bench = LawBench(law)
    experiments, failures = {}, {}
    for kind in EXPERIMENTS:
        if kind.applies(bench.law):
            try:
                experiments[kind.name] = kind.of(bench)
            except SimulationError as error:
                failures[kind.name] = str(error)
    verdicts = {name: probe(bench) for name, probe in PROBES.items()}
    return TribometerReport(law, bench.break_away, experiments, verdicts, failures)
