"""A model as a small C library with an example."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ..compile import Program
from ..spec import Model
from ..writing import writable_folder, write_text
from .c_arrays import data_file, header_file, template
from .exported import Exported, runtime_files


def c(
    model: Model | Program,
    path: str | Path,
    *,
    step: float | str = 1e-3,
    inputs: Sequence[str] | None = None,
    outputs: str | Iterable[str] | None = None,
    name: str | None = None,
) -> list[Path]:
    """Writes a model as C99 into a folder: its data, the runtime in one file, an example `main.c` that prints a
    histogram of task times, and a Makefile. Returns the files, those of the model first.

    `step` is the time of one fixed step (s, or text such as "1 ms"). `inputs` are the External signals that can be set
    from outside (all), `outputs` what can be read (all usual ones; patterns such as "clutch.*" are accepted). `name` is
    what the model is called in C. Tunable parameters can be set in C as by `program.with_values`.

    >>> files = sb.deploy.c(model, "plant", step="1 ms", outputs=["mass.w", "friction.*"])
    >>> [file.name for file in files]
    ['stick_slip.c', 'stick_slip.h', 'main.c', 'Makefile', 'stribeck.c', 'stribeck.h', 'stribeck_equations.h']
    """
    exported = Exported.of(model, step, inputs=inputs, outputs=outputs, name=name)
    texts = {f"{exported.name}.c": data_file(exported), f"{exported.name}.h": header_file(exported)}
    texts |= {file: template(file, exported) for file in ("main.c", "Makefile")}
    texts |= {file: place.read_text(encoding="utf-8") for file, place in runtime_files().items()}
    folder = writable_folder(path)
    return [write_text(folder / file, text) for file, text in texts.items()]
