"""The class of a law from its text. What the text does not say follows from its formulas."""

from __future__ import annotations

import copyreg
import json
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any
from weakref import WeakValueDictionary

from ...declare import Values
from ...errors import SpecError, UnknownName
from .. import _derived as derived
from .._dimension import ENERGY, LOAD, VEL
from ..law import AtMost, Conditions, Flow, Jump, Law, LawDefinition, Mode, State, Stick
from .description import FAMILIES, LawText
from .expressions import STICK_UNITS, Expression, Expressions, constant, leaves
from .probe import check_numbers
from .tree import Name, Operator

MODULE = "laws of a model file"
"""The module of these classes: they are not part of the package, so the kernel has no C for them."""

_made: WeakValueDictionary[str, type[Law]] = WeakValueDictionary()
"""Classes that are in use, by name and description: equal texts give one class, so laws of two readings are equal."""


def law_from_text(name: Any, data: Any) -> type[Law]:
    """The class of a law from its name and its description."""
    try:
        key = json.dumps([name, data])
    except (TypeError, ValueError, RecursionError):
        raise SpecError(f"law '{name}': its description must be plain data: mappings, lists, texts, numbers") from None
    law = _made.get(key)
    if law is None:
        law = _made[key] = _TextLaw(LawText.read(name, data), json.loads(key)[1]).build()
    return law


class TextLawType(type):
    """The type of these classes: pickled by name and description, so models with such laws reach other processes."""


def _pickled(law: Any) -> Any:
    return law_from_text, (law.__name__, law.definition.data)


copyreg.pickle(TextLawType, _pickled)


