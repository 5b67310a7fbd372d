"""The drivelines of realtime.py as a loop in Python, for the interpreter or for Numba: realtime_hand.c, word for word.

loop = build(lambda function: function, time.perf_counter_ns)      # or build(numba.njit, clock of C)
loop(law, plant, w1, n, out, keep, ns)
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, exp, sqrt, tanh
from typing import Any

TANH, CLASSIC, KARNOPP, CLASSIC_STRIBECK, KARNOPP_STRIBECK, LUGRE = range(6)
DRIVES, POINTS = 6, 6


def build(jit: Callable[[Any], Any], now_ns: Callable[[], int]) -> Callable[..., None]:
    """The loop, its functions passed through jit."""

    @jit
    def command(times, values, segment, t):
        while segment < POINTS - 2 and t >= times[segment + 1]:
            segment += 1
        share = (t - times[segment]) / (times[segment + 1] - times[segment])
        share = min(max(share, 0.0), 1.0)
        return values[segment] + (values[segment + 1] - values[segment]) * share, segment

    @jit
    def curve(mu_c, mu_s, v_s, slip):
        x = slip / v_s
        return mu_c + (mu_s - mu_c) * exp(-min(x * x, 700.0))

    @jit
    def tangent(mu_c, mu_s, v_s, c, load, slip, free):
        v = abs(slip)
        friction = curve(mu_c, mu_s, v_s, v)
        gain = abs(free) - c * load * friction - v
        if gain > 1e-6 * v:
            slope = (curve(mu_c, mu_s, v_s, v + gain) - friction) / gain
        else:
            slope = -2.0 * v / (v_s * v_s) * (friction - mu_c)
        rise = max(0.5 * load * slope, -0.5 / c)
        return load * friction - rise * v, rise

    @jit
    def share_of(stiff):
        return (0.5 + stiff) / (1.0 + stiff)

    @jit
    def root_tanh(v_0, c, load, slip, free):
        scale, top = 2.0 / v_0, abs(free)
        s = min(max(copysign(1.0, free) * slip, max(top - c * load, 0.0)), top)
        for _ in range(20):
            f = tanh(scale * s)
            change = (top - s - c * load * f) / (1.0 + c * load * scale * (1.0 - f * f))
            s += change
            if abs(change) <= 1e-12 * top:
                break
        return copysign((top - s) / c, free)

    @jit
    def answer_tanh(v_0, c, load, slip, free):
        share = share_of(c * load * 2.0 / v_0)
        return root_tanh(v_0, share * c, load, slip, slip + share * (free - slip))

    @jit
    def answer_box(c, target, box, cut, rise, free):
        hold = (free - target) / c
        if abs(hold) <= box:
            return hold
        side = copysign(1.0, hold)
        slip = (free - c * side * cut) / (1.0 + c * rise)
        return side * cut + rise * slip if side * (slip - target) > 0.0 else side * box

    @jit
    def answer_classic(mu_s, c, load, begin, cut, rise, stuck, slip, free):
        if stuck and abs(free) <= c * load * mu_s:
            return free / c, True
        box = load * begin
        if slip * free < 0.0:
            box = max(box, load * mu_s - abs(slip) / c)
        return answer_box(c, 0.0, box, cut, rise, free), abs(free) <= c * box

    @jit
    def answer_karnopp(mu_s, dv, c, load, begin, cut, rise, stuck, slip, free):
        inside = abs(slip) < dv or (stuck and abs(slip) <= (1.0 + 1e-9) * dv)
        target = slip if inside else copysign(dv, slip)
        box = load * (mu_s if inside else begin)
        hold = (free - target) / c
        if inside:
            return min(max(hold, -box), box), abs(hold) <= box
        return answer_box(c, target, box, cut, rise, free), abs(hold) <= box

    @jit
    def root_lugre(sigma0, sigma1, h, c, load, g, state, free):
        cl = c * load
        sign = copysign(1.0, free - cl * sigma0 * state)
        z = sign * state
        a, damping = h * sigma0 / g, sigma1 / h
        constant = cl * sigma0 * z - sign * free
        linear = 1.0 + cl * (sigma0 * h + sigma1 - damping * z * a) - sign * free * a
        root = sqrt(linear * linear - 4.0 * a * constant)
        u = -2.0 * constant / (linear + root) if linear > 0.0 else 0.5 * (root - linear) / a
        z_new = (z + h * u) / (1.0 + a * u)
        return sign * load * (sigma0 * z_new + damping * (z_new - z)), sign * z_new

    @jit
    def answer_lugre(mu_c, mu_s, v_s, sigma0, sigma1, h, c, load, pressed, z, before, slip, free):
        g = curve(mu_c, mu_s, v_s, slip)
        if not pressed:
            z = copysign(g, slip) / sigma0
        push, relax = c * load, sigma0 * abs(slip) / g
        by_slip = sigma1 * (1.0 - copysign(sigma0 / g, slip) * z)
        by_state = sigma0 - sigma1 * relax
        stiff = push * max(abs(by_slip), sigma1) + h * (push * max(abs(by_state), sigma0) + relax)
        share = share_of(stiff)
        held = curve(mu_c, mu_s, v_s, slip + (1.0 - share) * (slip - before))
        tau, met = root_lugre(sigma0, sigma1, share * h, share * c, load, held, z, slip + share * (free - slip))
        return tau, z + (met - z) / share

    @jit
    def prepare(h, i1, i2, i3, stiffness):
        stiff = stiffness * (1.0 / i2 + 1.0 / i3) * h * h
        damper = 0.75 * stiffness * h * stiff / (1.0 + stiff)
        k = 0.25 * h * h * stiffness + h * damper
        det = (i2 + k) * (i3 + k) - k * k
        b22, b23, b33, inv_i1 = (i3 + k) / det, k / det, (i2 + k) / det, 1.0 / i1
        return b22, b23, b33, inv_i1, 0.5 * h, 0.5 * h + damper / stiffness, h * (inv_i1 + b22)

    @jit
    def task(law, plant, constants, state, flags, t, out):
        (h, _, _, _, stiffness, t1, torque, mu_c, mu_s, v_s, v_0, dv, sigma0, sigma1, times, values, delay) = plant
        b22, b23, b33, inv_i1, half, lead, c = constants
        for i in range(DRIVES):
            w1, w2, w3, th, z, before = state[i]
            stuck, pressed, segment = flags[i]
            share, segment = command(times, values, segment, t + half - delay * i)
            load, slip, twist = torque * share, w2 - w1, w2 - w3

            impulse = h * stiffness * (th + lead * twist)
            w1 += h * t1 * inv_i1
            w2 += (b23 - b22) * impulse
            w3 += (b33 - b23) * impulse
            free, tau, locked = w2 - w1, 0.0, False
            if load > 0.0:
                if law == TANH:
                    tau = answer_tanh(v_0, c, load, slip, free)
                elif law == LUGRE:
                    bristles = (pressed != 0, z, before)
                    tau, z = answer_lugre(mu_c, mu_s, v_s, sigma0, sigma1, h, c, load, *bristles, slip, free)
                else:
                    falls = law in (CLASSIC_STRIBECK, KARNOPP_STRIBECK)
                    cut, rise = tangent(mu_c, mu_s, v_s, c, load, slip, free) if falls else (load * mu_c, 0.0)
                    if law in (KARNOPP, KARNOPP_STRIBECK):
                        begin = curve(mu_c, mu_s, v_s, dv) if falls else mu_c
                        tau, locked = answer_karnopp(mu_s, dv, c, load, begin, cut, rise, stuck != 0, slip, free)
                    else:
                        begin = mu_s if falls else mu_c
                        tau, locked = answer_classic(mu_s, c, load, begin, cut, rise, stuck != 0, slip, free)
            push = h * tau
            w1 += inv_i1 * push
            w2 -= b22 * push
            w3 -= b23 * push
            if locked and law in (CLASSIC, CLASSIC_STRIBECK):
                w2 = w1
            th += half * (twist + w2 - w3)
            state[i] = (w1, w2, w3, th, z, slip)
            flags[i] = (1 if locked else 0, 1 if load > 0.0 else 0, segment)
            out[i] = (w1, w2, w3, tau)

    def loop(law, plant, w1, n, out, keep, ns):
        clock = len(ns) > 0
        h = plant[0]
        constants = prepare(plant[0], plant[1], plant[2], plant[3], plant[4])
        state = [(w1, 0.0, 0.0, 0.0, 0.0, -w1) for _ in range(DRIVES)]
        flags = [(0, 0, 0) for _ in range(DRIVES)]
        for i in range(n):
            start = now_ns() if clock else 0
            task(law, plant, constants, state, flags, i * h, out[i if keep else 0])
            if clock:
                ns[i] = now_ns() - start

    return jit(loop)
