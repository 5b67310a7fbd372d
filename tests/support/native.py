"""Laws compiled with the warnings of CI as errors, and called through ctypes."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from stribeck.laws import Law
from tools.codegen.emit import c_file

INCLUDE = Path(__file__).parents[2] / "kernel" / "include"
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]
FLAGS = ["-std=c99", "-O2", "-ffp-contract=off", *WARNINGS, "-fPIC", "-shared"]

DOUBLE = ctypes.c_double
ARRAY = ctypes.POINTER(DOUBLE)
RECORD = ctypes.c_void_p


class Table(ctypes.Structure):
    """struct sb_law of sb_law.h."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("family", ctypes.c_int),
        ("n_param", ctypes.c_int),
        ("n_state", ctypes.c_int),
        ("n_guard", ctypes.c_int),
        ("has_curve", ctypes.c_int),
        ("linear", ctypes.c_int),
        ("lock", ctypes.c_int),
        ("count", ctypes.c_int),
        ("separate", ctypes.c_int),
        ("n_moving", ctypes.c_int),
        ("n_each", ctypes.c_int),
        ("flow", ctypes.CFUNCTYPE(None, RECORD, ARRAY, DOUBLE, ARRAY, ARRAY)),
        ("flow_jac", ctypes.CFUNCTYPE(None, RECORD, ARRAY, DOUBLE, ARRAY, ARRAY, ARRAY)),
        ("held_jac", ctypes.CFUNCTYPE(None, RECORD, ARRAY, DOUBLE, DOUBLE, ARRAY, ARRAY, ARRAY)),
        ("steady", ctypes.CFUNCTYPE(None, RECORD, ARRAY, DOUBLE, ARRAY)),
        ("storage", ctypes.CFUNCTYPE(DOUBLE, RECORD, ARRAY, ARRAY, ARRAY)),
        ("curvature", ctypes.CFUNCTYPE(None, RECORD, ARRAY, ARRAY, ARRAY)),
        ("breakaway", ctypes.CFUNCTYPE(DOUBLE, RECORD, ARRAY, ARRAY)),
        ("change", ctypes.CFUNCTYPE(None, RECORD, ARRAY, DOUBLE, ARRAY, DOUBLE, ARRAY)),
        ("stick", ctypes.CFUNCTYPE(None, RECORD, ARRAY, ARRAY)),
        ("flow_param", ctypes.CFUNCTYPE(None, RECORD, ARRAY, DOUBLE, ARRAY, ctypes.c_int, ARRAY)),
        ("breakaway_param", ctypes.CFUNCTYPE(DOUBLE, RECORD, ARRAY, ARRAY, ctypes.c_int)),
        ("storage_param", ctypes.CFUNCTYPE(DOUBLE, RECORD, ARRAY, ARRAY, ctypes.c_int, ARRAY)),
        ("guard", ctypes.CFUNCTYPE(None, RECORD, ARRAY, DOUBLE, ARRAY, DOUBLE, ARRAY)),
        ("jump", ctypes.CFUNCTYPE(None, RECORD, ARRAY, DOUBLE, ARRAY, DOUBLE, ctypes.c_int, ARRAY)),
        ("advance", ctypes.CFUNCTYPE(None, RECORD, ARRAY, *[DOUBLE] * 5, ARRAY, ARRAY, ARRAY)),
    )


