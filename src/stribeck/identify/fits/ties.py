"""Checks of the mapping from channels to inputs and outputs: their units, and inputs without a channel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...errors import SpecError
from ...units import parse_unit
from .simulation import Rig, spoken


def check_ties(rig: Rig, free: Sequence[str] = ()) -> None:
    """Raises a SpecError for names that the model does not have, for channels with other units than the inputs and
    outputs that they are mapped to, and for inputs that neither a channel drives nor a `free` parameter sets.

    >>> check_ties(Rig(model, run, outputs={"load.s": "v"}, inputs={"motor.f": "f"}, initial={}))
    SpecError: fit: the output 'load.s' is in m, and 'v' of run7 in m/s; name the channel that measured it, ...
    """
    _ = rig.base  # refuses names that the model does not have
    program, inputs = rig.bare, rig.bare.inputs
    _compare(rig, "output", rig.outputs, dict(zip(program.output_names, program.output_units, strict=True)))
    _compare(rig, "input", rig.driven_by, {name: given.unit for name, given in inputs.items()})
    for name, given in inputs.items():
        if name in rig.driven_by or any(path.startswith(f"{name}.") for path in free):
            continue
        place = spoken(rig.model, name)
        raise SpecError(
            f"fit: no channel drives the input '{place}'; name one, inputs={{'{place}': channel}} "
            f"(channels: {', '.join(rig.measurement.names)}), or fix it with initial={{'{place}': {given.start:g}}} "
            f"(--input {place}=CHANNEL, or --initial {place}={given.start:g})"
        )


def _compare(rig: Rig, kind: str, ties: Mapping[str, str], units: Mapping[str, str]) -> None:
    """Refuses a channel whose unit does not match; one without a unit matches anything."""
    for name, channel in ties.items():
        stated, own = rig.measurement.units[channel], units[name]
        numbers = {"", "1"} & {stated, own}
        if not numbers and parse_unit(stated).powers != parse_unit(own).powers:
            way = "name the channel that measured it" if kind == "output" else "name the channel that drives it"
            raise SpecError(
                f"fit: the {kind} '{name}' is in {own}, and '{channel}' of {rig.measurement.name} in {stated}; {way}, "
                "or correct its unit with units={...}"
            )
