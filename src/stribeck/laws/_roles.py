"""What parameters of friction laws are for, and in which order they are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..declare import Values


class Role(StrEnum):
    """What a parameter of a law is for. Fits size their starts by it and leave some roles fixed unless they are named.

    >>> v_s = Param(1e-3, "{vel}", "Stribeck speed", above=0, role=Role.SPEED)
    """

    COULOMB = "Coulomb friction"
    STATIC = "static friction"
    CURVE = "friction over speed"
    DAMPING = "damping"
    STIFFNESS = "stiffness"
    SPEED = "characteristic speed"
    SHAPE = "shape"
    """Shapes a curve or a transition; records seldom determine it."""
    NUMERICAL = "numerical"
    """Serves the computation: windows of speed, rates of decay."""

    @property
    def fitted(self) -> bool:
        """Whether a fit of the law looks for it without its being named."""
        return self not in (Role.SHAPE, Role.NUMERICAL)


@dataclass(frozen=True)
class AtMost:
    """An order of two parameters: the first one must not be above the second.

    >>> AtMost("mu_c", "mu_s").faults(Values(mu_c=2, mu_s=1.5))
    ['mu_s = 1.5 must not be below mu_c = 2; raise mu_s or lower mu_c']
    """

    lower: str
    upper: str

    def faults(self, p: Values) -> list[str]:
        """The fault of parameters in another order, with the way out."""
        low, high = getattr(p, self.lower), getattr(p, self.upper)
        if low <= high:
            return []
        words = f"{self.upper} = {high:g} must not be below {self.lower} = {low:g}"
        return [f"{words}; raise {self.upper} or lower {self.lower}"]
