"""Identification: from measured files to parameters that can be trusted."""

from .estimate import Estimate, linear_fit
from .measurement import Measurement

__all__ = ["Estimate", "Measurement", "linear_fit"]
