"""Laws outside of the package: names and units are checked when the class is defined; what it does not state follows
from its units and formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..declare import Values
from ..errors import SpecError, UnitError
from . import _derived
from ._dimension import read_unit

ARGUMENTS = {
    "v": "the slip speed",
    "v_held": "the slip speed of a step",
    "hold": "the holding friction",
    "turn": "the change of direction",
}
"""Names that the equations of every law use."""


def complete(law: Any, families: tuple[type, ...]) -> None:
    """Checks the declarations of a law that is not part of the package, and adds what it does not state. A law that
    inherits from one of the package has everything from there.
    """
    taken = {name for family in families for name in dir(family)} | {"friction"}
    for name, declared in (*law.params.items(), *law.states.items()):
        _check_name(law.__name__, name, taken)
        _check_unit(law.__name__, name, declared.unit)
    if any(base.compiled for base in law.__mro__[1:] if issubclass(base, families) and base not in families):
        return
    for name, param in _derived.with_roles(law.params).items():
        if param is not law.params[name]:
            setattr(law, name, param)
            param.__set_name__(law, name)
            law.params[name] = param
    for name, function in DERIVED.items():
        if _stated_in(law, name) in families:
            setattr(law, name, classmethod(function))
    if law.states and not hasattr(law, "steady") and not _has_modes(law):
        law.steady = classmethod(_steady)


def _stated_in(law: Any, name: str) -> type:
    """The class that defines a member."""
    return next(base for base in law.__mro__ if name in vars(base))


def _has_modes(law: Any) -> bool:
    return any(hasattr(state, "values") for state in law.states.values())


def _check_name(law: str, name: str, taken: set[str]) -> None:
    if name in ARGUMENTS:
        raise SpecError(f"{law}: '{name}' is {ARGUMENTS[name]}; choose another name, such as {name}_0")
    if name in taken:
        raise SpecError(f"{law}: '{name}' is a word of every law; choose another name, such as {name}_0")


def _check_unit(law: str, name: str, unit: str) -> None:
    try:
        factor, dimension = read_unit(unit)
    except ValueError as error:
        raise UnitError(f"{law}, {name}: unit: {error}; write for instance '{{load}}.s/{{disp}}'") from None
    if factor != 1:
        raise UnitError(f"{law}, {name}: unit: '{unit}' is not SI, numbers of a law are; write {dimension}")


# --- what follows -----------------------------------------------------------------------------------------------------


def _remarks(law: Any, p: Values) -> list[str]:
    words = f"{law.__name__} says that it is not passive with these parameters; it can generate energy"
    return [] if law.passive(p) else [words]


def _faults(law: Any, p: Values) -> list[str]:
    return [*(fault for order in law.orders for fault in order.faults(p)), *_derived.faults_of_lists(law, p)]


def _steady(law: Any, p: Values, v: Any) -> Any:
    """States with zero rates."""
    if "_solved" not in vars(law):
        try:
            law._solved = _derived.steady_of(list(law.params), list(law.states), law.flow, law.curves)
        except SpecError as error:
            raise SpecError(f"{law.__name__}, steady(p, v): {error}") from None
    return law._solved(p, v)


DERIVED: dict[str, Callable[..., Any]] = {
    "nominal_speed": _derived.slowest,
    "peak_speed": _derived.peak,
    "step_needs": _derived.step_needs,
    "remarks": _remarks,
    "faults": _faults,
}
"""What follows if only the base class states it."""
