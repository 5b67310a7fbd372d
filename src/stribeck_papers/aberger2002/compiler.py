"""The listing of the paper in C, compiled for the x87 processor of its time with one option or another.

The code has the shape that a Modelica tool writes: parameters, states, derivatives and auxiliary variables in arrays,
one function for the model, another one for the integrator. What a compiler keeps in the registers of 64 bits of that
processor, and what it rounds to the 53 bits of memory, is up to its options.
"""

from __future__ import annotations

import platform
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from shutil import which

import stribeck as sb

from .bearing import BEARING, PULL, STIFFNESS, T_END
from .dassl import Z_N

SOURCE = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double P[9] = {SIGMA0, SIGMA1, TAU_V, TAU_C, TAU_S, W_S, Z_N, STIFFNESS, PULL}, W[2], X[3], F[3];
int bristles, sliding;
__attribute__((noinline)) void model(double t)
{
    F[0] = X[1];
    F[2] = 0;
    if (bristles) {
        W[0] = 1 / P[0] * (P[3] + (P[4] - P[3]) * exp(-(X[1] / P[5]) * (X[1] / P[5])));
        F[2] = X[1] / P[6] - fabs(X[1]) * X[2] / W[0];
        W[1] = P[0] * X[2] * P[6] + P[1] * F[2] * P[6] + P[2] * X[1];
        F[1] = P[7] * (P[8] * t - X[0]) - W[1];
    } else {
        W[1] = P[3] + P[2] * X[1];
        F[1] = sliding ? P[7] * (P[8] * t - X[0]) - W[1] : 0;
    }
}
__attribute__((noinline)) void step(double t, double h, int stages)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double start[3], sum[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) start[i] = X[i];
    for (int k = 0; k < stages; ++k) {
        for (int i = 0; i < 3; ++i) X[i] = start[i] + part[k] * h * F[i] * (k > 0);
        model(t + part[k] * h);
        for (int i = 0; i < 3; ++i) sum[i] += weight[k] * F[i];
    }
    for (int i = 0; i < 3; ++i) X[i] = start[i] + h / (stages > 1 ? 6 : 1) * sum[i];
    if (sliding && X[1] <= 0) { sliding = 0; X[1] = 0; }
    else if (!sliding && P[7] * (P[8] * (t + h) - X[0]) > P[4]) sliding = 1;
}
int main(int n, char **argument)
{
    const double h = atof(argument[1]), end = atof(argument[2]), cell = 0.01;
    const int stages = strcmp(argument[3], "RKFIX4") ? 1 : 4, whole = (int)(cell / h + 1e-9);
    bristles = !strcmp(argument[n - 1], "LuGre");
    for (int k = 0; k < (int)(end / cell + 0.5); ++k) {
        for (int i = 0; i < whole; ++i) step(k * cell + i * h, h, stages);
        if (cell - whole * h > 1e-9) step(k * cell + whole * h, cell - whole * h, stages);
    }
    printf("%.12g\n", X[0]);
    return 0;
}
"""
"""By Runge-Kutta 4 or Euler, in steps that end on every point of a grid of 10 ms; last comes the angle of the mass."""

NEEDS_COMPILER = "needs gcc on an x86 processor, which has the registers of the x87"


@cache
def has_x87_compiler() -> bool:
    """Whether a compiler for the x87 processor is installed.

    >>> has_x87_compiler() in (True, False)
    True
    """
    if which("gcc") is None or platform.machine() not in ("x86_64", "i686", "AMD64"):
        return False
    try:
        _program("-O0")
    except sb.StribeckError:
        return False
    return True


@cache
def compiler_version() -> str:
    """Of gcc, such as "12.2.0".

    >>> compiler_version().count(".")
    2
    """
    return subprocess.run(["gcc", "-dumpfullversion"], capture_output=True, text=True, check=True).stdout.strip()


@cache
def compiled_angle(
    options: str, h: float, method: str = "RKFIX4", friction: str = "LuGre", t_end: float = T_END
) -> float:
    """The angle (rad) of the mass of Figure 1 at t_end (s) by "RKFIX4" or "EULER" in steps of h (s), with "LuGre" or
    "BearingFriction", by a program that gcc has compiled for the x87 with these options.

    >>> compiled_angle("-O0", 1e-3), compiled_angle("-O2", 1e-3)
    (1.9088, 0.534)
    """
    command = [str(_program(options)), repr(h), repr(t_end), method, friction]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


_FOLDER: list[tempfile.TemporaryDirectory[str]] = []
"""Of the programs, until this process ends."""


@cache
def _program(options: str) -> Path:
    """The compiled program."""
    if not _FOLDER:
        _FOLDER.append(tempfile.TemporaryDirectory(prefix="x87-"))
    folder = Path(_FOLDER[0].name)
    program = folder / f"rig{options.replace(' ', '')}"
    numbers = {**BEARING, "z_n": Z_N, "stiffness": STIFFNESS, "pull": PULL}
    given = [f"-D{name.upper()}={value!r}" for name, value in numbers.items()]
    command = ["gcc", "-std=gnu11", "-mfpmath=387", *options.split(), *given, "-xc", "-", "-o", str(program), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, input=SOURCE)
    if done.returncode:
        raise sb.StribeckError(f"gcc {options}: {done.stderr.strip().splitlines()[-1]}")
    return program
