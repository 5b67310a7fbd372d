"""Names for examples of the papers."""

from types import ModuleType

from support.examples import once

import stribeck_papers.guo2017
from stribeck_papers.nouailletas2010 import Identified, identify
from stribeck_papers.petrun2012._coupling import SHORT
from stribeck_papers.petrun2012.clutch import TestBed
from stribeck_papers.report import Report


def guo2017() -> ModuleType:
    return stribeck_papers.guo2017


@once
def part() -> Report:
    """One item of a paper."""
    paper = stribeck_papers.guo2017.PAPER
    return Report(paper, list(paper.run(["Equation 1"], quick=True)))


@once
def found() -> Identified:
    return identify(substeps=2)


def bed() -> TestBed:
    """With a cycle of 0.28 s."""
    return TestBed(cycle=SHORT)
