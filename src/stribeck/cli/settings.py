"""Models as the command line names them: a file or a shipped model, and values to change."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import SpecError
from ..model import Model, load_model
from ..spec import set_parameter
from .options import OUTSIDE


def model_with(name: str, settings: Sequence[str]) -> Model:
    """The model with the given values changed.

    >>> model_with("stick-slip", ["friction.law.sigma0=1e4"])
    """
    model = named_model(name)
    for path, value in pairs(settings):
        set_parameter(model, path, value)
    return model


def named_model(name: str) -> Model:
    """The model of that name; its data files may be anywhere if the command line says --outside.

    >>> named_model("stick-slip")
    """
    return load_model(name, outside=OUTSIDE.get())


def pairs(settings: Sequence[str]) -> list[tuple[str, str]]:
    """Paths and values of settings.

    >>> pairs(["mass.J=2 kg.m2"])
    [('mass.J', '2 kg.m2')]
    """
    split = [setting.partition("=") for setting in settings]
    for setting, (path, _, value) in zip(settings, split, strict=True):
        if not path.strip() or not value.strip():
            raise SpecError(f"--set {setting}: write PATH=VALUE, for instance --set friction.law.sigma0=1e4")
    return [(path.strip(), value.strip()) for path, _, value in split]
