"""The JSON schema of model files, from the declarations; editors complete and check models with it.

python -m tools.schema > docs/model.schema.json
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import singledispatch
from typing import Any

from stribeck.declare import Count, Declared, Param, Series, Word
from stribeck.elements import DOMAINS, Element, LawParam, all_elements
from stribeck.laws import all_laws
from stribeck.laws._text.description import COMMON, EQUATIONS, NEEDED, ROLES, STICK
from stribeck.laws.law import LOCKS
from stribeck.signals import Column, Matrix, Operand, Operands, all_signals
from stribeck.spec.simulation import Simulation

Schema = dict[str, Any]

QUANTITY = r"^\s*[+-]?(\d|\.\d)"
"""A text that begins with a number: "4 kN"."""
WORD = r"^[^\W\d]\w*$"
NAME = r"^[^\W\d][\w-]*$"
FLANGE = r"^[^\W\d][\w-]*(\.\w+)?$"


def model_schema() -> Schema:
    """The schema (draft 2020-12) of a model file.

    >>> model_schema()["required"]
    ['elements']
    """
    laws = {law.__name__: law for law in all_laws().values()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Stribeck model",
        "description": "A machine with friction: elements by name, connections and the settings of the simulation.",
        "type": "object",
        "required": ["elements"],
        "additionalProperties": False,
        "properties": {
            "name": {"type": "string", "minLength": 1, "description": "name of the model"},
            "laws": {
                "type": "object",
                "propertyNames": {"pattern": WORD},
                "additionalProperties": {"oneOf": [_law_text(family) for family in EQUATIONS]},
                "description": "friction laws as text by name, for use in this model",
            },
            "signals": {
                "type": "object",
                "propertyNames": {"pattern": NAME},
                "additionalProperties": _ref("signal"),
                "description": "signals by name, for use in elements and in each other",
            },
            "elements": {
                "type": "object",
                "minProperties": 1,
                "propertyNames": {"pattern": NAME},
                "additionalProperties": {"oneOf": [_ref(name) for name in all_elements()]},
                "description": "elements by name",
            },
            "connect": {
                "type": "array",
                "items": {"type": "array", "prefixItems": [_ref("flange")] * 2, "minItems": 2, "maxItems": 2},
                "description": "pairs of flanges that move as one, such as [spring.b, mass]",
            },
            "simulation": _object(_properties(Simulation), [], _summary(Simulation)),
        },
        "$defs": {
            "flange": {"type": "string", "pattern": FLANGE, "description": "an element or one of its flanges"},
            "quantity": {"type": "string", "pattern": QUANTITY, "description": "a number with its unit"},
            "reference": {"type": "string", "pattern": FLANGE, "description": "a named signal, or a sensor: mass.w"},
            "signal": {
                "anyOf": [
                    {"type": "number"},
                    _ref("quantity"),
                    _ref("reference"),
                    {"oneOf": [_ref(name) for name in all_signals()]},
                ]
            },
            "changing": {
                "anyOf": [_ref("reference"), {"oneOf": [_ref(name) for name in all_signals()]}],
                "description": "a signal that a parameter of a law follows",
            },
            "law": {
                "anyOf": [
                    {"enum": list(laws)},
                    {"type": "string", "pattern": WORD, "description": "a law of the section laws"},
                    {"oneOf": [*(_ref(name) for name in laws), _law_of_the_model(list(laws))]},
                ]
            },
            "formula": {"type": ["string", "number"], "description": "a formula: mu_c*tanh(v/v_0) + mu_v*v"},
            **{name: _typed(kind) for name, kind in (all_elements() | all_signals() | laws).items()},
        },
    }


def _law_of_the_model(shipped: list[str]) -> Schema:
    """A law of the section `laws`, with values for its parameters."""
    name = {"type": "string", "pattern": WORD, "not": {"enum": shipped}}
    return {"type": "object", "required": ["type"], "properties": {"type": name}}


def _law_text(family: str) -> Schema:
    """A law as text: its entries, by family."""
    kinds = _entries_of_laws()
    known = {key: kinds[key] for key in (*COMMON, *EQUATIONS[family]) if key != "family"}
    return _object(
        {"family": {"const": family}} | known,
        ["family", *NEEDED[family]],
        f"a {family} law: formulas of its parameters",
    )


def _entries_of_laws() -> Schema:
    """What each entry of a law as text is."""
    formula, text = _ref("formula"), {"type": "string", "minLength": 1}
    bounds = {key: {"type": "number"} for key in ("min", "above", "max")}
    number = {"anyOf": [{"type": "number"}, {"type": "array", "minItems": 1, "items": {"type": "number"}}]}
    names = {"type": "array", "items": {"type": "string", "pattern": WORD}}
    role, unit, flag = {"enum": list(ROLES)}, {"type": ["string", "number"]}, {"type": "boolean"}
    parameter = {"default": number, "unit": unit, "text": text, "aliases": names, "times": text, "role": role} | bounds
    parameter["varies"] = flag
    values = {"type": "array", "minItems": 2, "items": {"type": "integer"}}
    state = {"unit": unit, "text": text, "nominal": formula, "bound": formula, "values": values}
    state["directed"] = {"type": "boolean"}
    conditions = {"anyOf": [text, {"type": "array", "items": text}, {"type": "object", "additionalProperties": text}]}
    jump = {"type": "object", "required": ["guard"], "additionalProperties": formula}
    by_state = {"anyOf": [formula, _by_name(formula)]}
    return {
        **dict.fromkeys(("text", "source"), text),
        "parameters": _by_name({"anyOf": [number, _object(parameter, ["default"], "a parameter in SI units")]}),
        **dict.fromkeys(("let", "curves"), _by_name(formula)),
        **dict.fromkeys(("require", "warn"), conditions),
        "passive": {"type": ["boolean", "string"]},
        "odd": {"type": "boolean"},
        "states": _by_name({"anyOf": [values, _object(state, [], "a state; a discrete one has values")]}),
        **dict.fromkeys(("rates", "steady", "change"), by_state),
        "jumps": {"type": "array", "items": jump},
        "lock": {"enum": list(LOCKS)},
        "stick": _object(dict.fromkeys(STICK, formula), [], "the window in which it sticks"),
        **dict.fromkeys(("friction", "storage", "sliding", "breakaway", "nominal_speed", "peak_speed"), formula),
    }


def _by_name(entry: Schema) -> Schema:
    return {"type": "object", "propertyNames": {"pattern": WORD}, "additionalProperties": entry}


@singledispatch
def value_schema(param: Param) -> Schema:
    """The schema of one parameter: a number within its bounds, or a text with a unit.

    >>> value_schema(Param(None, "kg", "mass", above=0))["anyOf"][0]
    {'type': 'number', 'exclusiveMinimum': 0}
    """
    number = {"type": "number", **_bounds(param)}
    return {"anyOf": [number, _ref("quantity"), *([_ref("changing")] if param.varies else [])]}


@value_schema.register
def _(param: Series) -> Schema:
    return {"type": "array", "minItems": 1, "items": value_schema(param.entry)}


@value_schema.register
def _(param: Matrix) -> Schema:
    return {
        "type": "array",
        "minItems": 1,
        "items": {"type": "array", "minItems": 1, "items": value_schema(param.entry)},
    }


@value_schema.register
def _(param: Column) -> Schema:
    return {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "minLength": 1}]}


@value_schema.register
def _(param: Operand) -> Schema:
    return _ref("signal")


@value_schema.register
def _(param: Operands) -> Schema:
    return {"type": "array", "minItems": 1, "items": _ref("signal")}


@value_schema.register
def _(param: LawParam) -> Schema:
    return _ref("law")


@value_schema.register
def _(param: Count) -> Schema:
    return {"type": "integer", **_bounds(param)}


@value_schema.register
def _(param: Word) -> Schema:
    return {"enum": list(param.options)} if param.options else {"type": "string"}


def _typed(kind: type[Declared]) -> Schema:
    """An element, signal or law: its type, its flanges and its parameters."""
    properties: Schema = {"type": {"const": kind.__name__}}
    if issubclass(kind, Element):
        properties |= {flange: _ref("flange") for flange in (*kind.flanges, *kind.ports)}
    schema = _object(properties | _properties(kind), ["type"], _summary(kind))
    choices = [
        {"anyOf": [{"required": [word]} for word in (name, *param.aliases)]}
        for name, param in kind.params.items()
        if param.required
    ]
    return schema | ({"allOf": choices} if choices else {})


def _properties(kind: type[Declared]) -> Schema:
    """All parameters, under each of their names."""
    properties: Schema = {}
    for name, param in kind.params.items():
        entry = {"description": _describe(param), **value_schema(param)}
        if param.default is not None:
            entry["default"] = param.default
        properties |= dict.fromkeys((name, *param.aliases), entry)
    return properties


def _describe(param: Param) -> str:
    """Text and unit; a unit that depends on the place is shown for what turns and for what moves along a line."""
    here = [param.unit.format_map({**domain.units, "value": "unit of its place"}) for domain in DOMAINS.values()]
    unit = " or ".join(dict.fromkeys(here))
    return param.text if unit in ("", "1") else f"{param.text} [{unit}]"


def _bounds(param: Param) -> Schema:
    bounds = {"minimum": param.min, "exclusiveMinimum": param.above, "maximum": param.max}
    return {name: bound for name, bound in bounds.items() if bound is not None}


def _object(properties: Mapping[str, Any], required: list[str], text: str) -> Schema:
    schema = {"type": "object", "description": text, "properties": dict(properties), "additionalProperties": False}
    return schema | ({"required": required} if required else {})


def _summary(kind: type[Declared]) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


if __name__ == "__main__":
    print(json.dumps(model_schema(), indent=2))
