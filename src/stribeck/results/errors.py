"""Errors of results."""

from __future__ import annotations

from ..errors import StribeckError


class ResultError(StribeckError):
    """A query that a result cannot answer, or a file that it cannot write or read.

    >>> result.save("run.xls")
    ResultError: run.xls: results are saved as .csv, .json, .nc or .parquet
    """


class UnknownOutput(ResultError, KeyError):
    """A name that is not among the outputs; the message suggests the nearest ones.

    >>> result["mass.omega"]
    UnknownOutput: no output 'mass.omega'; mass has mass.phi, mass.w, mass.a
    """

    __str__ = Exception.__str__  # KeyError would show the message in quotes
