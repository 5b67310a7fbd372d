"""The runtime of an FMU as machine code: ready for this computer, made by zig for others and kept in the user's cache.

The runtime is the same for every model, so a platform is compiled once for each version of the package.
"""

from __future__ import annotations

import hashlib
import os
import platform
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ...declare import unknown
from ...errors import SpecError, StribeckError
from ...optional import require
from ...writing import make_folder, write_chunks, write_text
from .sources import runtime_source

Progress = Callable[[str], None]
"""Is called with what is being done."""


@dataclass(frozen=True)
class Platform:
    """A platform: its names, and what zig calls it.

    >>> PLATFORMS["win64"].fmi3
    'x86_64-windows'
    """

    name: str
    fmi2: str
    """Folder of its binaries in FMI 2."""
    fmi3: str
    """And in FMI 3."""
    target: str
    suffix: str
    words: str


PLATFORMS = {
    known.name: known
    for known in (
        Platform("linux64", "linux64", "x86_64-linux", "x86_64-linux-gnu.2.17", ".so", "Linux x64"),
        Platform("linux-arm64", "aarch64-linux", "aarch64-linux", "aarch64-linux-gnu.2.17", ".so", "Linux arm64"),
        Platform("win64", "win64", "x86_64-windows", "x86_64-windows-gnu", ".dll", "Windows x64"),
        Platform("darwin64", "darwin64", "x86_64-darwin", "x86_64-macos.11.0", ".dylib", "macOS x64"),
        Platform("darwin-arm64", "darwin64", "aarch64-darwin", "aarch64-macos.11.0", ".dylib", "macOS arm64"),
    )
}
"""All platforms. FMI 2 has no name for arm64: on Linux its folder is that of FMI 3, on macOS both share one file."""

MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
SYSTEMS = {"linux": "linux", "darwin": "darwin", "win32": "windows"}
FLAGS = ("-std=c99", "-O2", "-ffp-contract=off", "-fvisibility=hidden", "-shared", "-s", "-DNDEBUG")
"""Options of zig. Without fused multiply-add results are the same everywhere."""
POSITION_INDEPENDENT = ("-fPIC",)
LIBRARY = "stribeck_fmu"
"""The runtime for this computer, made by the build of the package."""


def own_platform() -> Platform:
    """The platform of this computer.

    >>> own_platform().fmi3 in {known.fmi3 for known in PLATFORMS.values()}
    True
    """
    name = f"{MACHINES.get(platform.machine().lower(), platform.machine())}-{SYSTEMS.get(sys.platform, sys.platform)}"
    for known in PLATFORMS.values():
        if known.fmi3 == name:
            return known
    raise SpecError(f"fmu: there is no binary for this computer ({name}); export with platforms and sources=True")


def chosen_platforms(wanted: str | Sequence[str]) -> list[Platform]:
    """The platforms that are wanted: "own", "all", or names of them.

    >>> [known.name for known in chosen_platforms("linux64,win64")]
    ['linux64', 'win64']
    """
    names = wanted.split(",") if isinstance(wanted, str) else list(wanted)
    by_name = PLATFORMS | {known.fmi3: known for known in PLATFORMS.values()}
    found: dict[str, Platform] = {}
    for name in (word.strip() for word in names):
        if name == "own":
            chosen = [own_platform()]
        elif name == "all":
            chosen = list(PLATFORMS.values())
        elif name in by_name:
            chosen = [by_name[name]]
        else:
            raise SpecError(unknown("fmu: there is no platform", name, ["own", "all", *PLATFORMS]))
        found |= {known.name: known for known in chosen}
    return list(found.values())


def package_file(name: str) -> Path | None:
    """A file that the build has put into this package, None if it has not."""
    from . import __path__

    return next((path for folder in __path__ if (path := Path(folder, name)).exists()), None)


def binary(known: Platform, progress: Progress | None = None) -> bytes:
    """The runtime for a platform.

    >>> len(binary(own_platform())) > 100_000
    True
    """
    ready = package_file(f"{LIBRARY}{known.suffix}")
    if ready is not None and known == own_platform():
        return ready.read_bytes()
    return _cross_compiled(known, progress)


def binaries(wanted: Sequence[Platform], version: int, progress: Progress | None = None) -> dict[str, bytes]:
    """Files by their paths below binaries/, without the name of the model."""
    parts: dict[str, list[bytes]] = {}
    for known in wanted:
        folder = known.fmi2 if version == 2 else known.fmi3
        parts.setdefault(f"{folder}/{known.suffix}", []).append(binary(known, progress))
    return {path: made[0] if len(made) == 1 else universal(made) for path, made in parts.items()}


def cache_folder() -> Path:
    """Where compiled runtimes are kept: STRIBECK_CACHE, or the cache folder of the user.

    >>> cache_folder().name
    'stribeck'
    """
    given = os.environ.get("STRIBECK_CACHE")
    if given:
        return Path(given)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "stribeck"


def _cross_compiled(known: Platform, progress: Progress | None) -> bytes:
    """The runtime by zig, from the cache if it has been made before."""
    source = runtime_source()
    digest = hashlib.sha256("\n".join((known.target, *FLAGS, source)).encode()).hexdigest()[:16]
    kept = cache_folder() / f"{LIBRARY}-{known.fmi3}-{digest}{known.suffix}"
    if not kept.exists():
        require("ziglang", f"fmu: a binary for {known.words}", StribeckError, "cross")
        if progress is not None:
            progress(f"compiling the runtime for {known.words}; kept in {kept.parent}")
        make_folder(kept.parent)
        write_chunks(kept, [compiled(source, known)])
    return kept.read_bytes()


def compiled(source: str, known: Platform) -> bytes:
    """A C file as a shared library, by zig."""
    with TemporaryDirectory() as folder:
        file = write_text(Path(folder, f"{LIBRARY}.c"), source)
        out = Path(folder, f"{LIBRARY}{known.suffix}")
        flags = [*FLAGS, *(POSITION_INDEPENDENT if known.suffix != ".dll" else ())]
        libraries = [] if known.suffix == ".dll" else ["-lm"]
        command = [sys.executable, "-m", "ziglang", "cc", "-target", known.target, *flags]
        made = subprocess.run([*command, str(file), "-o", str(out), *libraries], capture_output=True, text=True)
        if made.returncode or not out.exists():
            reason = " ".join(made.stderr.split())[:300]
            raise StribeckError(f"fmu: zig could not compile the runtime for {known.words}: {reason}")
        return out.read_bytes()


FAT_MAGIC, PAGE = 0xCAFEBABE, 14
"""The head of a file of macOS with several architectures, and the alignment of its parts (a power of 2)."""


def universal(parts: Sequence[bytes]) -> bytes:
    """One file of macOS from those of several architectures.

    >>> universal([struct.pack("<III", 0xFEEDFACF, 7, 3), struct.pack("<III", 0xFEEDFACF, 12, 0)])[:4].hex()
    'cafebabe'
    """
    size = 1 << PAGE
    head, body, offset = struct.pack(">II", FAT_MAGIC, len(parts)), b"", size
    for part in parts:
        cpu, subtype = struct.unpack_from("<II", part, 4)
        head += struct.pack(">IIIII", cpu, subtype, offset, len(part), PAGE)
        padded = part + bytes(-len(part) % size)
        body += padded
        offset += len(padded)
    return head + bytes(size - len(head)) + body
