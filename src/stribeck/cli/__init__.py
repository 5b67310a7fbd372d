"""The command line: stribeck run, check, models."""

from .app import app

__all__ = ["app"]
