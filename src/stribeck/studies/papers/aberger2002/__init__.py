"""Aberger and Otter 2002: LuGre friction in Modelica, from one bearing to a car with an automatic gearbox.

>>> from stribeck.studies.papers import aberger2002
>>> aberger2002.stick_slip().plot("mass.w", "friction.tau", path="stick-slip.png")
"""

from ._paper import PAPER

__all__ = ["PAPER"]
