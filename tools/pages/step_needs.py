"""The table of docs/realtime.md with what laws need at a fixed step; python -m tools.pages.tables puts it there."""

from __future__ import annotations

from stribeck.laws import StepConditions, all_laws

from .markdown import table

ANY = StepConditions(h=1e-3, inertia=1.0, load=1.0, force=1.0, acceleration=1.0, speed=1.0)
"""Conditions of a contact: rules and reasons do not depend on them."""


def needs_table() -> str:
    """Parameters, rules and reasons, each with the laws that state it.

    >>> print(needs_table())
    """
    laws: dict[tuple[str, str, str], list[str]] = {}
    for law in all_laws().values():
        for need in law.step_needs(law().resolve({}, law.__name__), ANY):
            laws.setdefault((need.parameter, need.rule, need.why), []).append(f"`{law.__name__}`")
    rows = [[f"{name} of {', '.join(of)}", rule, why] for (name, rule, why), of in laws.items()]
    nothing = [f"`{law.__name__}`" for law in all_laws().values() if not law.step_needs(law().resolve({}, ""), ANY)]
    return table(["parameter", "needs", "why"], [*rows, [", ".join(nothing), "nothing", "sticks at v = 0 exactly"]])
