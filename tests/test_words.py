"""Texts use the terms of the field: words that hide the meaning are listed here, with better ones."""

import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCOPE = [
    "*.md",
    "docs/*.md",
    "docs/decisions/*.md",
    "docs/notes/*.md",
    "examples/*.py",
    "src/stribeck/models/*.yaml",
    "src/stribeck/cli/templates/*.yaml",
    "tools/**/*.py",
    "src/stribeck/**/*.py",
    "src/stribeck_papers/**/*.py",
    "src/stribeck/kernel/*.cpp",
    "src/stribeck/kernel/*.h",
    "kernel/**/*.[ch]",
    "fmi/*.[ch]",
    "benchmarks/*.py",
    "tests/**/*.py",
]
"""Files whose texts are checked: documents whole, code with its comments, docstrings and messages."""
C_TEXTS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
"""Comments and strings of C and C++."""
TEXT_TOKENS = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
"""Comments and strings of Python; the texts of an f-string are separate tokens from Python 3.12 on."""
OWN = "(?:its|their|our|one's)"
PEOPLE = "".join(f"(?<!{word} )" for word in ("user", "users", "people", "engineer", "engineers", "anyone", "readers"))
BANNED = {
    r"tell(?:s|ing)?|told": "says, gives, shows, separates; 'it cannot be told': it is not identifiable",
    r"anew": "again",
    rf"of {OWN} own": "separate, individual, a new one, your",
    r"to and fro": "back and forth, in both directions",
    r"nobody|somebody|whoever": "the thing that does it, or the passive",
    rf"{PEOPLE}who": "that, which",
    r"the way of": "the method of; as",
    r"(?:stands?|stood|standing)(?! for\b)": "is, acts; a document that stands alone: self-contained",
    r"for ever": "without end, never returns",
    r"without a word": "silently",
    r"last word": "the final iterations",
    rf"(?:for|by) (?:{OWN} )?being there": "is picked up by the parametrised tests; is registered when defined",
    rf"keeps? {OWN} word": "has the stated coverage",
    r"what (?:comes|came) of it": "the result",
    r"(?:is|are) welcome": "is accepted",
    r"lets? go": "breaks away, releases",
    r"for itself": "separately",
    r"behavior|neighbor": "British spelling",
}
"""Expressions as regular expressions, and what to write instead."""
FILES = sorted({file for pattern in SCOPE for file in ROOT.glob(pattern)} - {Path(__file__)})


def texts(file: Path) -> str:
    """What people read in a file: of code the comments and strings, without identifiers in backticks."""
    if file.suffix == ".py":
        with file.open("rb") as source:
            found = [token for token in tokenize.tokenize(source.readline) if token.type in TEXT_TOKENS]
        text = "\n".join(token.string.strip("\"'") for token in found)
    elif file.suffix in (".c", ".h", ".cpp"):
        text = "\n".join(part.strip('"') for part in C_TEXTS.findall(file.read_text(encoding="utf-8")))
    else:
        return file.read_text(encoding="utf-8")
    return re.sub(r"`[^`\s]+`", "``", text)


def words(text: str) -> str:
    """The text on one line, without the marks of comments at the beginning of lines."""
    return re.sub(r"\s*\n[\s#*/]*", " ", text)


def banned(text: str) -> list[str]:
    """What is banned in a text, with its surroundings and what to write instead.

    >>> banned("this cannot be told")
    ["'this cannot be told': says, gives, ..."]
    """
    line = words(text)
    found = []
    for pattern, better in BANNED.items():
        for hit in re.finditer(rf"\b(?:{pattern})\b", line, re.IGNORECASE):
            found.append(f"{line[max(hit.start() - 40, 0) : hit.end() + 20]!r}: {better}")
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_words(file):
    assert not banned(texts(file))


def test_words_are_found_across_lines_and_comments():
    assert len(banned("a slide that is led to\n# and fro; nobody\n * tells")) == 3
    assert not banned("`*` stands for every element; users who read a fortune teller's storytelling")


def test_code_is_checked_in_comments_and_strings(tmp_path):
    script, source = tmp_path / "a.py", tmp_path / "a.c"
    script.write_text('who = told = 1  # to\n# and fro\nraise ValueError("without " "a word, not `told`")\n')
    source.write_text('int told; // anew\n/* nobody\n * tells */ puts("for ever");\n')
    assert len(banned(texts(script))) == 2
    assert len(banned(texts(source))) == 4


def test_every_pattern_of_the_scope_finds_files():
    assert all(list(ROOT.glob(pattern)) for pattern in SCOPE)
