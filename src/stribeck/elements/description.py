"""The documentation of an element: text, examples, flanges, and the table of its parameters."""

from __future__ import annotations

import inspect
from typing import Any

from .domains import DOMAINS
from .element import Element

HEAD = ["parameter", "default", "unit", "must be", "also", "meaning"]


def about(kind: type[Element]) -> tuple[str, str]:
    """The text about an element, and its examples as code.

    >>> about(Spring)[0]
    'A linear spring: tau = c (phi_rel - phi_rel0), ...'
    """
    lines = (inspect.getdoc(kind) or "").splitlines()
    prompts = (">>> ", "... ")
    text = [line for line in lines if not line.startswith(prompts)]
    return "\n".join(text).strip(), "\n".join(line[4:] for line in lines if line.startswith(prompts))


def connections(kind: type[Element]) -> str:
    """Flanges and ports as text.

    >>> connections(Spring)
    'Flanges: a, [b].'
    """
    flanges = ", ".join(f"[{name}]" if name in kind.to_ground else name for name in kind.flanges)
    ports = ", ".join(kind.ports)
    return f"Flanges: {flanges}." + (f" Port: {ports}, to a ThermalMass." if ports else "")


def parameters(kind: type[Element]) -> list[list[str]]:
    """Name, default, unit, bounds, other names and meaning of every parameter.

    >>> parameters(Spring)[0]
    ['c', 'must be given', 'N.m/rad, N/m', 'at least 0', '', 'stiffness']
    """
    return [
        [name, default(param), unit(kind, param.unit), param.rule, ", ".join(param.aliases), meaning(param)]
        for name, param in kind.params.items()
    ]


def default(param: Any) -> str:
    """The default of a parameter as text.

    >>> default(Spring.c)
    'must be given'
    """
    if param.default is None:
        return "none" if param.optional else "must be given"
    return f"{param.default:g}" if isinstance(param.default, int | float) else str(param.default)


def unit(kind: type[Element], template: str) -> str:
    """The units of a template: of the domain of the element, or both the rotational and the translational one.

    >>> unit(Spring, "{force}/{disp}")
    'N.m/rad, N/m'
    """
    own = [DOMAINS[kind.domain]] if kind.domain in DOMAINS else list(DOMAINS.values())
    found = [template.format_map(domain.units) for domain in own] if "{" in template else [template]
    return ", ".join("-" if one == "1" else one for one in dict.fromkeys(found))


def meaning(param: Any) -> str:
    """The text of a parameter, with its options.

    >>> meaning(Clutch.engage)
    'bristle deflection ...: steady, frozen, zero'
    """
    words = [str(word) for word in getattr(param, "options", ())]
    return f"{param.text}: {', '.join(words)}" if words else param.text
