"""Identification: from measured files to parameters that can be trusted."""

from .measurement import Measurement

__all__ = ["Measurement"]
