"""The clutch models as the paper writes them, in C and in Python: two subsystems for Table 1, (6) and Karnopp's window.

Six powertrains make a task, by Runge-Kutta 4 with modes seen at the ends of steps, as a generated program would do it.
"""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from ..compiled import compile_c, instructions, program_folder
from .powertrain import HOLDS, SLIDES, STEP

TANH, CLASSIC, KARNOPP = 0, 1, 2
KINDS = {"tanh": TANH, "classic": CLASSIC, "Karnopp": KARNOPP}
I1, I2, I3, SHAFT, TORQUE = 0.2, 0.05, 0.65, 60.0, 60.0
"""Inertias (kg.m2), stiffness of the shaft (N.m/rad) and torque of the engine (N.m)."""

CODE = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TRAINS 6
static const double I1 = %(I1)r, I2 = %(I2)r, I3 = %(I3)r, K = %(SHAFT)r, T1 = %(TORQUE)r, H = %(STEP)r;
static const double TFD = %(SLIDES)r, TFS = %(static)r, W0 = 6.5, DV = 1.0, WS = 5.0;

enum { TANH, CLASSIC, KARNOPP, KIND = %(kind)d, STRIBECK = %(stribeck)d };
enum { W1, W2, TH, W3, W, STATES };

static double x[TRAINS][STATES], now;
static int stuck[TRAINS];

static double command(int train, double t)
{
    const double u = (t - 0.2) / (0.5 + 0.25 * (train + 1));
    return u < 0 ? 0 : u > 1 ? 1 : u;
}

static double sliding(double com, double slip)
{
    return STRIBECK ? com * (TFD + (TFS - TFD) * exp(-(slip / WS) * (slip / WS))) : com * TFD;
}

static double holding(const double *y)
{
    return (I2 * T1 + I1 * K * y[TH]) / (I1 + I2);
}

static double clutch(int train, double t, const double *y)
{
    const double com = command(train, t), slip = y[W1] - y[W2];
    if (KIND == TANH) {
        return com * TFD * tanh(2 * slip / W0);
    }
    if (KIND == KARNOPP && fabs(slip) < DV) {
        const double most = com * TFS, held = holding(y);
        return held > most ? most : held < -most ? -most : held;
    }
    return slip > 0 ? sliding(com, slip) : slip < 0 ? -sliding(com, slip) : 0;
}

static void rates(int train, double t, const double *y, double *d)
{
    if (KIND == CLASSIC && stuck[train]) {
        d[W1] = d[W2] = 0;
        d[W] = (T1 - K * y[TH]) / (I1 + I2);
        d[TH] = y[W] - y[W3];
    } else {
        const double torque = clutch(train, t, y);
        d[W1] = (T1 - torque) / I1;
        d[W2] = (torque - K * y[TH]) / I2;
        d[W] = 0;
        d[TH] = y[W2] - y[W3];
    }
    d[W3] = K * y[TH] / I3;
}

static void switch_modes(int train, double before)
{
    double *y = x[train];
    const double most = command(train, now) * TFS, held = fabs(holding(y));
    if (stuck[train] && held > most) {
        stuck[train] = 0;
        y[W1] = y[W2] = y[W];
    } else if (!stuck[train] && before * (y[W1] - y[W2]) <= 0 && held <= most) {
        stuck[train] = 1;
        y[W] = (I1 * y[W1] + I2 * y[W2]) / (I1 + I2);
    }
}

int task(void);

__attribute__((noinline)) int task(void)
{
    const int n = KIND == CLASSIC ? STATES : W;
    for (int train = 0; train < TRAINS; ++train) {
        double *y = x[train], k[4][STATES], z[STATES];
        const double before = y[W1] - y[W2];
        rates(train, now, y, k[0]);
        for (int stage = 1; stage < 4; ++stage) {
            const double part = stage == 3 ? H : 0.5 * H;
            for (int i = 0; i < n; ++i) {
                z[i] = y[i] + part * k[stage - 1][i];
            }
            rates(train, now + part, z, k[stage]);
        }
        for (int i = 0; i < n; ++i) {
            y[i] += H / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
        }
        if (KIND == CLASSIC) {
            switch_modes(train, before);
        }
    }
    now += H;
    return 0;
}