class NativeLaw:
    """One law of the table, with arrays in and out; its name, family and sizes as attributes."""

    def __init__(self, table: Table) -> None:
        self.table, self.record = table, ctypes.addressof(table)
        self.name, self.family = table.name.decode(), ("smooth", "bristle", "locking")[table.family]
        self.n_param, self.n_state, self.n_guard = table.n_param, table.n_state, table.n_guard
        self.count, self.n_each = table.count, table.n_each
        self.has_curve, self.lock = bool(table.has_curve), ("switch", "karnopp", "hybrid")[table.lock]

    def flow(self, p, v, z=()):
        """Friction and rates."""
        out = np.empty(1 + self.n_state)
        self.table.flow(self.record, _in(p), v, _in(z), _out(out))
        return out

    def flow_jac(self, p, v, z=()):
        """The same, and the derivatives by v and z."""
        out, jac = np.empty(1 + self.n_state), np.zeros((1 + self.n_state, 1 + self.n_state))
        n, separate = self.table.n_moving, self.table.separate
        places = np.empty(1 + 3 * n if separate else (1 + n) ** 2)
        self.table.flow_jac(self.record, _in(p), v, _in(z), _out(out), _out(places))
        if not separate:
            jac[: 1 + n, : 1 + n] = places.reshape(1 + n, 1 + n)
            return out, jac
        jac[0, : 1 + n], jac[1 : 1 + n, 0] = places[: 1 + n], places[1 + n : 1 + 2 * n]
        jac[range(1, 1 + n), range(1, 1 + n)] = places[1 + 2 * n :]
        return out, jac

    def steady(self, p, v):
        """States with zero rates."""
        z = np.empty(self.n_state)
        self.table.steady(self.record, _in(p), v, _out(z))
        return z

    def storage(self, p, z):
        """Stored energy and its gradient."""
        grad = np.empty(self.n_state)
        return self.table.storage(self.record, _in(p), _in(z), _out(grad)), grad

    def curvature(self, p, z):
        """Second derivatives of the stored energy."""
        n, separate = self.table.n_moving, self.table.separate
        hess, places = np.zeros((self.n_state, self.n_state)), np.zeros(n if separate else n * n)
        self.table.curvature(self.record, _in(p), _in(z), _out(places))
        hess[:n, :n] = np.diag(places) if separate else places.reshape(n, n)
        return hess

    def breakaway(self, p, z=()):
        """Static limit."""
        return self.table.breakaway(self.record, _in(p), _in(z))

    def change(self, p, v, z, turn):
        """States of a law that begins to stick or to slide."""
        z_new = np.empty(self.n_state)
        self.table.change(self.record, _in(p), v, _in(z), turn, _out(z_new))
        return z_new

    def stick(self, p):
        """Window, release, relaxation, capture."""
        out = np.empty(4)
        self.table.stick(self.record, _in(p), _out(out))
        return out

    def guard(self, p, v, z, hold):
        """Guards of the discrete states."""
        out = np.empty(self.n_guard)
        self.table.guard(self.record, _in(p), v, _in(z), hold, _out(out))
        return out

    def jump(self, p, v, z, hold, which):
        """States after a jump."""
        z_new = np.empty(self.n_state)
        self.table.jump(self.record, _in(p), v, _in(z), hold, which, _out(z_new))
        return z_new

    def advance(self, p, h, v, z, share=1.0):
        """States of a counted law after the time h at constant speed, friction and its two slopes."""
        z_new, out = np.empty(self.n_state), np.empty(3)
        self.table.advance(self.record, _in(p), h, share, v, v, v, _in(z), _out(z_new), _out(out))
        return z_new, out

    def counted(self, count):
        """The same law with another number of elements."""
        table = Table.from_buffer_copy(self.table)
        more = count - table.count
        table.n_state, table.n_guard = table.n_state + 2 * more, table.n_guard + more
        table.n_moving, table.count = table.n_moving + table.separate * more, count
        return NativeLaw(table)


def build(laws: Iterable[type[Law]], folder: Path, source_hash: str = "") -> dict[str, NativeLaw]:
    """Generate, compile and load these laws."""
    source, library = folder / "sb_laws.c", folder / "sb_laws.so"
    source.write_text(c_file(laws, source_hash), encoding="utf-8")
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, *FLAGS, f"-I{INCLUDE}", source, "-o", library, "-lm"], check=True)
    loaded = ctypes.CDLL(str(library))
    n = ctypes.c_int.in_dll(loaded, "sb_n_laws").value
    natives = [NativeLaw(table) for table in (Table * n).in_dll(loaded, "sb_laws")]
    return {native.name: native for native in natives}


def _in(values):
    return (DOUBLE * len(values))(*values)


def _out(array):
    return array.ctypes.data_as(ARRAY)
