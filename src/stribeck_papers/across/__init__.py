"""Across the papers: laws, experiments and costs on the rig that three of them share."""

from ._study import STUDY

__all__ = ["STUDY"]
