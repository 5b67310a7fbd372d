"""Names for examples of exports: the stick-slip rig as data."""

import stribeck as sb
from stribeck.compile.image import Image
from stribeck.deploy.exported import Exported
from stribeck.deploy.fmi.description import Description
from stribeck.deploy.fmi.variables import variables


def exported(model: sb.Model) -> Exported:
    return Exported.of(model, "1 ms")


def image(exported: Exported) -> Image:
    return exported.image


def description(image: Image) -> Description:
    return Description(image, variables(image, True), "stick_slip", "{1}", ("me", "cs"), "structured", "0.1.0")
