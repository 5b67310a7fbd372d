"""Experiments of section 2.1: a clutch and a one-way clutch with LuGre friction between two bodies."""

from __future__ import annotations

from typing import Any

import stribeck as sb

from ..settings import adjusted


def table_6(sigma0: float = 1e5, sigma1: float = 300.0) -> sb.LuGre:
    """The bristles of the gearbox, Table 6: stiffness (1/rad), damping (s/rad), friction 0.5 at any slip.

    >>> table_6(sigma1=30).sigma1
    30
    """
    return sb.LuGre(sigma0=sigma0, sigma1=sigma1, sigma2=0, mu_c=0.5, mu_s=0.5, w_s="0.001 rad/s")


def synchronise(
    law: Any = None, *, engage: str = "frozen", closes: float = 0.1, slip: float = 10.0, **options: Any
) -> sb.Result:
    """A clutch of Tables 4 and 6 (10 N at most) closes at once on two bodies of 1 kg.m2, one of which turns.

    Bodies and speeds are ours. `engage` sets the first deflection of bristles: "frozen" as when the clutch opened,
    as in the listing of the paper, "steady" as they slide, "zero" straight. With closes=0 it is closed from the start,
    where the listing bends them as they slide.

    >>> peak = synchronise(engage="frozen").extremes["clutch.tau"]["min"]
    >>> f"{peak:.0f} N.m"
    '-30000 N.m'
    """
    m = sb.Model("synchronise", t_end="1.5 s", intervals=1500)
    drive, load = m.add("drive", sb.Inertia(J=1, w0=slip)), m.add("load", sb.Inertia(J=1))
    pressed = sb.Step(1, start=closes) if closes > 0 else 1.0
    lining = {"law": law or table_6(), "fn_max": "10 N", "engage": engage}
    m.add("clutch", sb.Clutch(drive, load, f_normalized=pressed, **lining))
    return sb.simulate(adjusted(m), **options)


def one_way_clutch(law: Any = None, *, cgeo: float = 1.0, parallel: bool = False, **options: Any) -> sb.Result:
    """A motor of changing direction drives a braked wheel through a one-way clutch that is pressed from 1 s on.

    With `parallel` a clutch and a free-wheel in parallel take its place. The machine is ours.

    >>> result = one_way_clutch()
    >>> result.plot("shaft.w", "wheel.w", "clutch.tau", path="one-way.png")
    """
    m = sb.Model("one-way clutch", t_end="3 s", intervals=3000)
    shaft, wheel = m.add("shaft", sb.Inertia(J=1)), m.add("wheel", sb.Inertia(J=1, w0="2 rad/s"))
    m.add("motor", sb.Torque(shaft, tau=sb.Sine("3 N.m", f="0.5 Hz")))
    m.add("drag", sb.Damper(wheel, d=0.2))
    pressed = sb.Step(1, start="1 s")
    lining = {"law": law or sb.Switch(mu_c=0.1, mu_s=0.12), "fn_max": "10 N", "cgeo": cgeo, "f_normalized": pressed}
    kind = sb.Clutch if parallel else sb.OneWayClutch
    m.add("clutch", kind(shaft, wheel, **lining))
    if parallel:
        m.add("free_wheel", sb.FreeWheel(shaft, wheel))
    return sb.simulate(adjusted(m), **options)


def turned_back(
    *, cgeo: float = 1.0, c_max: float = 100.0, backward: bool = True, literally: bool = False
) -> sb.Result:
    """The one-way clutch of (16), pressed with all of its force, is twisted until it yields: backwards, where it is
    locked, or forwards. Locked, our element multiplies (14) by c_max; (16) `literally` has no c_geo, which is the same
    with c_max/c_geo.

    >>> turned_back().extremes["sprag.tau"]["min"]
    -500.0
    """
    m = sb.Model("turned back", t_end="2 ms", intervals=500)
    hand = m.add("hand", sb.Speed(w=sb.Ramp(-0.1 if backward else 0.1, duration="1 ms")))
    lining = {"law": table_6(sigma1=0), "fn_max": "10 N", "cgeo": cgeo, "c_max": c_max / (cgeo if literally else 1)}
    m.add("sprag", sb.OneWayClutch(m.add("housing", sb.Fixed()), hand, **lining))
    return sb.simulate(adjusted(m))
