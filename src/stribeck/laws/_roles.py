"""Roles of the parameters of friction laws, and inequalities between them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..declare import Values


class Role(StrEnum):
    """The role of a parameter. Fits scale initial values by it, and keep some roles fixed unless named.

    >>> LuGre.v_s.role
    <Role.SPEED: 'characteristic speed'>
    """

    COULOMB = "Coulomb friction"
    STATIC = "static friction"
    CURVE = "friction over speed"
    DAMPING = "damping"
    STIFFNESS = "stiffness"
    SPEED = "characteristic speed"
    SHAPE = "shape"
    """Shapes a curve or a transition; seldom identifiable from records."""
    NUMERICAL = "numerical"
    """Numerical parameters: speed windows, decay rates."""

    @property
    def fitted(self) -> bool:
        """Whether a fit of the law includes it by default."""
        return self not in (Role.SHAPE, Role.NUMERICAL)


@dataclass(frozen=True)
class AtMost:
    """An inequality of two parameters: the first must not exceed the second.

    >>> AtMost("mu_c", "mu_s").faults(Values(mu_c=2, mu_s=1.5))
    ['mu_s = 1.5 must not be below mu_c = 2; raise mu_s or lower mu_c']
    """

    lower: str
    upper: str

    def faults(self, p: Values) -> list[str]:
        """A message if the inequality is violated, with the way out."""
        low, high = getattr(p, self.lower), getattr(p, self.upper)
        if low <= high:
            return []
        words = f"{self.upper} = {high:g} must not be below {self.lower} = {low:g}"
        return [f"{words}; raise {self.upper} or lower {self.lower}"]
