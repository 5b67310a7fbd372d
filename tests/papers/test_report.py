"""The page, the pictures and the tables of a small paper."""

import csv
import re

import pytest

from stribeck.errors import SimulationError, UnknownName
from stribeck.results.style import Picture
from stribeck_papers import (
    Basis,
    Collection,
    Finding,
    Paper,
    Verdict,
    adjusted,
    guo2017,
    number,
    statement,
    titled_table,
    unchecked,
)
from stribeck_papers.front import write_first_page
from stribeck_papers.report import COLUMNS, ERRATA, Report, write_report, write_scorecard


@pytest.fixture
def paper() -> Paper:
    small = Paper(
        key="small2026",
        authors="A. Author",
        title="On <small> papers",
        venue="Journal",
        year=2026,
        summary="It is small.",
        reading=["We read a as b."],
        doi="10.1000/182",
        equations={"(1)": r"y = \frac{x}{2}"},
        highlights=["Figure 1"],
    )

    @small.item("Figure 1", "A line", shows="a line that rises", equations=("(1)",), also=("Figure 2",))
    def figure_1(quick: bool) -> Finding:
        figure = Picture(2, 1)
        figure.subplots().plot([0, 1])
        claims = [
            number("slope", "1.0", 1.02, note="as printed"),
            statement("it falls", False, "it rises", otherwise="refuted", because="the sign & more"),
            statement(
                "y is x/3",
                False,
                "x/2",
                printed="y = x/3",
                otherwise="misprint",
                because="by (1)",
                corrected="y = x/2",
                where="Section 1, (1)",
            ),
        ]
        tables = [titled_table("Points", ["x", "y"], [[0, 0.5]])]
        return Finding(f"quick: {quick}", claims, figure, tables, headline="It rises by 1.", alt="from 0 to 1")

    @small.item("Table 2", "Times", shows="times of a computer")
    def table_2(quick: bool) -> Finding:
        return Finding("none", [unchecked("time", "another computer", "3 s")], converged={"F.snr_acc": 0.6752027888747})

    return small


def report_of(paper: Paper, **how: bool) -> Report:
    return Report(paper, list(paper.run(**how)))


def test_items_are_found_by_label(paper):
    assert paper.labels == ["Figure 1", "Table 2"]
    assert [item.slug for item in paper.chosen(["Table 2"])] == ["table-2"]
    assert [item.slug for item in paper.chosen(["Figure 2"])] == ["figure-1"]
    with pytest.raises(UnknownName, match="did you mean 'Figure 1'"):
        paper.chosen(["Figure 11"])
    for label in ("Figure 1", "Figure 2"):
        with pytest.raises(ValueError, match=f"two items '{label}'"):
            paper.item(label, "again", shows="")


def test_counts(paper):
    report = report_of(paper)
    words = [Verdict.REPRODUCED, Verdict.REFUTED, Verdict.MISPRINT, Verdict.UNCHECKED]
    assert report.counts == dict.fromkeys([(word, Basis.PRINTED) for word in words], 1)
    assert [value.met for value in report.converged] == [True]


def test_the_page_holds_everything(paper, tmp_path):
    report = report_of(paper, quick=True)
    page, errata, picture = write_report(report, tmp_path)
    text = page.read_text(encoding="utf-8")
    for part in (
        "On &lt;small&gt; papers",
        "quick: True",
        "a line that rises",
        "the sign &amp; more",
        "We read a as b.",
        "<mfrac><mrow><mi>x</mi>",
        'alt="from 0 to 1"',
        "It rises by 1.",
        "were not at hand",
        "https://doi.org/10.1000/182",
        "stribeck papers small2026 --item &quot;Figure 1&quot;",
        "it rounds to the printed digits",
    ):
        assert part in text
    assert 'id="figure-1"' in text and 'href="#figure-1"' in text
    assert 'src="http' not in text and "<script" not in text
    assert 'href="index.html"' in text and f'href="{errata.name}"' in text
    assert picture == tmp_path / "small2026" / "figure-1.png"
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_links_within_pages_lead_somewhere(paper, tmp_path):
    report = report_of(paper)
    pages = [*write_report(report, tmp_path)[:2], write_first_page([report], tmp_path)]
    texts = {page.name: page.read_text(encoding="utf-8") for page in pages}
    for name, text in texts.items():
        for link in re.findall('href="([^"]*)"', text):
            page, _, place = link.partition("#")
            assert link.startswith("https://doi.org/") or page in {"", *texts}, link
            assert not place or f'id="{place}"' in texts[page or name], link


def test_a_filter_for_every_verdict_and_basis(paper, tmp_path):
    page, *_ = write_report(report_of(paper), tmp_path)
    text = page.read_text(encoding="utf-8")
    chosen = re.findall(r"#((?:verdict|basis)-\w+):checked ~ div tbody tr:not\(\.([\w-]+)\)", text)
    assert {name for name, _ in chosen} == {f"verdict-{v.name.lower()}" for v in Verdict} | {
        f"basis-{b.name.lower()}" for b in Basis
    }
    assert all(name == kept for name, kept in chosen)
    buttons = set(re.findall('type="radio" name="[^"]*" id="([^"]*)"', text))
    assert {"verdict-all", "basis-all", "verdict-misprint", "basis-printed"} <= buttons
    assert "verdict-overcome" not in buttons
    assert len(re.findall('<tr class="misprint verdict-misprint basis-printed">', text)) == 1


