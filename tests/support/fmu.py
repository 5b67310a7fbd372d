"""FMUs as another program sees them: exported once, driven through FMPy."""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np

import stribeck as sb

FOLDER = Path(mkdtemp(prefix="fmu-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
ADAPTIVE, FIXED = 1, 2


@cache
def exported(name: str, fmi: int) -> Path:
    """A shipped model as an FMU."""
    return sb.deploy.fmu(sb.load_model(name), FOLDER / f"{name}-{fmi}.fmu", fmi=fmi)


@cache
def unpacked(path: Path) -> tuple[Any, str]:
    """Description and folder of an FMU."""
    import fmpy

    return fmpy.read_model_description(str(path)), fmpy.extract(str(path), unzipdir=mkdtemp(dir=FOLDER))


class Plant:
    """A Co-Simulation instance of either version, with variables by their names."""

    def __init__(self, path: Path, *, log: list[str] | None = None) -> None:
        from fmpy.fmi2 import FMU2Slave
        from fmpy.fmi3 import FMU3Slave

        self.description, folder = unpacked(path)
        self.v3 = self.description.fmiVersion.startswith("3")
        self.variables = {v.name: v for v in self.description.modelVariables}
        kind = FMU3Slave if self.v3 else FMU2Slave
        self.fmu = kind(
            guid=self.description.guid,
            unzipDirectory=folder,
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="plant",
        )
        self._log = log
        self._instantiate()
        self.time = 0.0

    def _instantiate(self) -> None:
        from fmpy import fmi2

        if self._log is None:
            self.fmu.instantiate()
        elif self.v3:
            self.fmu.instantiate(loggingOn=True, logMessage=self._say)
        else:
            callbacks = fmi2.fmi2CallbackFunctions()
            callbacks.logger = fmi2.fmi2CallbackLoggerTYPE(self._say)
            self.fmu.instantiate(callbacks=callbacks, loggingOn=True)

    def _say(self, *words: Any) -> None:
        assert self._log is not None
        self._log.append(_text(words[-1]))

    def start(self, solver: int = ADAPTIVE, t0: float = 0.0, **values: float) -> Plant:
        """Initialised, with values of variables; those of parameters before, those of inputs in initialisation mode."""
        inputs = {name: v for name, v in values.items() if self.variables[name].causality == "input"}
        if not self.v3:
            self.fmu.setupExperiment(startTime=t0)
        self.set(**{"simulation.solver": solver}, **{n: v for n, v in values.items() if n not in inputs})
        self.fmu.enterInitializationMode(**({"startTime": t0} if self.v3 else {}))
        self.set(**inputs)
        self.fmu.exitInitializationMode()
        self.time = t0
        return self

    def set(self, **values: float) -> None:
        """Sets variables by their names."""
        for name, value in values.items():
            variable = self.variables[name]
            if variable.type == "Enumeration":
                (self.fmu.setInt64 if self.v3 else self.fmu.setInteger)([variable.valueReference], [int(value)])
            else:
                (self.fmu.setFloat64 if self.v3 else self.fmu.setReal)([variable.valueReference], [value])

    def get(self, names: str | Sequence[str]) -> Any:
        """The value of a variable, or of several."""
        if isinstance(names, str):
            return self.get([names])[0]
        found = []
        for name in names:
            variable = self.variables[name]
            if variable.type == "Enumeration":
                found += (self.fmu.getInt64 if self.v3 else self.fmu.getInteger)([variable.valueReference])
            else:
                found += (self.fmu.getFloat64 if self.v3 else self.fmu.getReal)([variable.valueReference])
        return found

    def step(self, h: float, n: int = 1) -> None:
        """Moves on by n communication steps."""
        for _ in range(n):
            self.fmu.doStep(currentCommunicationPoint=self.time, communicationStepSize=h)
            self.time += h

    def outputs(self) -> list[str]:
        """Names of all outputs."""
        return [name for name, variable in self.variables.items() if variable.causality == "output"]

    def free(self) -> None:
        """Ends the instance."""
        self.fmu.terminate()
        self.fmu.freeInstance()


def _text(text: Any) -> str:
    return text.decode() if isinstance(text, bytes) else str(text)


def simulated(path: Path, kind: str, t_end: float, names: Iterable[str], **options: Any) -> dict[str, np.ndarray]:
    """A run by FMPy on 200 intervals: time and variables. `log` collects messages of the FMU."""
    import fmpy

    lines = options.pop("log", None)
    if lines is not None:
        options |= {"debug_logging": True, "logger": lambda *words: lines.append(_text(words[-1]))}
    result = fmpy.simulate_fmu(
        str(path),
        fmi_type={"cs": "CoSimulation", "me": "ModelExchange"}[kind],
        stop_time=t_end,
        output_interval=t_end / 200,
        output=list(names),
        record_events=False,
        **options,
    )
    return {name: result[name] for name in result.dtype.names}
