"""Sensors of the stick-slip rig."""

from stribeck.compile.layout import Layout
from stribeck.compile.sensors import Sensors


def sensors(layout: Layout) -> Sensors:
    return layout.sensors
