"""The command line: stribeck run, check, compare, laws, models, new."""

from .app import app

__all__ = ["app"]
