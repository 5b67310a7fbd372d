"""Models as C programs: compiled with the C compiler of this computer, run, and their instructions counted."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import stribeck as sb
from stribeck import deploy

MISSING = "there is no C compiler (cc) on this computer"
NO_COUNTER = "there is no C compiler (cc) or no valgrind on this computer"
TASKS = """
#include <stdlib.h>
#include "{name}.h"

int task({name}_plant *plant, const double *in, double *out);

__attribute__((noinline)) int task({name}_plant *plant, const double *in, double *out)
{{
    return {name}_step(plant, in, out);
}}

int main(int argc, char **argv)
{{
    static {name}_plant plant;
    static double in[{upper}_IN_COUNT + 1], out[{upper}_OUT_COUNT + 1];
    if (argc < 2 || {name}_begin(&plant)) {{
        return 1;
    }}
    for (long i = 0; i < atol(argv[1]); ++i) {{
        if (task(&plant, in, out)) {{
            return 2;
        }}
    }}
    return 0;
}}
"""
"""A program that makes as many steps as its argument says."""


def compiler() -> bool:
    """Whether there is a C compiler."""
    return shutil.which("cc") is not None


def counter() -> bool:
    """Whether instructions can be counted."""
    return compiler() and shutil.which("valgrind") is not None


@cache
def _temporary() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="stribeck-papers-")


def program_folder() -> Path:
    """Where compiled programs are; it is deleted at the end.

    >>> program_folder().exists()
    True
    """
    return Path(_temporary().name)


def compile_c(*arguments: str | Path, text: str | None = None) -> None:
    """Calls the C compiler as the runtime needs it; `text` is one more source.

    >>> compile_c("-O2", "plant.c", "-lm", "-o", "plant")  # doctest: +SKIP
    """
    given = ["-x", "c", "-", "-x", "none"] if text is not None else []
    command = ["cc", "-std=c99", "-ffp-contract=off", *given, *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True, text=True, input=text)


def _runtime(source: Path, level: int) -> Path:
    """The runtime, which is the same for all models, as an object file, compiled once."""
    target = program_folder() / f"runtime-{level}.o"
    if not target.exists():
        compile_c(f"-O{level}", "-fPIC", "-c", source, "-o", target)
    return target


def build(model: sb.Model, name: str, *, step: float, level: int, shared: bool = False, **options: Any) -> Path:
    """A model as a program that makes steps (s), or as a shared library; `level` is that of optimisation.

    >>> build(model, "plant", step=1e-3, level=0).name
    'plant'
    """
    folder = program_folder() / name
    source, _, _, _, runtime, *_ = deploy.c(model, folder, step=step, name=name, **options)
    target = folder / (f"{name}.so" if shared else name)
    if shared:
        compile_c(f"-O{level}", "-fPIC", "-shared", source, _runtime(runtime, level), "-lm", "-o", target)
    else:
        objects = [source, _runtime(runtime, level)]
        main = TASKS.format(name=name, upper=name.upper())
        compile_c(f"-O{level}", f"-I{folder}", *objects, "-lm", "-o", target, text=main)
    return target


def instructions(program: Path, tasks: int) -> float:
    """Mean number of instructions of the first tasks of a program, by valgrind.

    >>> instructions(build(model, "plant", step=1e-3, level=0), 100)  # doctest: +SKIP
    10500.0
    """
    limits = ["--toggle-collect=task", f"--callgrind-out-file={program.with_suffix('.calls')}"]
    command = ["valgrind", "--tool=callgrind", *limits, str(program), str(tasks)]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    (total,) = re.findall(r"Collected : (\d+)", shown)
    return int(total) / tasks
