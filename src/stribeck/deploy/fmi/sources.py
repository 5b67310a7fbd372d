"""The runtime of an FMU in one C file, and the same with a model in it: a source FMU."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ...compile.image import Image
from ...errors import SpecError
from ..c_arrays import array, c_text
from ..exported import runtime_files
from .variables import constants

HEADERS = ("sb_fmu.h", "sb_fmi2.h", "sb_fmi3.h")
FILES = ("fmu.c", "exchange.c", "state.c", "resource.c", "fmi2.c", "fmi3.c")
"""The files of `fmi/` in the order in which they are joined."""
HIDDEN = """\
/* everything but the functions of FMI is local to this file */
#ifdef __GNUC__
#define STRIBECK_API static __attribute__((unused))
#else
#define STRIBECK_API static
#endif
#define SB_FMU_API STRIBECK_API
"""
OWN_INCLUDE = re.compile(r'^#include "[^"]+".*\n', re.MULTILINE)


def wrapper_files() -> dict[str, Path]:
    """The files of the FMI functions that the package has been built with, by name.

    >>> sorted(wrapper_files()) == sorted((*HEADERS, *FILES))
    True
    """
    from . import __path__

    found = {path.name: path for folder in __path__ for path in sorted(Path(folder, "c").glob("*.[ch]"))}
    if not {*HEADERS, *FILES} <= found.keys():
        raise SpecError("fmu: this installation has no sources of FMI; install the package again: pip install stribeck")
    return found


def runtime_source(version: int | None = None) -> str:
    """The runtime of FMUs as one C file, with the functions of one version of FMI, or of both.

    >>> "fmi3DoStep" in runtime_source(2), "fmi3DoStep" in runtime_source()
    (False, True)
    """
    runtime, wrapper = runtime_files(), wrapper_files()
    other = {2: "fmi3", 3: "fmi2"}.get(version or 0, "neither")
    paths = [runtime["stribeck.h"], runtime["stribeck_equations.h"], runtime["stribeck.c"]]
    paths += [wrapper[name] for name in (*HEADERS, *FILES) if other not in name]
    return HIDDEN + "".join(f"\n{OWN_INCLUDE.sub('', path.read_text(encoding='utf-8'))}" for path in paths)


def source_files(image: Image, identifier: str, token: str, version: int) -> dict[str, str]:
    """The files of a source FMU by their names: one, with the model as constant arrays."""
    values = np.array([value for _, _, value in constants(image)], float)
    title = image.program.name.replace("*/", "* /")
    model = [
        f"/* {title} as an FMU of FMI {version}.0, made by Stribeck. Compile it as C99 with -ffp-contract=off,\n"
        " * so that results are the same everywhere. */\n",
        "#define SB_FMU_EMBEDDED",
        f'#define SB_FMU_TOKEN "{token}"',
        f"#define SB_FMU_N_CONSTANT {values.size}\n",
        "#include <math.h>\n",
        array("double", "sb_fmu_constants", values),
        array("int", "sb_fmu_integers", image.integers),
        array("double", "sb_fmu_numbers", image.numbers),
        array("char", "sb_fmu_text", c_text(image.text)),
    ]
    return {f"{identifier}.c": "\n".join([*model, runtime_source(version)])}
