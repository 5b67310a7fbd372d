"""Claims as HTML: cards, a table that is filtered without a script, and counts of verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from stribeck.reports import prose, tag

from .rules import FACT, OPEN
from .scorecard import IN_WORDS, Basis, Claim, Verdict

Counts = Counter[tuple[Verdict, Basis]]


def style() -> str:
    """The style of the pages of papers, with the rules of the filters.

    >>> "#basis-ensemble" in style()
    True
    """
    sheet = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    kinds = [(group, _kind(word)) for group, words in (("verdict", Verdict), ("basis", Basis)) for word in words]
    hidden = (f"#{group}-{kind}:checked ~ div tbody tr:not(.{group}-{kind})" for group, kind in kinds)
    return f"{sheet}\n{', '.join(hidden)} {{ display: none; }}\n"


def _kind(word: Verdict | Basis) -> str:
    return word.name.lower()


BARE = (FACT, OPEN)
"""Rules without a band: a claim holds in the run or does not, or no run decides it."""


def card(claim: Claim) -> str:
    """A claim with everything that is known of it.

    >>> card(part.claims[0][1])[:16]
    '<div class="card'
    """
    marks = [tag("span", claim.verdict.value, class_="verdict")]
    marks += [tag("span", str(claim.basis), class_="basis")] if claim.verdict is not Verdict.UNCHECKED else []
    marks += [tag("span", prose(claim.where), class_="where")]
    printed = "" if claim.printed == IN_WORDS else claim.printed
    values = {"paper": printed, "here": claim.ours, "should be": claim.corrected}
    pairs = (tag("dt", name) + tag("dd", prose(value)) for name, value in values.items() if value)
    parts = [
        tag("p", "".join(marks), class_="marks"),
        tag("p", prose(claim.claim), class_="what"),
        tag("dl", "".join(pairs)),
        tag("p", prose(claim.reason), class_="reason") if claim.reason else "",
        tag("p", prose(f"Rule: {claim.rule.kind}; {claim.rule.band}."), class_="rule")
        if claim.rule not in BARE
        else "",
    ]
    return tag("div", "".join(parts), class_=f"card {_kind(claim.verdict)}")


COLUMNS = ("item", "claim", "paper", "here", "verdict", "reason")


def filtered_table(entries: Sequence[tuple[str, str, Claim]]) -> str:
    """Claims in a table, with buttons that choose among them by verdict and by basis; an entry has the link to its
    item, the text of the link, and the claim.

    >>> filtered_table([("#equation-1", "Equation 1", claim) for _, claim in part.claims])[:5]
    '<div>'
    """
    head = tag("thead", tag("tr", "".join(tag("th", column) for column in COLUMNS)))
    rows = "".join(_row(tag("a", escape(text), href=link), claim) for link, text, claim in entries)
    shown = tag("table", head + tag("tbody", rows), class_="wide claims")
    buttons = _buttons("verdict", Verdict, Counter(claim.verdict for *_, claim in entries))
    buttons += "<br>" + _buttons("basis", Basis, Counter(claim.basis for *_, claim in entries))
    return tag("div", buttons + tag("div", shown, class_="scroll"))


def _buttons(group: str, words: type[Verdict] | type[Basis], counts: Mapping[Any, int]) -> str:
    """A button for all claims, and one for each word that occurs."""
    choices = {"all": f"every {group}"} | {
        _kind(word): f"{word.value} {counts[word]}" for word in words if word in counts
    }
    return "".join(
        f'<input class="filter" type="radio" name="{group}" id="{group}-{kind}"{" checked" if kind == "all" else ""}>'
        + tag("label", text, for_=f"{group}-{kind}")
        for kind, text in choices.items()
    )


def _row(link: str, claim: Claim) -> str:
    reason = prose(claim.reason) + (tag("div", prose(f"Should be: {claim.corrected}")) if claim.corrected else "")
    verdict = claim.verdict.value + tag("div", str(claim.basis), class_="basis")
    where = tag("div", prose(claim.where), class_="basis") if claim.where not in link else ""
    cells = (link + where, *map(prose, (claim.claim, claim.printed, claim.ours)), verdict, reason)
    labelled = zip(COLUMNS, cells, strict=True)
    inside = "".join(tag("td", cell, **{"class": name, "data-label": name}) for name, cell in labelled)
    kinds = f"{_kind(claim.verdict)} verdict-{_kind(claim.verdict)} basis-{_kind(claim.basis or Basis.PRINTED)}"
    return tag("tr", inside, class_=kinds)


def bar(counts: Counts) -> str:
    """A bar with a piece for each verdict.

    >>> bar(part.counts).startswith('<div class="bar">')
    True
    """
    sizes = {verdict: sum(counts[verdict, basis] for basis in Basis) for verdict in Verdict}
    pieces = (tag("span", "", class_=_kind(v), style=f"flex: {n}", title=f"{v} {n}") for v, n in sizes.items() if n)
    return tag("div", "".join(pieces), class_="bar")


def counts_table(counts: Counts) -> str:
    """How many claims have which verdict on which basis, with what the words mean.

    >>> "it means" in counts_table(part.counts)
    True
    """
    bases = [basis for basis in Basis if any(counts[verdict, basis] for verdict in Verdict)]
    heads = ["verdict", "claims", *bases, "it means"]
    rows = []
    for verdict in Verdict:
        numbers = [counts[verdict, basis] for basis in bases]
        if sum(numbers):
            cells = [verdict.value, str(sum(numbers)), *(str(n or "") for n in numbers), verdict.meaning]
            kinds = ["verdict", *["number"] * (1 + len(numbers)), "note"]
            inside = (tag("td", escape(cell), class_=kind) for cell, kind in zip(cells, kinds, strict=True))
            rows.append(tag("tr", "".join(inside), class_=_kind(verdict)))
    head = "".join(
        tag("th", str(head), class_="number" if 0 < i <= 1 + len(bases) else "") for i, head in enumerate(heads)
    )
    table = tag("table", tag("thead", tag("tr", head)) + tag("tbody", "".join(rows)))
    words = "; ".join(f"{basis}: {basis.meaning}" for basis in bases)
    return bar(counts) + tag("div", table, class_="scroll") + tag("p", prose(f"Bases: {words}."), class_="note")