def table(path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_tables_for_programs(paper, tmp_path):
    scorecard, converged, errata = write_scorecard([report_of(paper)], tmp_path)
    rows = table(scorecard)
    assert tuple(rows[0]) == COLUMNS
    assert [row["verdict"] for row in rows] == ["reproduced", "refuted", "misprint", "cannot be checked"]
    assert [row["where"] for row in rows] == ["Figure 1", "Figure 1", "Section 1, (1)", "Table 2"]
    assert rows[0]["rule"] == "a printed number: it rounds to the printed digits"
    assert rows[1]["reason"] == "the sign & more"
    assert "F.snr_acc" in converged.read_text(encoding="utf-8")
    values = ("small2026", "Section 1, (1)", "y is x/3", "y = x/3", "y = x/2", "by (1)", "misprint")
    assert table(errata) == [dict(zip(ERRATA, values, strict=True))]


def test_errata_are_a_page(paper, tmp_path):
    _, errata, _ = write_report(report_of(paper), tmp_path)
    assert errata == tmp_path / "small2026-errata.html"
    text = errata.read_text(encoding="utf-8")
    assert all(part in text for part in ("y = x/3", "y = x/2", "by (1)", "Section 1, (1)", 'href="small2026.html"'))
    assert "the sign" not in text  # refuted is no slip


def test_a_part_of_a_paper_leaves_the_rest(paper, tmp_path):
    files = write_scorecard([report_of(paper)], tmp_path)
    whole = [path.read_bytes() for path in files]
    part = Report(paper, list(paper.run(["Figure 1"])))
    assert write_report(part, tmp_path)[0] == tmp_path / "small2026-figure-1.html"
    assert not (tmp_path / "small2026-errata.html").exists()
    write_scorecard([part], tmp_path)
    assert sorted(row["item"] for row in table(files[0])) == ["Figure 1"] * 3 + ["Table 2"]
    write_scorecard([report_of(paper)], tmp_path)
    assert whole == [path.read_bytes() for path in files]


def test_other_values_are_not_those_of_the_paper(paper, tmp_path):
    files = write_scorecard([report_of(paper)], tmp_path)
    whole = [path.read_bytes() for path in files]
    other = Report(paper, list(paper.run()), values={"mass.m": "2 kg"})
    page, picture = write_report(other, tmp_path)
    assert page.name == "small2026-with-other-values.html"
    assert picture.parent.name == "small2026-with-other-values"
    assert "With other values: mass.m = 2 kg" in page.read_text(encoding="utf-8")
    assert not other.converged
    assert write_scorecard([other], tmp_path) == []
    assert whole == [path.read_bytes() for path in files]


def test_what_verdicts_rest_on(paper, tmp_path):
    @paper.item("Section 3", "A machine", shows="a machine", basis="reconstruction")
    def section_3(quick: bool) -> Finding:
        return Finding("so", [statement("it runs", True, "yes"), number("mass", "2", 2.0, basis="put in")])

    report = report_of(paper)
    assert [claim.basis for _, claim in report.claims][-2:] == ["reconstruction", "put in"]
    reproduced = {basis: n for (verdict, basis), n in report.counts.items() if verdict is Verdict.REPRODUCED}
    assert reproduced == {"printed": 1, "reconstruction": 1, "put in": 1}
    text = write_report(report, tmp_path)[0].read_text(encoding="utf-8")
    assert Basis.PUT_IN.meaning in text and Basis.ENSEMBLE.meaning not in text
    with pytest.raises(ValueError, match="guess"):
        statement("it runs", True, "yes", basis="guess")


def test_models_of_an_item_can_be_adjusted(paper, tmp_path):
    @paper.item("Figure 4", "A rig", shows="a rig")
    def figure_4(quick: bool) -> Finding:
        return Finding(str(adjusted(guo2017.rig()).name))

    report = Report(paper, list(paper.run(["Figure 4"])))
    assert report.outcomes[0].laws == ("LuGre",)
    text = write_report(report, tmp_path)[0].read_text(encoding="utf-8")
    assert "--item &quot;Figure 4&quot; --set friction.law.sigma0=2e+05" in text
    assert "stribeck laws LuGre" in text


def test_first_page(paper, tmp_path):
    text = write_first_page([report_of(paper)], tmp_path).read_text(encoding="utf-8")
    assert 'href="small2026.html#figure-1"' in text
    assert "1 of 1" in text and "It rises by 1." in text and "errata (1)" in text


def test_a_study_is_no_paper(tmp_path):
    study = Collection(key="across", title="Laws", summary="All of them.")

    @study.item("Laws", "On one rig", shows="Which law is best?")
    def laws(quick: bool) -> Finding:
        return Finding("None.")

    (page,) = write_report(Report(study, list(study.run())), tmp_path)
    text = page.read_text(encoding="utf-8")
    assert "Question" in text and "In the paper" not in text and "errata" not in text and "not at hand" not in text


def test_a_run_that_fails_does_not_take_the_others_with_it(paper, tmp_path):
    @paper.item("Figure 3", "Never", shows="nothing")
    def figure_3(quick: bool) -> Finding:
        raise SimulationError("mass flew away at 3 s", time=3.0, elements=["mass"], result=None)

    report = report_of(paper)
    assert [outcome.error for outcome in report.outcomes] == ["", "", "mass flew away at 3 s"]
    assert "mass flew away" in write_report(report, tmp_path)[0].read_text(encoding="utf-8")
