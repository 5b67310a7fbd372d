"""The equations of a law as formulas, with their exact derivatives: what its functions in C and on a tape compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..declare import unknown
from ..errors import SpecError
from ..formula import Formula, FormulaTape, NoDerivative, derivative, is_zero
from ._calls import call, checked_numbers, flow_of, placed
from .law import LOCKS, Flow, Mode


class _Parameters:
    """The parameters of a law as formulas; another name is refused."""

    def __init__(self, formulas: Mapping[str, Formula]) -> None:
        vars(self).update(formulas)

    def __getattr__(self, name: str) -> Any:
        raise SpecError(unknown("there is no parameter", name, vars(self)) + "; each is a line name = Param(...)")


@dataclass(frozen=True)
class LawFunction:
    """A function of the kernel: results by the names of the arrays that they are written to."""

    results: Mapping[str, list[Formula]]

    @property
    def outputs(self) -> list[Formula]:
        """All results, one array after the other."""
        return [formula for formulas in self.results.values() for formula in formulas]


class LawEquations:
    """A law at formulas for its parameters, speed and states: what its functions return, and their derivatives.

    >>> equations = LawEquations(LuGre)
    >>> equations.friction
    Formula(sigma0*z + sigma1*(v - sigma0*z*|v|/(mu_c + (mu_s - mu_c)*stribeck(v, v_s, exponent))) + sigma2*v)
    """

    def __init__(self, law: Any) -> None:
        self.law = law
        self.tape = tape = FormulaTape()
        self.inputs: dict[str, Formula] = {}
        self.p = _Parameters(vars(law.symbols(self._input)))
        self.scalars = {name: self.inputs[name] for name in law.scalars}
        self.v, self.v_held, self.hold = tape.input("v"), tape.input("v_held"), tape.input("hold")
        self.turn = tape.input("turn")
        self.z = [tape.input(name) for name in law.states]
        self.flow = self._at(self.v)

    def _input(self, name: str) -> Formula:
        """A parameter as a formula; its name is kept."""
        self.inputs[name] = self.tape.input(name)
        return self.inputs[name]

    def _at(self, v: Formula) -> list[Formula]:
        """Friction and rates, with the curves of the speed at v."""
        with placed(self.law, "g"):
            curves = self.law.curves(self.p, v)
        return self._outputs(flow_of(self.law, self.p, self.v, self.z, curves))

    def _outputs(self, flow: Flow) -> list[Formula]:
        """Friction and the rates of all states, those of discrete ones 0."""
        law = self.law
        continuous = [name for name, state in law.states.items() if not isinstance(state, Mode)]
        if list(flow.rates) != continuous:
            raise SpecError(
                f"{law.__name__}: flow() gives rates for {list(flow.rates)}, the states are {continuous}; give one "
                "rate for each state, in order, and none for a Mode"
            )
        for x in (flow.friction, *flow.rates.values()):
            checked_numbers(law, "flow" if law.states else "friction", x, 1)
        return self._formulas([flow.friction, *(flow.rates.get(name, 0.0) for name in law.states)])

    def _formulas(self, values: Sequence[Any]) -> list[Formula]:
        return [self.tape.formula(value) for value in values]

    @property
    def friction(self) -> Formula:
        """Friction per unit of load."""
        return self.flow[0]

    @property
    def discrete(self) -> list[bool]:
        """Which states are discrete."""
        return [isinstance(state, Mode) for state in self.law.states.values()]

    def slopes(self, outputs: Sequence[Formula]) -> list[Formula]:
        """The derivatives of friction and rates by speed and states, row-major; 0 by discrete states."""
        columns = [(self.v, False), *zip(self.z, self.discrete, strict=True)]
        return self._formulas([0.0 if fixed else derivative(y, x) for y in outputs for x, fixed in columns])

    @cached_property
    def held(self) -> list[Formula]:
        """Friction and rates with the curves of the speed at v_held: a step of the fixed-step solver keeps them at one
        speed, because the equations of a step would have three solutions where a curve falls steeply."""
        return self._at(self.v_held)

    @cached_property
    def steady(self) -> list[Formula]:
        """The states in steady sliding."""
        return self._results("steady", self.p, self.v) if self.z else []

    def _results(self, name: str, *arguments: Any, **named: Any) -> list[Formula]:
        """The states that a function of the law returns."""
        return self._formulas(checked_numbers(self.law, name, call(self.law, name, *arguments, **named), len(self.z)))

    def _result(self, name: str, *arguments: Any) -> Formula:
        """The number that a function of the law returns."""
        return self.tape.formula(checked_numbers(self.law, name, call(self.law, name, *arguments), 1)[0])

    @cached_property
    def storage(self) -> Formula:
        """The energy stored in the states."""
        return self._result("storage", self.p, *self.z)

    @cached_property
    def gradient(self) -> list[Formula]:
        """Its derivatives by the states; 0 by discrete ones."""
        return self._formulas(self._by_states([self.storage]))

    @cached_property
    def curvature(self) -> list[Formula]:
        """Its second derivatives, row-major."""
        return self._formulas(self._by_states(self.gradient))

    def _by_states(self, outputs: Sequence[Formula]) -> list[Any]:
        return [
            0.0 if fixed else derivative(y, x) for y in outputs for x, fixed in zip(self.z, self.discrete, strict=True)
        ]

    @cached_property
    def jumps(self) -> list[Any]:
        """The changes of the discrete states."""
        if not any(self.discrete):
            return []
        found = list(call(self.law, "jumps", self.p, self.v, *self.z, hold=self.hold))
        for jump in found:
            for name in jump.states:
                if name not in self.law.states:
                    raise SpecError(unknown(f"{self.law.__name__}, jumps: there is no state", name, self.law.states))
        return found

    @cached_property
    def linear(self) -> bool:
        """Whether friction and rates are linear in the states at constant speed."""
        try:
            return all(is_zero(self._plain(x)) for x in self._by_states(self._formulas(self._by_states(self.flow))))
        except NoDerivative:
            return False

    def _plain(self, x: Any) -> Any:
        """A number if it is a constant."""
        return self.tape.values.get(x.node, x) if isinstance(x, Formula) else x

    def _check_lock(self) -> None:
        """Refuses a way of sticking that there is not, and a window that is not used."""
        name, lock = self.law.__name__, self.law.lock
        if lock not in LOCKS:
            raise SpecError(unknown(f"{name}: lock cannot be", str(lock), LOCKS))
        if lock == "switch" and hasattr(self.law, "stick"):
            raise SpecError(
                f'{name}: lock = "switch" has no window; write lock = "karnopp" or "hybrid", or remove stick'
            )

    def by_parameters(self, outputs: Sequence[Formula]) -> list[Formula]:
        """The derivatives of some outputs by each parameter, one parameter after the other; 0 by those that cannot
        vary."""
        able = [(x, name in self.law.variable) for name, x in self.scalars.items()]
        return self._formulas([derivative(y, x) if varies else 0.0 for x, varies in able for y in outputs])

    def _check_window(self, values: Sequence[Any]) -> None:
        """Refuses speeds and decay rates of sticking that follow a signal: no equation moves a window over a contact at
        rest."""
        for name in self.law.variable:
            if any(not is_zero(self._plain(derivative(x, self.scalars[name]))) for x in self._formulas(values)):
                raise SpecError(
                    f"{self.law.__name__}: {name} cannot vary, since it sets the window in which the law sticks; "
                    "declare it without varies"
                )

    @cached_property
    def functions(self) -> dict[str, LawFunction]:
        """The functions of the kernel by name, as far as this law has them."""
        law, results = self.law, dict[str, dict[str, list[Formula]]]()
        results["flow"] = {"out": self.flow}
        results["flow_jac"] = {"out": self.flow, "jac": self.slopes(self.flow)}
        if law.family != "locking":
            results["held_jac"] = {"out": self.held, "jac": self.slopes(self.held)}
        if self.z:
            results["steady"] = {"state": self.steady}
        if law.family == "bristle":
            results["storage"] = {"grad": self.gradient, "return": [self.storage]}
            results["curvature"] = {"hess": self.curvature}
        if law.family == "locking":
            results["breakaway"] = {"return": [self._result("breakaway", self.p, *self.z)]}
            if hasattr(law, "change"):
                results["change"] = {"new_state": self._results("change", self.p, self.v, *self.z, turn=self.turn)}
            self._check_lock()
            if law.lock != "switch":
                stick = call(law, "stick", self.p)
                self._check_window([stick.window, stick.release, stick.relaxation])
                window = [stick.window, stick.release, stick.relaxation, stick.capture]
                results["stick"] = {"out": self._formulas(window)}
        if law.variable:
            results["flow_param"] = {"out": self.by_parameters(self.flow)}
            if law.family == "locking":
                results["breakaway_param"] = {"return": self.by_parameters(results["breakaway"]["return"])}
            if law.family == "bristle":
                results["storage_param"] = {"out": self.by_parameters([*self.gradient, self.storage])}
        if self.jumps:
            results["guard"] = {"out": self._formulas([jump.guard for jump in self.jumps])}
            after = [
                jump.states.get(name, z) for jump in self.jumps for name, z in zip(law.states, self.z, strict=True)
            ]
            results["jump"] = {"new_state": self._formulas(after)}
        return {name: LawFunction(arrays) for name, arrays in results.items()}
