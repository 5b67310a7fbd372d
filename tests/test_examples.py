"""Examples in docstrings run, and show what is true; `support.examples` says how."""

import doctest

import matplotlib
import pytest
from support.examples import doctests, module_name, run, sources

SKIPPED = 10
"""Examples that may be marked as not run, in all."""


@pytest.mark.parametrize("path", sources(), ids=module_name)
def test_examples_are_true(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matplotlib.use("agg")
    count, report = run(path)
    assert count == sum(not skipped(example) for test in doctests(path) for example in test.examples)
    assert not report, "".join(report)


def skipped(example):
    return example.options.get(doctest.SKIP, False)


def test_few_are_skipped():
    examples = [example for path in sources() for test in doctests(path) for example in test.examples]
    assert len(examples) > 1000
    assert sum(map(skipped, examples)) <= SKIPPED