class _TextLaw:
    """Makes the class: one method per part of it."""

    def __init__(self, text: LawText, plain: dict[str, Any]) -> None:
        self.text, self.plain = text, plain
        self.formulas = Expressions(text)
        self.members: dict[str, Any] = {
            "__doc__": text.text_of("text", f"Friction law {text.name}."),
            "__module__": MODULE,
            "source": text.text_of("source", "a law of this model file"),
            **text.params,
        }

    def build(self) -> type[Law]:
        """The class."""
        self.add_states()
        {"smooth": self.add_smooth, "bristle": self.add_bristle, "locking": self.add_locking}[self.text.family]()
        if self.text.jumps:
            self.add_jumps()
        self.add_rules()
        self.add_scales()
        law: Any = TextLawType(self.text.name, (FAMILIES[self.text.family],), self.members, registered=False)
        law.definition = LawDefinition(self.plain, self.written())
        check_numbers(law, self.text, self.members["_expressions"])
        return law

    # --- formulas ---

    def formula(self, key: str, bases: tuple[str, ...], unit: Any) -> Expression:
        """A formula at the top of the description."""
        return self.formulas.formula(self.text.data[key], self.text.place.at(key), bases, unit)

    @property
    def moving(self) -> list[str]:
        """The continuous states."""
        return list(self.text.rates)

    def values(self, p: Values, *arguments: Any, **more: Any) -> dict[str, Any]:
        """The symbols of a formula: parameters, v and states, and what else is known."""
        return {**vars(p), **dict(zip(("v", *self.text.states), arguments, strict=False)), **more}

    def of_states(self, p: Values, z: Sequence[Any]) -> dict[str, Any]:
        """The symbols of a formula that does not depend on the speed."""
        return {**vars(p), **dict(zip(self.text.states, z, strict=True))}

    def of_parameters(self, expression: Expression) -> Callable[[Values], Any]:
        """A function of the parameters alone."""
        return lambda p: expression.at(dict(vars(p)))

    # --- parts of the class ---

    def add_states(self) -> None:
        """States and modes; the nominal value of a state is its largest one, or that of steady sliding."""
        for name, state in self.text.states.items():
            if state.values:
                self.members[name] = Mode(state.text, state.values)
                continue
            place = self.text.place.at("states").at(name)
            given = {
                word: self.of_parameters(self.formulas.formula(value, place.at(word), (), state.unit))
                for word, value in (("nominal", state.nominal), ("bound", state.bound))
                if value is not None
            }
            nominal = given.get("nominal") or given.get("bound") or self.steady_size(name)
            bound = given.get("bound", lambda p: inf)
            self.members[name] = State(str(state.unit), state.text, nominal, bound, state.directed)

    def steady_size(self, name: str) -> Callable[[Values], Any]:
        """The size of a state in slow steady sliding."""
        index = list(self.text.states).index(name)
        return lambda p: derived.size_of_state(self.members["steady"].__func__, p, index)

    def add_smooth(self) -> None:
        """A friction curve."""
        friction = self.formula("friction", ("v",), LOAD)
        self.members["friction"] = staticmethod(lambda p, v: friction.at(self.values(p, v)))
        self.members["_expressions"] = {"friction": friction}

    def add_bristle(self) -> None:
        """Friction and rates, curves, steady states and stored energy."""
        states = tuple(self.text.states)
        friction = self.formula("friction", ("v", *states), LOAD)
        storage = self.formula("storage", states, ENERGY)
        self.add_flow(friction)
        self.add_steady()
        self.members["storage"] = staticmethod(lambda p, *z: storage.at(self.of_states(p, z)))
        curves = {name: self.expression_of(name) for name in self.text.curves}
        if curves:
            self.members["g"] = staticmethod(lambda p, v: tuple(g.at(self.values(p, v)) for g in curves.values()))

    def add_flow(self, friction: Expression) -> None:
        """Friction and rates at one instant; the curves of the speed come after the states."""
        states, curves = tuple(self.text.states), tuple(self.text.curves)
        rates = {name: self.expression_of(f"der({name})") for name in self.moving}

        def flow(p: Values, v: Any, *arguments: Any) -> Flow:
            values = self.values(p, v, *arguments[: len(states)])
            values |= dict(zip(curves, arguments[len(states) :], strict=False))
            found = {name: rate.at(values) for name, rate in rates.items()}
            return Flow(friction.at(values), **found)

        self.members["flow"] = staticmethod(flow)
        self.members["_expressions"] = {"friction": friction, **rates}

    def expression_of(self, name: str) -> Expression:
        """A definition as an expression."""
        formulas = self.formulas
        return formulas._with_needs(formulas.places[name], formulas.trees[name])

    def add_steady(self) -> None:
        """The states in steady sliding: given, or solved from rates that are linear in their state."""
        states, place = self.text.states, self.text.place.at("steady")
        if self.text.steady:
            found = {
                name: self.formulas.formula(text, place.at(name), ("v",), states[name].unit)
                for name, text in self.text.steady.items()
            }

            def steady(p: Values, v: Any) -> tuple[Any, ...]:
                values = self.values(p, v)
                return tuple(expression.at(values) for expression in found.values())

            self.members["steady"] = staticmethod(steady)
        elif states:
            flow, curves = self.members["flow"].__func__, list(map(self.expression_of, self.text.curves))

            def at_speed(p: Values, v: Any) -> tuple[Any, ...]:
                return tuple(curve.at(self.values(p, v)) for curve in curves)

            try:
                solved = derived.steady_of(list(self.text.params), list(states), flow, at_speed)
            except SpecError as error:
                raise place.error(SpecError, f"{error}: steady: {{{next(iter(states))}: ...}}") from None
            self.members["steady"] = staticmethod(solved)

    def add_locking(self) -> None:
        """Sliding friction, break-away, the window, and states if there are any."""
        text, states = self.text, tuple(self.text.states)
        sliding = self.formula("sliding", ("v", *states), LOAD)
        breakaway = self.formula("breakaway", states, LOAD)
        self.members["sliding"] = staticmethod(lambda p, v, *z: sliding.at(self.values(p, v, *z)))
        self.members["breakaway"] = staticmethod(lambda p, *z: breakaway.at(self.of_states(p, z)))
        self.members["lock"] = text.lock
        self.members["_expressions"] = {"sliding": sliding}
        if states:
            self.add_flow(sliding)
            self.add_steady()
        if text.change:
            self.add_change()
        if text.stick:
            self.add_window()

    def add_change(self) -> None:
        """The states when it begins to stick or to slide; those that are not named do not change."""
        states, place = self.text.states, self.text.place.at("change")
        found = {
            name: self.formulas.formula(formula, place.at(name), ("v", "turn", *states), states[name].unit)
            for name, formula in self.text.change.items()
        }

        def change(p: Values, v: Any, *z: Any, turn: Any) -> tuple[Any, ...]:
            values = self.values(p, v, *z, turn=turn)
            return tuple(found[name].at(values) if name in found else values[name] for name in states)

        self.members["change"] = staticmethod(change)

    def add_window(self) -> None:
        """The numbers of the window in which it sticks."""
        text, place = self.text, self.text.place.at("stick")
        window = {
            word: self.formulas.formula(formula, place.at(word), (), STICK_UNITS[word])
            for word, formula in text.stick.items()
        }

        def stick(p: Values) -> Stick:
            return Stick(**{word: expression.at(dict(vars(p))) for word, expression in window.items()})

        self.members["stick"] = staticmethod(stick)

    def add_jumps(self) -> None:
        """Guards and the states after each jump."""
        states, found = tuple(self.text.states), []
        for number, jump in enumerate(self.text.jumps):
            place = self.text.place.at("jumps").at(str(number))
            bases = ("v", "hold", *states)
            guard = self.formulas.formula(jump.guard, place.at("guard"), bases, None)
            after = {}
            for name, formula in jump.values.items():
                unit = self.text.states[name].unit
                after[name] = self.formulas.formula(formula, place.at(name), bases, unit)
                self.check_mode(name, after[name])
            found.append((guard, after))

        def jumps(p: Values, v: Any, *z: Any, hold: Any) -> list[Jump]:
            values = self.values(p, v, *z, hold=hold)
            return [
                Jump(guard.at(values), **{name: expression.at(values) for name, expression in after.items()})
                for guard, after in found
            ]

        self.members["jumps"] = staticmethod(jumps)

    def check_mode(self, name: str, after: Expression) -> None:
        """Refuses a jump to a value that the discrete state does not have."""
        known = self.text.states[name].values
        for leaf in leaves(after.tree):
            value = constant(leaf)
            if known and value is not None and value not in known:
                raise after.place.error(
                    UnknownName,
                    f"{name} has no value {value:g}; write one of {', '.join(map(str, known))}, or add it to values",
                    leaf.span,
                )

    # --- rules and scales ---

    def add_rules(self) -> None:
        """Conditions on the parameters: refused, warned of, and passivity."""
        text = self.text
        orders, required = [], {}
        for condition, advice in text.require.items():
            rule = self.formulas.condition(condition, text.place.at("require"))
            order = _order(rule)
            if order and not advice:
                orders.append(order)
            else:
                required[condition] = (rule, advice)
        warned = {
            condition: (self.formulas.condition(condition, text.place.at("warn")), advice)
            for condition, advice in text.warn.items()
        }
        self.members["orders"] = tuple(orders)
        self.members["odd"] = self.truth("odd", True)

        def faults(cls: type[Law], p: Values) -> list[str]:
            return [
                *(fault for order in cls.orders for fault in order.faults(p)),
                *_broken(required, p, "is required"),
                *derived.faults_of_lists(cls, p),
            ]

        def checks(p: Values, conditions: Conditions | None = None) -> list[str]:
            return _broken(warned, p, "should hold")

        self.members["faults"] = classmethod(faults)
        self.members["checks"] = staticmethod(checks)
        self.add_passivity()

    def add_passivity(self) -> None:
        """Whether it is passive, as stated: true, false or a condition; true by default."""
        stated = self.text.data.get("passive", True)
        if isinstance(stated, bool):
            self.members["passive"] = staticmethod(lambda p: stated)
            condition = "its description says so"
        else:
            rule = self.formulas.condition(stated, self.text.place.at("passive"))
            self.members["passive"] = staticmethod(lambda p: bool(rule.at(dict(vars(p)))))
            condition = f"that needs {rule.place.text}"

        def remarks(cls: type[Law], p: Values) -> list[str]:
            words = f"{cls.__name__} is not passive with these parameters: {condition}; it can generate energy"
            return [] if cls.passive(p) else [words]

        self.members["remarks"] = classmethod(remarks)

    def truth(self, key: str, default: bool) -> bool:
        """An entry that is true or false."""
        value = self.text.data.get(key, default)
        if not isinstance(value, bool):
            raise self.text.place.error(SpecError, f"{key} = {value!r} must be true or false")
        return value

    def add_scales(self) -> None:
        """Characteristic speeds, as far as they are given."""
        text = self.text
        for key in ("nominal_speed", "peak_speed"):
            if text.data.get(key) is not None:
                self.members[key] = staticmethod(self.of_parameters(self.formula(key, (), VEL)))

    def written(self) -> dict[str, Any]:
        """The formulas for people, by name: the definitions as they are written."""
        text, data = self.text, self.text.data
        found: dict[str, Any] = {}
        for key in ("friction", "sliding"):
            if key in data:
                found["friction"] = data[key]
        found |= {f"{name}dot": formula for name, formula in text.rates.items()}
        found |= text.curves | text.let
        found |= {f"{name}_steady": formula for name, formula in text.steady.items()}
        found |= {f"{name}, stick or slide": formula for name, formula in text.change.items()}
        found |= {key: data[key] for key in ("storage", "breakaway") if key in data}
        found |= {f"stick, {word}": formula for word, formula in text.stick.items()}
        for number, jump in enumerate(text.jumps):
            found[f"jump {number}, guard"] = jump.guard
            found |= {f"jump {number}, {name}": formula for name, formula in jump.values.items()}
        return found


def _order(rule: Expression) -> AtMost | None:
    """An inequality of two parameters, if the condition is one: fits respect these."""
    tree = rule.tree
    if not isinstance(tree, Operator) or tree.op not in ("<=", ">="):
        return None
    a, b = tree.parts if tree.op == "<=" else tree.parts[::-1]
    names = dict(rule.needs)
    if isinstance(a, Name) and isinstance(b, Name) and not {a.name, b.name} & set(names):
        return AtMost(a.name, b.name)
    return None


def _broken(rules: Mapping[str, tuple[Expression, str]], p: Values, must: str) -> list[str]:
    """Conditions that do not hold, with the numbers in them."""
    found = []
    for condition, (rule, advice) in rules.items():
        if not rule.at(dict(vars(p))):
            numbers = ", ".join(f"{name} = {getattr(p, name):g}" for name in sorted(rule.names) if _is_scalar(p, name))
            found.append(f"{condition} {must}, but {numbers}; {advice or 'change one of them'}")
    return found


def _is_scalar(p: Values, name: str) -> bool:
    return hasattr(p, name) and not isinstance(getattr(p, name), list)
