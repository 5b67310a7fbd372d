"""The runtime of exported models: compiled from its one file, called through ctypes, or linked to C programs."""

from __future__ import annotations

import ctypes as ct
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from enum import IntEnum
from pathlib import Path

import numpy as np
import pytest

from stribeck import Program
from stribeck.deploy.exported import Exported, runtime_files

CC = shutil.which(os.environ.get("CC", "cc"))
FLAGS = ["-std=c99", "-O0", "-Wall", "-Wextra", "-pedantic", "-Werror", "-ffp-contract=off"]
"""Without optimisation, which does not change results and takes most of the time of a test."""
NUMBER = ct.c_double


class Kind(IntEnum):
    INPUT = 0
    OUTPUT = 1
    PARAMETER = 2
    STATE = 3
    MODE = 4


class ModelData(ct.Structure):
    """struct stribeck_model."""

    _fields_ = (
        ("integers", ct.c_void_p),
        ("n_integers", ct.c_size_t),
        ("numbers", ct.c_void_p),
        ("n_numbers", ct.c_size_t),
        ("text", ct.c_void_p),
        ("n_text", ct.c_size_t),
    )


class Options(ct.Structure):
    """struct stribeck_options."""

    _fields_ = (
        ("solver", ct.c_int),
        ("t0", NUMBER),
        ("h", NUMBER),
        ("substeps", ct.c_int),
        ("tolerance", NUMBER),
        ("t_end", NUMBER),
    )


class Event(ct.Structure):
    """struct stribeck_event."""

    _fields_ = (("states_changed", ct.c_int), ("modes_changed", ct.c_int), ("next", NUMBER))


FIXED, ADAPTIVE, EQUATIONS = range(3)


def compile_c(*words: str | Path, flags: Sequence[str] = FLAGS, compiler: str | None = CC) -> None:
    """A call of the compiler, whose warnings are errors; the test is skipped where there is none."""
    if compiler is None:
        pytest.skip("there is no C compiler")
    done = subprocess.run([compiler, *flags, *map(str, words), "-lm"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def run_program(path: Path, *words: str) -> str:
    """What a program prints."""
    done = subprocess.run([str(path), *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def compile_runtime(folder: Path) -> Path:
    """The runtime as an object file, from its one file, for programs and shared libraries."""
    compile_c("-c", "-fPIC", runtime_files()["stribeck.c"], "-o", folder / "stribeck.o")
    return folder / "stribeck.o"


def load_runtime(compiled: Path) -> ct.CDLL:
    """The runtime as a shared library."""
    library = compiled.with_suffix(".so")
    compile_c("-shared", compiled, "-o", library)
    lib = ct.CDLL(str(library))
    for name in ("size", "snapshot_size"):
        getattr(lib, f"stribeck_{name}").restype = ct.c_size_t
    for name in ("get", "time", "nominal"):
        getattr(lib, f"stribeck_{name}").restype = NUMBER
    for name in ("error", "name", "unit", "indicator_owner"):
        getattr(lib, f"stribeck_{name}").restype = ct.c_char_p
    lib.stribeck_new.restype = ct.c_void_p
    lib.stribeck_defaults.restype = Options
    return lib


class CError(Exception):
    """What stribeck_error says."""


class Plant:
    """A plant of the runtime, started."""

    def __init__(self, lib: ct.CDLL, program: Program, h: float = 1e-3, solver: int = FIXED, **options: float) -> None:
        self.lib, self.program = lib, program
        block = Exported.of(program, h).image.block()
        self._block = np.zeros(len(block) // 8 + 1)  # aligned
        ct.memmove(self._block.ctypes.data, block, len(block))
        self.model = ModelData()
        assert not lib.stribeck_read(
            ct.c_void_p(self._block.ctypes.data), ct.c_size_t(len(block)), ct.byref(self.model)
        )
        size = lib.stribeck_size(ct.byref(self.model))
        self._memory = np.zeros(size // 8 + 1)
        place = ct.c_void_p(self._memory.ctypes.data)
        self.plant = ct.c_void_p(lib.stribeck_new(ct.byref(self.model), place, ct.c_size_t(size)))
        assert self.plant.value
        self.options = lib.stribeck_defaults(ct.byref(self.model))
        self.options.solver = solver
        for name, value in options.items():
            setattr(self.options, name, value)
        self.start()

    def check(self, failed: int) -> None:
        if failed:
            raise CError(self.lib.stribeck_error(self.plant).decode())

    def start(self) -> None:
        self.check(self.lib.stribeck_start(self.plant, ct.byref(self.options)))

    def step(self, n: int = 1) -> None:
        for _ in range(n):
            self.check(self.lib.stribeck_step(self.plant))

    def advance(self, t: float) -> None:
        self.check(self.lib.stribeck_advance(self.plant, NUMBER(t)))

    @property
    def time(self) -> float:
        return float(self.lib.stribeck_time(self.plant))

    def find(self, kind: Kind, name: str) -> int:
        return int(self.lib.stribeck_find(ct.byref(self.model), int(kind), name.encode()))

    def count(self, kind: Kind) -> int:
        return int(self.lib.stribeck_count(ct.byref(self.model), int(kind)))

    def set(self, kind: Kind, values: Mapping[str, float]) -> None:
        for name, value in values.items():
            self.check(self.lib.stribeck_set(self.plant, int(kind), self.find(kind, name), NUMBER(value)))

    def get(self, kind: Kind, name: str) -> float:
        return float(self.lib.stribeck_get(self.plant, int(kind), self.find(kind, name)))

    def all(self, kind: Kind) -> np.ndarray:
        return np.array([self.lib.stribeck_get(self.plant, int(kind), i) for i in range(self.count(kind))])

    def save(self) -> bytes:
        snapshot = ct.create_string_buffer(self.lib.stribeck_snapshot_size(self.plant))
        self.lib.stribeck_save(self.plant, snapshot)
        return snapshot.raw

    def restore(self, snapshot: bytes) -> None:
        self.check(self.lib.stribeck_restore(self.plant, snapshot, ct.c_size_t(len(snapshot))))
