"""The command line: stribeck run, check, compare, identify, bench-test, elements, laws, models, new."""

from .app import app

__all__ = ["app"]
