"""The model description and the build description of FMI 3.0."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from .description import DIFFERENT, TOOL, Description, attributes, log_categories, number, written
from .units import unit_definitions
from .variables import TYPES, Variable


def model_description(d: Description) -> str:
    """The file modelDescription.xml.

    >>> model_description(description).splitlines()[1][:40]
    '<fmiModelDescription fmiVersion="3.0" mo'
    """
    root = Element(
        "fmiModelDescription",
        fmiVersion="3.0",
        modelName=d.program.name,
        instantiationToken=d.token,
        description=d.text,
        generationTool=f"{TOOL} {d.version}",
        variableNamingConvention=d.naming,
    )
    common = {"modelIdentifier": d.identifier, **DIFFERENT[3]}
    if "me" in d.types:
        SubElement(root, "ModelExchange", {**common, "providesDirectionalDerivatives": "true"})
    if "cs" in d.types:
        SubElement(root, "CoSimulation", {**common, "canHandleVariableCommunicationStepSize": "true"})
    unit_definitions(root, (variable.unit for variable in d.variables.all))
    _types(root)
    log_categories(root)
    SubElement(root, "DefaultExperiment", dict(d.experiment))
    variables = SubElement(root, "ModelVariables")
    for variable in d.variables.all:
        _variable(variables, variable)
    _structure(SubElement(root, "ModelStructure"), d)
    return written(root)


def build_description(d: Description) -> str:
    """The file sources/buildDescription.xml.

    >>> "BuildConfiguration" in build_description(description)
    True
    """
    root = Element("fmiBuildDescription", fmiVersion="3.0")
    configuration = SubElement(root, "BuildConfiguration", modelIdentifier=d.identifier)
    files = SubElement(configuration, "SourceFileSet", language="C99")
    for source in d.sources:
        SubElement(files, "SourceFile", name=source)
    return written(root)


def _types(root: Element) -> None:
    definitions = SubElement(root, "TypeDefinitions")
    for kind in TYPES:
        enumeration = SubElement(definitions, "EnumerationType", name=kind.name, description=kind.text)
        for name, value in kind.items.items():
            SubElement(enumeration, "Item", name=name, value=str(value))


def _variable(parent: Element, v: Variable) -> None:
    SubElement(
        parent,
        "Float64" if v.type is None else "Enumeration",
        attributes(
            name=v.name,
            valueReference=str(v.reference),
            description=v.text,
            causality=v.causality,
            variability=v.variability,
            initial="" if v.causality == "input" else v.initial,
            declaredType="" if v.type is None else v.type.name,
            unit=v.unit,
            displayUnit=v.display,
            min=number(v, v.min),
            max=number(v, v.max),
            start=number(v, v.start),
            nominal=v.nominal,
            derivative="" if v.state is None else str(v.state),
        ),
    )


def _structure(parent: Element, d: Description) -> None:
    known = d.variables
    groups = (
        ("Output", known.outputs),
        ("ContinuousStateDerivative", known.rates),
        ("InitialUnknown", known.initial_unknowns),
        ("EventIndicator", known.indicators),
    )
    for name, references in groups:
        for reference in references:
            needed = d.initial_dependencies if name == "InitialUnknown" else d.dependencies(reference)
            dependencies = {} if needed is None else {"dependencies": " ".join(map(str, needed))}
            SubElement(parent, name, {"valueReference": str(reference), **dependencies})