int main(int argc, char **argv)
{
    for (int train = 0; train < TRAINS; ++train) {
        x[train][W1] = 100;
    }
    for (long i = 0; i < (argc > 1 ? atol(argv[1]) : 4000); ++i) {
        task();
    }
    for (int train = 0; train < TRAINS; ++train) {
        printf("%%.17g %%.17g\\n", stuck[train] ? x[train][W] : x[train][W1], x[train][W3]);
    }
    return 0;
}
"""


@cache
def literal_program(clutch: str) -> Path:
    """The six powertrains as a program; `clutch` is one of the models of Table 2.

    >>> literal_program("Karnopp, Stribeck").name
    'karnopp_stribeck'
    """
    name, _, rest = clutch.partition(", ")
    known = {"I1": I1, "I2": I2, "I3": I3, "SHAFT": SHAFT, "TORQUE": TORQUE, "STEP": STEP, "SLIDES": SLIDES}
    static = SLIDES if rest == "no stick-slip" else HOLDS
    text = CODE % {**known, "static": static, "kind": KINDS[name], "stribeck": int(rest == "Stribeck")}
    target = program_folder() / re.sub(r"\W+", "_", clutch.lower())
    compile_c("-O2", "-lm", "-o", target, text=text)
    return target


def literal_speeds(clutch: str, tasks: int = 4000) -> np.ndarray:
    """Speeds (rad/s) of engine and car of each of the six powertrains after some tasks.

    >>> literal_speeds("tanh").shape
    (6, 2)
    """
    shown = subprocess.run([literal_program(clutch), str(tasks)], check=True, capture_output=True, text=True).stdout
    return np.array([[float(number) for number in line.split()] for line in shown.splitlines()])


def literal_count(clutch: str, tasks: int = 4000) -> float:
    """Mean number of instructions of a task.

    >>> literal_count("tanh", 50) > 1000
    True
    """
    return instructions(literal_program(clutch), tasks)


# --- Table 1 with events -------------------------------------------------------------------------------------------


class Subsystems(NamedTuple):
    """A launch with two sets of equations: when it locks (s), the states in both, and the last speeds (rad/s)."""

    locks: float
    states: tuple[str, ...]
    engine: float
    car: float


def two_subsystems(t_end: float = 4.0) -> Subsystems:
    """Table 1 as the text builds it: one subsystem with w1 and w2 while the clutch slips, another one with w while it
    is locked, each enabled when the other is not; the shaft has its twist and w3.

    >>> round(two_subsystems().locks, 6)
    1.093215
    """

    def command(t: float) -> float:
        return min(max((t - 0.2) / 1.5, 0.0), 1.0)

    def slipping(t: float, x: np.ndarray) -> list[float]:
        _, w2, _, twist, w3 = x
        torque = SLIDES * command(t)  # the engine is the faster side until both meet
        return [(TORQUE - torque) / I1, (torque - SHAFT * twist) / I2, 0.0, w2 - w3, SHAFT * twist / I3]

    def locked(t: float, x: np.ndarray) -> list[float]:
        _, _, w, twist, w3 = x
        return [0.0, 0.0, (TORQUE - SHAFT * twist) / (I1 + I2), w - w3, SHAFT * twist / I3]

    def meet(t: float, x: np.ndarray) -> float:
        return float(x[0] - x[1])

    meet.terminal = True  # type: ignore[attr-defined]
    fine = {"rtol": 1e-11, "atol": 1e-12, "method": "DOP853"}
    first = solve_ivp(slipping, (0.0, 0.2), [100.0, 0.0, 0.0, 0.0, 0.0], **fine)  # the command has a kink at 0.2 s
    slips = solve_ivp(slipping, (0.2, t_end), first.y[:, -1], events=meet, **fine)
    w1, w2, _, twist, w3 = slips.y[:, -1]
    shared = (I1 * w1 + I2 * w2) / (I1 + I2)
    sticks = solve_ivp(locked, (slips.t[-1], t_end), [w1, w2, shared, twist, w3], **fine)
    return Subsystems(float(slips.t[-1]), ("w1", "w2", "w", "twist", "w3"), *map(float, sticks.y[[2, 4], -1]))


# --- Karnopp's window with a given external torque -----------------------------------------------------------------


def karnopp_with(holding: str, t_end: float = 4.0) -> np.ndarray:
    """Speed of the gearbox (rad/s) at every millisecond, with 3 degrees of freedom and Karnopp's window of 1 rad/s,
    whose external torque is that of this powertrain ("shaft") or of one with a rigid shaft ("rigid").

    >>> karnopp_with("shaft").shape
    (4001,)
    """

    def rates(t: float, x: np.ndarray) -> np.ndarray:
        w1, w2, twist, w3 = x
        com, slip, shaft = min(max((t - 0.2) / 1.5, 0.0), 1.0), w1 - w2, SHAFT * twist
        if abs(slip) < 1.0:
            whole = I2 + I3
            held = (I2 * TORQUE + I1 * shaft) / (I1 + I2) if holding == "shaft" else whole * TORQUE / (I1 + whole)
            torque = float(np.clip(held, -com * HOLDS, com * HOLDS))
        else:
            torque = float(com * SLIDES * np.sign(slip))
        return np.array([(TORQUE - torque) / I1, (torque - shaft) / I2, w2 - w3, shaft / I3])

    x, seen = np.array([100.0, 0.0, 0.0, 0.0]), [0.0]
    for i in range(round(t_end / STEP)):
        t, h = i * STEP, STEP
        a = rates(t, x)
        b = rates(t + h / 2, x + h / 2 * a)
        c = rates(t + h / 2, x + h / 2 * b)
        d = rates(t + h, x + h * c)
        x = x + h / 6 * (a + 2 * b + 2 * c + d)
        seen.append(float(x[1]))
    return np.array(seen)
