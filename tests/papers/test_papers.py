"""Every paper in its reduced form: thinner scans, the same claims."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from stribeck.cli import app
from stribeck_papers import all_papers
from stribeck_papers.converged import golden
from stribeck_papers.paper import Item, Paper
from stribeck_papers.report import Report, write_report
from stribeck_papers.scorecard import UNEXPLAINED

pytestmark = pytest.mark.xdist_group("papers")

ITEMS = [(paper, item) for paper in all_papers().values() for item in paper.items]
OUTCOMES = {}


def outcome_of(paper: Paper, item: Item):
    """What an item gives in its reduced form, once for all tests."""
    key = paper.key, item.label
    if key not in OUTCOMES:
        (OUTCOMES[key],) = paper.run([item.label], quick=True)
    return OUTCOMES[key]


def names(entry) -> str:
    return entry.key if isinstance(entry, Paper) else entry.slug


@pytest.mark.parametrize("paper, item", ITEMS, ids=names)
def test_every_item_runs(paper, item):
    outcome = outcome_of(paper, item)
    finding = outcome.finding
    assert not outcome.error
    assert item.title and item.shows and finding.text
    assert finding.claims or finding.picture is not None or finding.tables
    for claim in finding.claims:
        assert claim.claim and claim.printed and claim.ours
        assert claim.reason != UNEXPLAINED, claim
    for table in finding.tables:
        assert table.rows and all(len(row) == len(table.heads) for row in table.rows)
    if finding.picture is not None:
        finding.picture.draw_without_rendering()


@pytest.mark.parametrize("paper, item", ITEMS, ids=names)
def test_converged_values_are_met(paper, item):
    for value in outcome_of(paper, item).converged:
        assert value.met, f"{value.name} = {value.ours!r}, not {value.golden.values}, allowed {value.allowed:.1e}"


def test_every_converged_value_is_in_a_paper():
    found = [name for paper, item in ITEMS for name in outcome_of(paper, item).finding.converged]
    assert set(found) == set(golden())


def test_every_paper_has_rows():
    rows = {paper.key: 0 for paper in all_papers().values()}
    for paper, item in ITEMS:
        rows[paper.key] += len(outcome_of(paper, item).finding.claims)
    assert sum(rows.values()) >= 80
    assert min(rows.values()) >= 10


@pytest.mark.parametrize("paper", all_papers().values(), ids=names)
def test_the_page_needs_no_other_file(paper, tmp_path):
    outcomes = [outcome_of(paper, item) for item in paper.items]
    drawn = [outcome.item for outcome in outcomes if outcome.finding.picture is not None][:2]
    kept = [outcome for outcome in outcomes if outcome.finding.picture is None or outcome.item in drawn]
    report = Report(paper, kept)
    page, *pictures = write_report(report, tmp_path)
    text = page.read_text(encoding="utf-8")
    assert "<script" not in text and "<link" not in text and 'src="http' not in text
    assert text.count("data:image/png") == len(pictures) == len(drawn) >= 1


def test_the_command_lists_them():
    shown = CliRunner().invoke(app, ["papers"])
    assert shown.exit_code == 0
    assert all(key in shown.output for key in all_papers())


def test_the_command_runs_one_figure(tmp_path):
    done = CliRunner().invoke(app, ["papers", "guo2017", "--figure", "4", "--out", str(tmp_path), "--quick"])
    assert done.exit_code == 0, done.output
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {"guo2017-figure-4.html", "guo2017/figure-4.png", "scorecard.csv", "converged.csv"}


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["guo2071"], "did you mean 'guo2017'"),
        (["guo2017", "--figure", "99"], "no item 'Figure 99'"),
        (["guo2017", "--item", "Section 3"], "no item 'Section 3'"),
        (["all", "--figure", "4"], "of which paper"),
        (["--figure", "4"], "of which paper"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value),
)
def test_wrong_names(arguments, says, tmp_path):
    done = CliRunner().invoke(app, ["papers", *arguments, "--out", str(tmp_path / "out")])
    assert done.exit_code == 1
    assert says in done.output
    assert not (tmp_path / "out").exists()


def test_listing_papers_runs_none():
    code = "import stribeck_papers as p, sys; p.all_papers(); print('exudyn' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"
