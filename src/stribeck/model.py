"""The public model: the description of `spec`, with simulation, analysis and identification as methods.

Each method has the arguments of the function that it calls, where they are documented. Packages that take long to load
are loaded on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import spec
from .compile import Program, check_model, compile_model
from .results import End, Result
from .results.data_table import DataTable, in_notebook
from .run import realtime, simulate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .analysis import Comparison, LinearModel, RealtimeReport
    from .analysis.comparison.comparison import Choice
    from .identify import FitResult, Measurement
    from .identify.fits.fit import Progress


class Model(spec.Model):
    """A machine: add elements under their names, refer to them from others, simulate.

    >>> m = Model("stick-slip", t_end=25, intervals=2500)
    >>> pull = m.add("pull", Speed(w=0.1))
    >>> mass = m.add("mass", Inertia(J=1))
    >>> m.add("spring", Spring(pull, mass, c=2))
    >>> m.add("friction", Bearing(mass, law=LuGre()))
    >>> m.simulate().plot("mass.w")
    """

    def _repr_html_(self) -> str:
        """In notebooks: the elements and signals with their values."""
        head, *_ = repr(self).partition("\n")
        things = {**self.signals, **self.elements}
        rows = [(name, *repr(thing).removesuffix(")").split("(", 1)) for name, thing in things.items()]
        return in_notebook(head, DataTable(["name", "type", "values"], rows))

    def check(self, step: float | str | None = None) -> list[str]:
        """Raises a SpecError if this model cannot be simulated; returns warnings. With a fixed step (s), warns of laws
        that need a smaller one.

        >>> model.check()
        ["bearing 'friction': LuGre is passive only for ..."]
        >>> model.check(step="1 ms")
        """
        return check_model(self, step)

    def compile(self) -> Program:
        """The program that the kernel runs: `stribeck.compile_model`.

        >>> program = model.compile()
        """
        return compile_model(self)

    def simulate(
        self,
        t_end: float | str | None = None,
        *,
        intervals: int | None = None,
        times: Sequence[float] | np.ndarray | None = None,
        outputs: str | Sequence[str] | None = None,
        tolerance: float | None = None,
        solver: str | None = None,
        max_step: float | str | None = None,
        first_step: float | str | None = None,
        energy: bool = True,
        extremes: bool = True,
        max_steps: int | None = None,
        max_seconds: float | str | None = None,
        progress: Callable[[float], None] | None = None,
        start: End | Result | None = None,
    ) -> Result:
        """The machine from time 0 to `t_end` (s), by an adaptive solver: `stribeck.simulate`.

        >>> model.simulate(t_end="5 s")["mass.w"]
        """
        return simulate(
            self,
            t_end,
            intervals=intervals,
            times=times,
            outputs=outputs,
            tolerance=tolerance,
            solver=solver,
            max_step=max_step,
            first_step=first_step,
            energy=energy,
            extremes=extremes,
            max_steps=max_steps,
            max_seconds=max_seconds,
            progress=progress,
            start=start,
        )

    realtime = realtime

    def check_realtime(
        self,
        h: float | str = "1 ms",
        *,
        t_end: float | str | None = None,
        methods: Iterable[str] | None = None,
        literal_sign: bool = False,
        progress: Callable[[str], None] | None = None,
    ) -> RealtimeReport:
        """Requirements of a fixed step `h` (s): step limits, safe parameters, verdicts on methods:
        `stribeck.analysis.check_realtime`.

        >>> print(model.check_realtime("1 ms"))
        """
        from .analysis import check_realtime

        return check_realtime(self, h, t_end=t_end, methods=methods, literal_sign=literal_sign, progress=progress)

    def linearize(
        self,
        at: float | str | Mapping[str, float] = 0.0,
        *,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
    ) -> LinearModel:
        """The machine as a linear system about its state at the time `at`:
        `stribeck.analysis.linearize`.

        >>> model.linearize(at="2 s").modes()
        >>> model.linearize(at={"mass.w": 0.1}, inputs=["motor"], outputs=["mass.w"]).to_control()
        """
        from .analysis import linearize

        return linearize(self, at, inputs=inputs, outputs=outputs)

    def draw(
        self,
        result: Result | str | Path | None = None,
        at: float | str | None = None,
        path: str | Path | None = None,
    ) -> Figure:
        """The machine as a diagram, with the modes of a result: `stribeck.analysis.draw`.

        >>> model.draw(path="machine.png")
        """
        from .analysis import draw

        return draw(self, result, at, path)

    def compare(
        self,
        laws: Iterable[Choice],
        *,
        elements: Iterable[str] | None = None,
        values: Mapping[str, Any] | None = None,
        progress: Callable[[str], None] | None = None,
        **options: Any,
    ) -> Comparison:
        """The machine with each of several friction laws: `stribeck.analysis.compare`.

        >>> print(model.compare(["LuGre", "Switch"]))
        """
        from .analysis import compare

        return compare(self, laws, elements=elements, values=values, progress=progress, **options)

    def fit(
        self,
        measurement: Measurement | Sequence[Measurement],
        free: Sequence[str],
        *,
        outputs: Mapping[str, str],
        inputs: Mapping[str, str] | None = None,
        start: Mapping[str, Any] | None = None,
        bounds: Mapping[str, tuple[Any, Any]] | None = None,
        initial: Mapping[str, Any] | None = None,
        per_record: Sequence[str] = (),
        noise: Mapping[str, float] | None = None,
        loss: str = "linear",
        solver: str = "adaptive",
        hold: bool = True,
        substeps: int = 1,
        tolerance: float = 1e-8,
        accuracy: float = 1e-4,
        global_start: str | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> FitResult:
        """Parameters of the machine from measured records: `stribeck.identify.fit`.

        >>> model.fit(record, ["friction.law.mu_c"], inputs={"motor.tau": "torque"}, outputs={"mass.w": "speed"})
        """
        from .identify import fit

        return fit(
            self,
            measurement,
            free,
            outputs=outputs,
            inputs=inputs,
            start=start,
            bounds=bounds,
            initial=initial,
            per_record=per_record,
            noise=noise,
            loss=loss,
            solver=solver,
            hold=hold,
            substeps=substeps,
            tolerance=tolerance,
            accuracy=accuracy,
            global_start=global_start,
            seed=seed,
            progress=progress,
        )


def load_model(source: str | Path, *, outside: bool = False) -> Model:
    """A model of the package by name, or from a file; `outside` as in `Model.from_yaml`.

    >>> load_model("stick-slip")
    >>> load_model("rig.yaml")
    """
    return Model.from_yaml(spec.find_model(source), outside=outside)
