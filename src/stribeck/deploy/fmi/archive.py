"""The file of an FMU: description, binaries, the model as data, its text and reference results, sources."""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from html import escape
from importlib.metadata import version as installed_version
from pathlib import Path

import numpy as np

from ...compile import Program, compile_model
from ...compile.image import Image
from ...declare import unknown
from ...errors import SimulationError, SpecError
from ...run import simulate
from ...spec import Model
from ...writing import writable_file, write_chunks
from ..exported import Exported
from . import fmi2, fmi3
from .description import Description
from .names import CONVENTIONS
from .platforms import Progress, binaries, chosen_platforms
from .sources import source_files
from .variables import constants, variables

TYPES = {"me": "Model Exchange", "cs": "Co-Simulation"}
VERSIONS = {2: fmi2.model_description, 3: fmi3.model_description}
MARK = b"SBFMU002"
"""First bytes of resources/model.sb, as in `fmi/resource.c`."""
INTERVALS, PATIENCE = 200, 1.0
"""Intervals of the reference results, and seconds after which they are left out."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""Time of all files within: the same model gives the same bytes."""


def fmu(
    model: Model | Program,
    path: str | Path,
    *,
    fmi: int = 3,
    types: str | Sequence[str] = ("me", "cs"),
    step: float | str = "1 ms",
    inputs: Sequence[str] | None = None,
    outputs: str | Sequence[str] = "all",
    names: str = "structured",
    platforms: str | Sequence[str] = "own",
    sources: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Writes a model as a Functional Mock-up Unit and returns the path.

    `fmi` is 2 or 3, `types` are "me" (Model Exchange) and "cs" (Co-Simulation) or one of them. `External` signals are
    inputs; `inputs` names some of them, the others keep their values. `outputs` are names or patterns. Parameters that
    can change without compiling are tunable. Co-Simulation has two solvers, chosen by the parameter
    `simulation.solver`: adaptive, or with the fixed `step`. Names are "structured" ("clutch.tau") or "flat"
    ("clutch_tau"). `platforms` are "own", "all", or some of linux64, linux-arm64, win64, darwin64, darwin-arm64; those
    of other computers need the extra `cross`. With `sources` the C code is inside.

    >>> sb.deploy.fmu(model, "car.fmu", fmi=2, types="cs", step="1 ms", names="flat")
    PosixPath('car.fmu')
    """
    if fmi not in VERSIONS:
        raise SpecError(f"fmu: fmi = {fmi} is not a version of FMI; write 2 or 3")
    if names not in CONVENTIONS:
        raise SpecError(unknown("fmu: there is no naming convention", names, CONVENTIONS))
    program = model if isinstance(model, Program) else compile_model(model)
    kinds = _types(types, program)
    wanted = chosen_platforms(platforms)
    shown = None if outputs in ("all", "*") else outputs.split(",") if isinstance(outputs, str) else outputs
    exported = Exported.of(program, step, inputs=inputs, outputs=shown)
    image, identifier = exported.image, exported.name
    token = token_of(image, names, kinds)
    target = writable_file(path)
    inside = source_files(image, identifier, token, fmi) if sources else {}
    known = variables(image, "me" in kinds, names)
    files = tuple(name for name in inside if name.endswith(".c"))
    description = Description(image, known, identifier, token, kinds, names, installed_version("stribeck"), files)
    contents: dict[str, bytes] = {"modelDescription.xml": VERSIONS[fmi](description).encode()}
    for place, code in binaries(wanted, fmi, progress).items():
        folder, _, suffix = place.partition("/")
        contents[f"binaries/{folder}/{identifier}{suffix}"] = code
    contents["resources/model.sb"] = resource(image, token)
    contents |= _documents(program, description)
    if inside:
        contents |= {f"sources/{name}": text.encode() for name, text in inside.items()}
        if fmi == 3:
            contents["sources/buildDescription.xml"] = fmi3.build_description(description).encode()
    return write_chunks(target, [_zipped(contents)])


def _types(types: str | Sequence[str], program: Program) -> tuple[str, ...]:
    """The kinds of FMU that are wanted and possible."""
    wanted = [word.strip() for word in (types.split(",") if isinstance(types, str) else types)]
    for word in wanted:
        if word not in TYPES:
            raise SpecError(unknown("fmu: there is no type", word, TYPES))
    if not wanted:
        raise SpecError("fmu: types is empty; write me (Model Exchange), cs (Co-Simulation) or both")
    if "me" in wanted and program.sizes["n_delay"]:
        raise SpecError(
            f"fmu: {program.name} has a Delay, whose past the integrator of another program does not keep, so Model "
            "Exchange is not possible; export it with types='cs'"
        )
    return tuple(kind for kind in TYPES if kind in wanted)


def token_of(image: Image, *more: object) -> str:
    """What ties a description to the model inside: equal models have equal ones.

    >>> token_of(image)[:1]
    '{'
    """
    digest = hashlib.sha256(image.block() + repr(more).encode()).hexdigest()
    return f"{{{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:32]}}}"


def resource(image: Image, token: str) -> bytes:
    """The file resources/model.sb: token, constants and the model.

    >>> resource(image, "{1}")[:8]
    b'SBFMU002'
    """
    text = token.encode() + b"\0"
    text += bytes(-len(text) % 8)
    values = [value for _, _, value in constants(image)]
    body = text + struct.pack(f"<{len(values)}d", *values) + image.block()
    return MARK + struct.pack("<iiIi", len(values), len(text), zlib.adler32(body), 0) + body


def _documents(program: Program, d: Description) -> dict[str, bytes]:
    """The model as text, its results, and a page that says what is inside."""
    text = program.model.to_yaml()
    found = {"resources/model.yaml": text.encode()}
    results = _reference(program)
    if results:
        found["documentation/reference.csv"] = results
    return found | {"documentation/index.html": _page(d, bool(results)).encode()}


def _reference(program: Program) -> bytes:
    """Results of the adaptive solver at the default experiment; nothing if that fails or takes too long."""
    try:
        result = simulate(program, intervals=INTERVALS, max_seconds=PATIENCE)
    except SimulationError:
        return b""
    head = ",".join(["time", *result.names])
    rows = zip(result.time.tolist(), *(np.asarray(result[name]).tolist() for name in result.names), strict=True)
    return "\n".join([head, *(",".join(map(repr, row)) for row in rows), ""]).encode()


def _page(d: Description, results: bool) -> str:
    rows = "".join(
        f"<tr><td>{escape(v.name)}</td><td>{v.causality}</td><td>{escape(v.unit)}</td><td>{escape(v.text)}</td></tr>\n"
        for v in d.variables.all
        if v.causality in ("input", "output", "parameter")
    )
    also = " and <a href='reference.csv'>results of the default experiment</a>" if results else ""
    return (
        f"<!DOCTYPE html>\n<html><head><meta charset='utf-8'><title>{escape(d.program.name)}</title></head><body>\n"
        f"<h1>{escape(d.program.name)}</h1>\n<p>{escape(d.text)}. Made by Stribeck {escape(d.version)}: "
        f"{' and '.join(TYPES[kind] for kind in d.types)}. The model as text is resources/model.yaml{also}.</p>\n"
        "<p>Co-Simulation has two solvers: simulation.solver = 1 is adaptive with simulation.tolerance, 2 has the "
        "fixed step simulation.step, of which every communication step must be a multiple.</p>\n"
        f"<table><tr><th>name</th><th>causality</th><th>unit</th><th>meaning</th></tr>\n{rows}</table>\n</body></html>\n"
    )


def _zipped(contents: Mapping[str, bytes]) -> bytes:
    """The archive; its bytes depend on the contents alone."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.startswith("binaries/") else 0o644) << 16
            archive.writestr(entry, data)
    return memory.getvalue()
