"""Every paper in its reduced form: thinner scans, the same claims."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stribeck.cli import app
from stribeck_papers import RULES, Basis, Verdict, all_collections, all_papers
from stribeck_papers.converged import golden
from stribeck_papers.formula import mathml
from stribeck_papers.paper import Collection, Item
from stribeck_papers.report import Report, write_report
from stribeck_papers.rules import OPEN, SCAN
from stribeck_papers.scorecard import UNEXPLAINED

pytestmark = pytest.mark.xdist_group("papers")

ITEMS = [(paper, item) for paper in all_collections().values() for item in paper.items]
OUTCOMES = {}


def outcome_of(paper: Collection, item: Item):
    """What an item gives in its reduced form, once for all tests."""
    key = paper.key, item.label
    if key not in OUTCOMES:
        (OUTCOMES[key],) = paper.run([item.label], quick=True)
    return OUTCOMES[key]


def names(entry) -> str:
    return entry.key if isinstance(entry, Collection) else entry.slug


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


@pytest.mark.parametrize("paper, item", ITEMS, ids=names)
def test_one_rule_decides_each_claim(paper, item):
    """A verdict follows from the number by the band of the rule, which is the same for all claims of a kind."""
    for claim in outcome_of(paper, item).claims:
        assert claim.rule in RULES, claim
        assert (claim.value is None) == (claim.rule is OPEN), claim
        holds = claim.value is not None and claim.rule.holds(claim.value)
        assert holds == (claim.verdict in (Verdict.REPRODUCED, Verdict.BRACKETS)), claim
        assert (claim.verdict is Verdict.BRACKETS) <= (claim.rule is SCAN), claim


@pytest.mark.parametrize("paper, item", ITEMS, ids=names)
def test_claims_say_what_they_mean(paper, item):
    for claim in outcome_of(paper, item).claims:
        assert claim.where and claim.basis is not None
        assert "stated" not in claim.printed.split(), claim
        assert (claim.verdict is Verdict.MISPRINT) <= bool(claim.corrected), claim


@pytest.mark.parametrize("paper, item", ITEMS, ids=names)
def test_pictures_have_words(paper, item):
    finding = outcome_of(paper, item).finding
    assert (finding.picture is None) or (finding.alt and finding.alt != item.title), item.label


@pytest.mark.parametrize("paper", all_collections().values(), ids=names)
def test_five_findings_come_first(paper):
    assert len(set(paper.highlights)) == 5
    assert all(outcome_of(paper, item).finding.headline for item in paper.chosen(paper.highlights))


@pytest.mark.parametrize("paper", all_collections().values(), ids=names)
def test_equations_are_typeset(paper):
    assert all(mathml(latex) for latex in paper.equations.values())
    for item in paper.items:
        assert set(item.equations) <= set(paper.equations), item.label


def test_every_converged_value_is_in_a_paper():
    found = [name for paper, item in ITEMS for name in outcome_of(paper, item).finding.converged]
    assert set(found) == set(golden())


def test_the_documentation_has_every_word():
    text = (Path(__file__).parents[2] / "docs" / "papers.md").read_text(encoding="utf-8")
    rows = [(rule.kind, rule.band) for rule in RULES]
    rows += [(word.value, word.meaning) for words in (Verdict, Basis) for word in words]
    missing = [f"| {word} | {meaning} |" for word, meaning in rows if f"| {word} | {meaning} |" not in text]
    assert not missing, "\n".join(missing)


def test_every_paper_has_rows():
    rows = {
        key: sum(len(outcome_of(paper, item).claims) for item in paper.items) for key, paper in all_papers().items()
    }
    assert sum(rows.values()) >= 80
    assert min(rows.values()) >= 10


@pytest.mark.parametrize("paper", all_collections().values(), ids=names)
def test_the_page_needs_no_other_file(paper, tmp_path):
    outcomes = [outcome_of(paper, item) for item in paper.items]
    drawn = [outcome.item for outcome in outcomes if outcome.finding.picture is not None][:2]
    kept = [outcome for outcome in outcomes if outcome.finding.picture is None or outcome.item in drawn]
    report = Report(paper, kept)
    page, *others = write_report(report, tmp_path)
    text = page.read_text(encoding="utf-8")
    assert "<script" not in text and "<link" not in text and 'src="http' not in text
    pictures = [path for path in others if path.suffix == ".png"]
    first = [item for item in paper.chosen(paper.highlights) if paper.highlights and item in drawn]
    assert text.count("data:image/png") == len(pictures) + len(first)
    assert len(pictures) == len(drawn) >= 1


def test_the_command_lists_them():
    shown = CliRunner().invoke(app, ["papers"])
    assert shown.exit_code == 0
    assert all(key in shown.output for key in all_papers())


def test_the_command_runs_one_figure(tmp_path):
    done = CliRunner().invoke(app, ["papers", "guo2017", "--figure", "4", "--out", str(tmp_path), "--quick"])
    assert done.exit_code == 0, done.output
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {"guo2017-figure-4.html", "guo2017/figure-4.png", "scorecard.csv", "converged.csv", "errata.csv"}


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["guo2071"], "did you mean 'guo2017'"),
        (["guo2017", "--figure", "99"], "no item 'Figure 99'"),
        (["guo2017", "--item", "Section 3"], "no item 'Section 3'"),
        (["all", "--figure", "4"], "of which paper"),
        (["--figure", "4"], "of which paper"),
        (["guo2017", "--set", "spring.c"], "write PATH=VALUE"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value),
)
def test_wrong_names(arguments, says, tmp_path):
    done = CliRunner().invoke(app, ["papers", *arguments, "--out", str(tmp_path / "out")])
    assert done.exit_code == 1
    assert says in done.output
    assert not (tmp_path / "out").exists()


def test_other_values_by_the_command(tmp_path):
    part = ["papers", "guo2017", "--figure", "5", "--quick", "--out", str(tmp_path)]
    refused = CliRunner().invoke(app, [*part, "--set", "spring.k=3"])
    assert refused.exit_code == 1 and "spring" in refused.output and "known: c" in refused.output
    assert not list(tmp_path.rglob("*.html"))
    done = CliRunner().invoke(app, [*part, "--set", "spring.c=3"])
    assert done.exit_code == 0, done.output
    (page,) = tmp_path.glob("*.html")
    assert page.name == "guo2017-with-other-values-figure-5.html"
    assert "With other values: spring.c = 3" in page.read_text(encoding="utf-8")
    assert not (tmp_path / "scorecard.csv").exists()


def test_listing_papers_runs_none():
    code = "import stribeck_papers as p, sys; p.all_papers(); print('exudyn' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"
