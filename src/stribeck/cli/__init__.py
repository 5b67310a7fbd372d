"""The command line: stribeck run, check, compare, elements, laws, models, new."""

from .app import app

__all__ = ["app"]
