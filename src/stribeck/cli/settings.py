"""Models as the command line names them: a file or a shipped model, and values to change."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import SpecError
from ..spec import Model, load_model, set_parameter


def model_with(name: str, settings: Sequence[str]) -> Model:
    """The model with the given values changed.

    >>> model_with("stick-slip", ["friction.law.sigma0=1e4"])
    """
    model = load_model(name)
    for setting in settings:
        path, equals, value = setting.partition("=")
        if not equals or not path.strip() or not value.strip():
            raise SpecError(f"--set {setting}: write PATH=VALUE, for instance --set friction.law.sigma0=1e4")
        set_parameter(model, path.strip(), value.strip())
    return model
