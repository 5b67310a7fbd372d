"""Names for examples of sweeps: a small study, its store, and a cluster."""

from typing import Any

from support.examples import once

import stribeck as sb
from stribeck.sweeps.store import Store
from stribeck.sweeps.sweep import Work

GRID = {"spring.c": [1.0, 2.0, 3.0], "pull.w": [0.1, 0.2]}


@once
def study() -> sb.sweeps.Study:
    return sb.sweep("stick-slip", GRID, ["mass.w:max"], t_end=5)


def design() -> sb.sweeps.Design:
    return sb.sweeps.grid(GRID)


def about() -> dict[str, Any]:
    """What a store is about."""
    units = {"spring.c": "N.m/rad", "pull.w": "rad/s", "mass.w:max": "rad/s"}
    model = sb.load_model("stick-slip").to_yaml()
    return {"model": model, "settings": {}, "measures": ["mass.w:max"], "parameters": list(GRID), "units": units}


def store(about: dict[str, Any], design: sb.sweeps.Design) -> Store:
    made = Store.open("study", about, 4)
    made.extend(design.table)
    return made


def work() -> Work:
    return Work(sb.load_model("stick-slip").to_yaml(), ("mass.w:max",), {"t_end": 1.0})


@once
def client() -> Any:
    """A cluster within this process; its usual port may belong to another one."""
    import distributed

    return distributed.Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0")


@once
def branch() -> sb.sweeps.Continuation:
    model = sb.Model("belt", t_end="150 s")
    belt = model.add("belt", sb.Speed(v=0.05))
    mass = model.add("mass", sb.Mass(m=1))
    model.add("spring", sb.SpringDamper(mass, c=1, d=0.2))
    law = sb.Stribeck(mu_c=0.4, mu_s=1.0, v_s=0.4, exponent=1)
    model.add("contact", sb.Clutch(belt, mass, law=law, fn_max=1))
    return sb.continuation(model, "belt.v", [0.5, 1.0, 1.5], "mass.s")
