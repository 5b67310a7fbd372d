"""The model description of FMI 2.0."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from .description import DIFFERENT, TOOL, Description, attributes, log_categories, number, written
from .units import unit_definitions
from .variables import TYPES, Variable


def model_description(d: Description) -> str:
    """The file modelDescription.xml.

    >>> model_description(description).splitlines()[1][:40]
    '<fmiModelDescription fmiVersion="2.0" mo'
    """
    root = Element(
        "fmiModelDescription",
        fmiVersion="2.0",
        modelName=d.program.name,
        guid=d.token,
        description=d.text,
        generationTool=f"{TOOL} {d.version}",
        variableNamingConvention=d.naming,
        numberOfEventIndicators=str(len(d.variables.indicators)),
    )
    _interfaces(root, d)
    unit_definitions(root, (variable.unit for variable in d.variables.all))
    _types(root)
    log_categories(root)
    SubElement(root, "DefaultExperiment", dict(d.experiment))
    variables = SubElement(root, "ModelVariables")
    for variable in d.variables.all:
        if variable.causality != "independent":  # FMI 2 has the time without a variable
            _variable(variables, variable, d)
    _structure(SubElement(root, "ModelStructure"), d)
    return written(root)


def _interfaces(root: Element, d: Description) -> None:
    common = {"modelIdentifier": d.identifier, "canNotUseMemoryManagementFunctions": "true", **DIFFERENT[2]}
    more = {
        "me": ("ModelExchange", {"providesDirectionalDerivative": "true"}),
        "cs": ("CoSimulation", {"canHandleVariableCommunicationStepSize": "true"}),
    }
    for kind in ("me", "cs"):
        if kind in d.types:
            name, own = more[kind]
            interface = SubElement(root, name, {**common, **own})
            if d.sources:
                files = SubElement(interface, "SourceFiles")
                for source in d.sources:
                    SubElement(files, "File", name=source)


def _types(root: Element) -> None:
    definitions = SubElement(root, "TypeDefinitions")
    for kind in TYPES:
        simple = SubElement(definitions, "SimpleType", name=kind.name, description=kind.text)
        enumeration = SubElement(simple, "Enumeration")
        for name, value in kind.items.items():
            SubElement(enumeration, "Item", name=name, value=str(value))


def _variable(parent: Element, v: Variable, d: Description) -> None:
    scalar = SubElement(
        parent,
        "ScalarVariable",
        attributes(
            name=v.name,
            valueReference=str(v.reference),
            description=v.text,
            causality=v.causality,
            variability=v.variability,
            initial="" if v.causality == "input" else v.initial,
        ),
    )
    values = {
        "min": number(v, v.min),
        "max": number(v, v.max),
        "start": number(v, v.start),
    }
    if v.type is not None:
        SubElement(scalar, "Enumeration", attributes(declaredType=v.type.name, **values))
    else:
        state = "" if v.state is None else str(d.variables.index[v.state])
        units = {"unit": v.unit, "displayUnit": v.display}
        SubElement(scalar, "Real", attributes(**units, **values, nominal=v.nominal, derivative=state))


def _structure(parent: Element, d: Description) -> None:
    index = d.variables.index
    groups = (("Outputs", d.variables.outputs), ("Derivatives", d.variables.rates))
    for name, references in groups:
        if references:
            group = SubElement(parent, name)
            for reference in references:
                needed = d.dependencies(reference)
                known = {} if needed is None else {"dependencies": " ".join(str(index[r]) for r in needed)}
                SubElement(group, "Unknown", {"index": str(index[reference]), **known})
    if d.variables.initial_unknowns:
        group = SubElement(parent, "InitialUnknowns")
        starts = d.initial_dependencies
        known = {} if starts is None else {"dependencies": " ".join(str(index[r]) for r in starts)}
        for reference in d.variables.initial_unknowns:
            SubElement(group, "Unknown", {"index": str(index[reference]), **known})
