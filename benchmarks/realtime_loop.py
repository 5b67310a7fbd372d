"""The drivelines of realtime.py as a loop in Python, for the interpreter or for Numba: realtime_hand.c, word for word.

loop = build(lambda function: function, time.perf_counter_ns)      # or build(numba.njit, clock of C)
loop(law, plant, w1, n, out, keep, ns)
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, exp, tanh
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
        steepest, f = c * load * 2.0 / v_0, tanh(2.0 * slip / v_0)
        share = share_of(steepest * (1.0 - f * f))
        tau = root_tanh(v_0, share * c, load, slip, slip + share * (free - slip))
        if (free - c * tau) * slip >= 0.0:
            return tau
        share = share_of(steepest)
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
    def sign_of(slip):
        return copysign(1.0, slip) if slip != 0.0 else 0.0

    @jit
    def share_of_relaxing(x):
        return 0.5 + 0.5 * x * (x + 4.0) / (x * x + 6.0 * x + 24.0)

    @jit
    def meet(sigma0, sigma1, h, push, g, z, slip):
        by_slip, relax = 1.0 - sign_of(slip) * sigma0 / g * z, h * sigma0 * abs(slip) / g
        spring, damper = h * sigma0 * by_slip - sigma1 * relax * by_slip, sigma1 * by_slip
        met = share_of(push * abs(damper + spring / (1.0 + relax)))
        return met, max(push * spring / (1.0 + push * max(damper, 0.0)), 0.0)

    @jit
    def bend(sigma0, sigma1, h, met, recoil, z_met, g, z, s):
        relax, by_slip = sigma0 * abs(s) / g, 1.0 - sign_of(s) * sigma0 / g * z_met
        share = share_of_relaxing(recoil + h * relax)
        part, by_state = share * h, sigma0 - sigma1 * relax
        z_met = (z + part * s) / (1.0 + part * relax)
        rise = met * (sigma1 * by_slip + by_state * part * by_slip / (1.0 + part * relax))
        return sigma0 * z_met + sigma1 * (s - relax * z_met), rise, share, z_met

    @jit
    def answer_lugre(mu_c, mu_s, v_s, sigma0, sigma1, h, c, load, pressed, z, before, slip, free):
        push = c * load
        if not pressed:
            z = copysign(curve(mu_c, mu_s, v_s, slip), slip) / sigma0
        met, recoil = meet(sigma0, sigma1, h, push, curve(mu_c, mu_s, v_s, slip), z, slip)
        middle = slip + 0.5 * (slip - before)
        g, s, z_met, share, turned, i = curve(mu_c, mu_s, v_s, middle), slip, z, 1.0, False, 0
        while i < 60:
            at = s if turned else 0.5 * (slip + s)
            if 0 < i < 20 and abs(at - middle) > 1e-3 * abs(at):
                middle = at
                g = curve(mu_c, mu_s, v_s, middle)
            cut, rise, share, z_met = bend(sigma0, sigma1, h, met, recoil, z_met, g, z, slip + met * (s - slip))
            rise = max(push * rise, -0.5) if i < 20 else push * rise
            after = s - (s + push * cut - free) / (1.0 + rise)
            after = 0.0 if after * s < 0.0 else after
            found = abs(after - s) <= 1e-13 * (abs(s) + abs(free))
            if found and (turned or s * slip >= 0.0):
                break
            if found:
                turned, i, middle = True, 0, 0.0
                g = curve(mu_c, mu_s, v_s, 0.0)
                met, recoil = meet(sigma0, sigma1, h, push, g, z, 0.0)
            s = after
            i += 1
        return (free - s) / c, z + (z_met - z) / share

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
