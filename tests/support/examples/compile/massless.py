"""Two springs in series between two inertias."""

import stribeck as sb


def model() -> sb.Model:
    m = sb.Model("series")
    left, right = m.add("left", sb.Inertia(J=1)), m.add("right", sb.Inertia(J=1))
    p = m.add("p", sb.Spring(left, c=3))
    t = m.add("t", sb.Spring(b=right, c=1))
    m.connect(p.b, t.a)
    return m
