"""The data of a model as C: arrays, a header with its names, and numbers to the last bit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Template

import numpy as np

from .c_names import c_name
from .exported import Exported

WIDTH = 116
TEMPLATES = Path(__file__).parent / "templates"


def c_number(value: float) -> str:
    """A number as C reads it to the last bit, in the notation of Python.

    >>> c_number(0.1), c_number(-math.inf), c_number(2.0)
    ('0.1', '-INFINITY', '2.0')
    """
    if math.isnan(value):
        return "NAN"
    return f"{'-' * (value < 0)}INFINITY" if math.isinf(value) else repr(float(value))


def c_text(text: bytes) -> np.ndarray:
    """A text as characters in C, for a long string is not C99.

    >>> print(*c_text(b"m/s?"))
    'm' '/' 's' '\\077'
    """
    return np.array([f"'{_character(byte)}'" for byte in text])


def _character(byte: int) -> str:
    """What is not a letter, a digit or alike in octal."""
    return chr(byte) if 32 <= byte < 127 and byte not in b"'\\?" else "\\0" if byte == 0 else f"\\{byte:03o}"


def _rows(parts: Sequence[str], separator: str = " ") -> Iterator[str]:
    """Parts in lines of a bounded width."""
    line = ""
    for part in parts:
        if line and len(line) + len(separator) + len(part) > WIDTH:
            yield line
            line = ""
        line = f"{line}{separator}{part}" if line else part
    yield line


def array(kind: str, name: str, values: np.ndarray) -> str:
    """An array of constants; an empty one has a zero, for C has no empty arrays.

    >>> array("int", "car_integers", np.array([1, 2]))
    'static const int car_integers[] = {\\n    1, 2,\\n};\\n'
    """
    numbers = values.tolist() or [0]
    texts = [f"{c_number(n) if kind == 'double' else n}," for n in numbers]
    rows = "".join(f"    {row}\n" for row in _rows(texts))
    return f"static const {kind} {name}[] = {{\n{rows}}};\n"


def data_file(exported: Exported) -> str:
    """The C file with the data of a model."""
    name, image = exported.name, exported.image
    return "\n".join(
        [
            f"/* The model {_comment(exported.program.name)} as data, made by stribeck; do not edit. */\n",
            f'#include "{name}.h"\n',
            "#include <math.h>\n",
            array("int", f"{name}_integers", image.integers),
            array("double", f"{name}_numbers", image.numbers),
            array("char", f"{name}_text", c_text(image.text)),
            f"const stribeck_model {name} = {{",
            f"    {name}_integers, sizeof {name}_integers / sizeof {name}_integers[0],",
            f"    {name}_numbers, sizeof {name}_numbers / sizeof {name}_numbers[0],",
            f"    {name}_text, sizeof {name}_text,",
            "};\n",
            template("functions.c", exported),
        ]
    )


def template(file: str, exported: Exported) -> str:
    """A template with the names of a model.

    >>> template("Makefile", Exported.of(model)).splitlines()[5]
    'stick_slip: main.o stick_slip.o stribeck.o'
    """
    memory, snapshot = exported.memory
    words = {"name": exported.name, "upper": exported.name.upper(), "model": _comment(exported.program.name)}
    text = (TEMPLATES / file).read_text(encoding="utf-8")
    return Template(text).substitute(words, memory=memory, snapshot=snapshot)


def header_file(exported: Exported) -> str:
    """Its header: the model, the memory of a plant, and the numbers of its inputs, outputs and parameters."""
    name, program = exported.name, exported.program
    upper = name.upper()
    lists = [
        names(f"{upper}_IN", exported.inputs, [program.inputs[one].unit or "1" for one in exported.inputs]),
        names(f"{upper}_OUT", program.output_names, program.output_units),
        names(
            f"{upper}_PAR",
            [one.name for one in exported.image.parameters],
            [f"{one.unit}, {one.text}" for one in exported.image.parameters],
        ),
    ]
    return "\n".join(
        [
            f"/* The model {_comment(program.name)}, made by stribeck; do not edit. */\n",
            f"#ifndef {upper}_H\n#define {upper}_H\n",
            '#include "stribeck.h"\n',
            '#ifdef __cplusplus\nextern "C" {\n#endif\n',
            f"extern const stribeck_model {name};\n",
            "/* Inputs, outputs and parameters by number. */",
            *lists,
            template("functions.h", exported),
            "#ifdef __cplusplus\n}\n#endif\n",
            "#endif\n",
        ]
    )


def names(prefix: str, texts: Sequence[str], notes: Sequence[str]) -> str:
    """An enumeration of names, with a comment each; names that are equal in C get numbers.

    >>> print(names("CAR_IN", ["throttle"], ["1"]))
    enum {
        CAR_IN_throttle, /* throttle, 1 */
        CAR_IN_COUNT
    };
    <BLANKLINE>
    """
    used: set[str] = {"COUNT"}
    rows = []
    for text, note in zip(texts, notes, strict=True):
        base = c_name(text).removeprefix("m_")
        word, k = base, 2
        while word in used:
            word, k = f"{base}_{k}", k + 1
        used.add(word)
        rows.append(f"    {prefix}_{word}, /* {_comment(text)}, {_comment(note)} */\n")
    return f"enum {{\n{''.join(rows)}    {prefix}_COUNT\n}};\n"


def _comment(text: str) -> str:
    """A text that does not end its comment."""
    return " ".join(text.split()).replace("*/", "* /").replace("/*", "/ *")
