"""Examples in docstrings run, and show what is true; `support.examples` says how."""

import doctest

import matplotlib
import pytest
from support.examples import doctests, module_name, run, sources

SKIPPED = 5
"""Examples that may be marked as not run, in all."""
"""Packages and modules with examples that do not run yet."""


def case(path):
    """A file; not run if its package is pending, but with `pytest --runxfail`."""
    name = module_name(path)
    pending = name.startswith(PENDING)
    return pytest.param(path, id=name, marks=[pytest.mark.xfail(run=False)] if pending else [])


@pytest.mark.parametrize("path", [case(path) for path in sources()])
def test_examples_are_true(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matplotlib.use("agg")
    count, report = run(path)
    examples = [example for test in doctests(path) for example in test.examples]
    assert count == sum(not example.options.get(doctest.SKIP) for example in examples)
    assert not report, "".join(report)


def test_few_are_skipped():
    examples = [example for path in sources() for test in doctests(path) for example in test.examples]
    assert len(examples) > 1000
    assert sum(example.options.get(doctest.SKIP, False) for example in examples) <= SKIPPED
