"""The files of the project agree with each other, and tests that belong together stay together."""

import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_tools_of_hooks_are_pinned(hook):
    tool = hook["entry"].split()[0]
    assert any(need.startswith(f"{tool}==") for need in PROJECT["optional-dependencies"]["dev"])


def test_the_citation_is_that_of_the_project():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == PROJECT["version"] and citation["license"] == PROJECT["license"]
    assert citation["authors"] == PROJECT["authors"]
    assert set(citation["keywords"]) <= set(PROJECT["keywords"])


@pytest.mark.xdist_group("together")
def test_groups_of_tests_are_kept(request):
    """Some pairs of pytest and pytest-xdist lose them silently: every process then computes what a group shares."""
    if getattr(request.config.option, "loadgroup", False):
        assert request.node.nodeid.endswith("@together")
