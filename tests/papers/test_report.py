"""The page, the pictures and the tables of a small paper."""

import csv

import pytest

from stribeck.errors import SimulationError, UnknownName
from stribeck.results.style import Picture
from stribeck_papers import Finding, Paper, Verdict, number, statement, titled_table, unchecked
from stribeck_papers.report import COLUMNS, Report, write_first_page, write_report, write_scorecard


@pytest.fixture
def paper() -> Paper:
    small = Paper("small2026", "A. Author", "On <small> papers", "Journal", 2026, "It is small.", ["We read a as b."])

    @small.item("Figure 1", "A line", shows="a line that rises")
    def figure_1(quick: bool) -> Finding:
        figure = Picture(2, 1)
        figure.subplots().plot([0, 1])
        claims = [
            number("slope", "1.0", 1.02, note="as printed"),
            statement("it falls", False, "it rises", otherwise="refuted", because="the sign & more"),
        ]
        return Finding(f"quick: {quick}", claims, figure, [titled_table("Points", ["x", "y"], [[0, 0.5]])])

    @small.item("Table 2", "Times", shows="times of a computer")
    def table_2(quick: bool) -> Finding:
        return Finding("none", [unchecked("time", "another computer", "3 s")], converged={"F.snr_acc": 0.6752027888747})

    return small


def report_of(paper: Paper, **how: bool) -> Report:
    return Report(paper, list(paper.run(**how)))


def test_items_are_found_by_label(paper):
    assert paper.labels == ["Figure 1", "Table 2"]
    assert [item.slug for item in paper.chosen(["Table 2"])] == ["table-2"]
    with pytest.raises(UnknownName, match="did you mean 'Figure 1'"):
        paper.chosen(["Figure 11"])
    with pytest.raises(ValueError, match="two items 'Figure 1'"):
        paper.item("Figure 1", "again", shows="")


def test_counts(paper):
    report = report_of(paper)
    assert report.counts == {Verdict.REPRODUCED: 1, Verdict.REFUTED: 1, Verdict.UNCHECKED: 1}
    assert [value.met for value in report.converged] == [True]


def test_the_page_holds_everything(paper, tmp_path):
    report = report_of(paper, quick=True)
    page, picture = write_report(report, tmp_path)
    text = page.read_text(encoding="utf-8")
    for part in (
        "On &lt;small&gt; papers",
        "quick: True",
        "a line that rises",
        "the sign &amp; more",
        "We read a as b.",
    ):
        assert part in text
    assert 'id="figure-1"' in text and 'href="#figure-1"' in text
    assert "http" not in text and "<script" not in text
    assert picture == tmp_path / "small2026" / "figure-1.png"
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_tables_for_programs(paper, tmp_path):
    report = report_of(paper)
    scorecard, converged = write_scorecard([report], tmp_path)
    with scorecard.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    assert [row["verdict"] for row in rows] == ["reproduced", "refuted", "cannot be checked"]
    assert rows[1]["reason"] == "the sign & more"
    assert "F.snr_acc" in converged.read_text(encoding="utf-8")


def test_a_part_of_a_paper_leaves_the_rest(paper, tmp_path):
    write_scorecard([report_of(paper)], tmp_path)
    whole = [path.read_bytes() for path in (tmp_path / "scorecard.csv", tmp_path / "converged.csv")]
    part = Report(paper, list(paper.run(["Figure 1"])))
    assert write_report(part, tmp_path)[0] == tmp_path / "small2026-figure-1.html"
    write_scorecard([part], tmp_path)
    with (tmp_path / "scorecard.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert sorted(row["item"] for row in rows) == ["Figure 1", "Figure 1", "Table 2"]
    write_scorecard([report_of(paper)], tmp_path)
    assert whole == [path.read_bytes() for path in (tmp_path / "scorecard.csv", tmp_path / "converged.csv")]


def test_what_verdicts_rest_on(paper, tmp_path):
    @paper.item("Section 3", "A machine", shows="a machine", basis="reconstruction")
    def section_3(quick: bool) -> Finding:
        return Finding("so", [statement("it runs", True, "yes"), number("mass", "2", 2.0, basis="put in")])

    report = report_of(paper)
    assert [claim.basis for _, claim in report.claims][-2:] == ["reconstruction", "put in"]
    assert report.bases == {"printed": 1, "reconstruction": 1, "put in": 1}
    text = write_report(report, tmp_path)[0].read_text(encoding="utf-8")
    assert "1 rest on what the paper prints, 1 on a reconstruction, 1 on what was put in" in text
    with pytest.raises(ValueError, match="guess"):
        statement("it runs", True, "yes", basis="guess")


def test_first_page(paper, tmp_path):
    text = write_first_page([report_of(paper)], tmp_path).read_text(encoding="utf-8")
    assert 'href="small2026.html#figure-1"' in text
    assert "1 of 1" in text


def test_a_run_that_fails_does_not_take_the_others_with_it(paper, tmp_path):
    @paper.item("Figure 3", "Never", shows="nothing")
    def figure_3(quick: bool) -> Finding:
        raise SimulationError("mass flew away at 3 s", time=3.0, elements=["mass"], result=None)

    report = report_of(paper)
    assert [outcome.error for outcome in report.outcomes] == ["", "", "mass flew away at 3 s"]
    assert "mass flew away" in write_report(report, tmp_path)[0].read_text(encoding="utf-8")
