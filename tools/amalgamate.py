"""One C file from the runtime, the kernel and the generated laws, in which everything but the interface is static.

    python -m tools.amalgamate GENERATED_FOLDER stribeck.c

The C of the kernel is laid out by clang-format, so that every definition begins in the first column and ends with a
brace or a semicolon there; what is read here is that layout, not C in general. Names that are local to one file get the
name of the file if another file has them, too; functions that nothing calls are left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[1]
KERNEL = ROOT / "kernel"
FOLDERS = ("model", "linear", "signals", "network", "stick", "adaptive", "fixed", "runtime")
INTERFACE = ("stribeck.h", "stribeck_equations.h")
"""Headers that stay files."""
TOKENS = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|(?:->|\.)\s*[A-Za-z_]\w*|[A-Za-z_]\w*', re.DOTALL)
"""Texts, comments, members and names."""
HEAD = """\
/* Stribeck in one file: the runtime, the kernel and the friction laws. Made from kernel/ and src/stribeck/laws; do not
 * edit. The interface is stribeck.h, and stribeck_equations.h for the integrators of other programs.
 *
 * C99. Compile it with -ffp-contract=off: fused operations would change the last bits of results. */
"""
ALONE = """\
/* Single machines: one number for each, and functions of this file; see sb_real below. */
#define SB_LANES 1
#define SB_HOT static
#define SB_HOT_DATA static
#define SB_ALONE(...) __VA_ARGS__
"""


@dataclass(frozen=True)
class Chunk:
    """A definition, a declaration or a directive, with the comment before it."""

    comment: str
    code: str

    @cached_property
    def bare(self) -> str:
        """The code without comments."""
        return re.sub(r"//[^\n]*|/\*.*?\*/", "", self.code, flags=re.DOTALL).strip()

    @property
    def is_directive(self) -> bool:
        """Whether it belongs to the preprocessor, or expands one of its lists."""
        return bool(re.match(r"#|[A-Z][A-Z_]*\(", self.code))

    @property
    def is_function(self) -> bool:
        """Whether it is the body of a function."""
        return not self.is_directive and self.bare.endswith("\n}") and "(" in self.bare.partition("{")[0]

    @property
    def is_prototype(self) -> bool:
        """Whether it declares a function."""
        plain = not self.is_directive and not self.code.startswith(("typedef", "enum", "struct"))
        return plain and self.bare.endswith(");") and "=" not in self.bare and "{" not in self.bare

    @property
    def is_data(self) -> bool:
        """Whether it defines a constant."""
        kinds = ("typedef", "enum", "struct", "extern", "SB_HOT_DATA")
        return not (self.is_directive or self.is_function or self.is_prototype or self.code.startswith(kinds))

    @property
    def name(self) -> str:
        """The name of a function or a constant."""
        found: list[str]
        if self.is_function or self.is_prototype:
            found = re.findall(r"(\w+)\(", self.bare)
        else:
            found = re.findall(r"^} (\w+)", self.bare, re.MULTILINE)
            found = found or re.findall(r"(\w+)\s*(?:\[[^]]*\]\s*)*(?:=|;)", self.bare)
        if not found:
            raise SystemExit(f"this has no name in the layout that is known: {self.code}")
        return found[0]

    def with_code(self, code: str) -> Chunk:
        """The same comment before another code."""
        return Chunk(self.comment, code)

    def __str__(self) -> str:
        return f"{self.comment}{self.code}\n"


def chunks(text: str) -> Iterator[Chunk]:
    """The chunks of a file."""
    lines, comment = iter(text.splitlines()), ""
    for line in lines:
        if not line.strip():
            comment += "\n"
        elif line.startswith(("/*", "//")):
            comment += f"{_until(line, lines, lambda last: '*/' in last or last.startswith('//'))}\n"
        else:
            yield Chunk(comment, _until(line, lines, _Ends(line)))
            comment = ""


class _Ends:
    """Whether a line ends a chunk that began with another one."""

    def __init__(self, first: str) -> None:
        self.directive, self.depth = first.startswith("#"), 0

    def __call__(self, line: str) -> bool:
        if self.directive:
            return not line.endswith("\\")
        bare = re.sub(r'"[^"]*"|//.*|/\*.*?\*/', "", line).rstrip()
        if not bare.startswith("#"):
            self.depth += bare.count("{") - bare.count("}")
        closed = line.startswith("}") or bare.endswith(";") or re.fullmatch(r"[A-Z][A-Z_]*\(.*\)", bare)
        return self.depth == 0 and bool(closed)


def _until(first: str, lines: Iterator[str], ends: Callable[[str], bool]) -> str:
    taken = [first]
    while not ends(taken[-1]):
        line = next(lines, None)
        if line is None:
            raise SystemExit(f"this has no end in the layout that is known: {first}")
        taken.append(line)
    return "\n".join(taken)


def single(text: str) -> str:
    """A file of the kernel for one machine: what is there for lanes is left out, and so are its marks.

    >>> single("SB_HOT int f(void);\\n#if SB_LANES == 1\\na\\n#else\\nb\\n#endif\\n")
    'int f(void);\\na\\n'
    """
    kept, states = [], list[str]()
    for line in text.splitlines(keepends=True):
        if line.startswith("#if"):
            states.append({"#if SB_LANES == 1\n": "here", "#if SB_LANES > 1\n": "lanes"}.get(line, "other"))
            if states[-1] != "other":
                continue
        elif line.startswith("#else") and states[-1] != "other":
            states[-1] = "lanes" if states[-1] == "here" else "here"
            continue
        elif line.startswith("#endif") and states.pop() != "other":
            continue
        if "lanes" not in states:
            kept.append(line)
    bare = re.sub(r"^(\s*|#define X\(.*\) )SB_HOT ", r"\1", "".join(kept), flags=re.MULTILINE)
    return bare.replace("SB_HOT_DATA const", "extern const")


@dataclass(frozen=True)
class Source:
    """A C file or a header: its name and its chunks."""

    name: str
    chunks: tuple[Chunk, ...]

    @classmethod
    def read(cls, path: Path) -> Source:
        """From a file, without includes and guards."""
        text = re.sub(r"^#include.*\n", "", single(path.read_text(encoding="utf-8")), flags=re.MULTILINE)
        guard = re.match(r"(?s)\s*(?:/\*.*?\*/\s*)?#ifndef (\w+)\n#define \1\n(.*)#endif\s*$", text)
        return cls(path.stem, tuple(chunks(guard[2] if guard else text)))

    @property
    def local_names(self) -> set[str]:
        """Names that only this file knows: static ones, types, and constants of enumerations."""
        found: set[str] = set()
        for chunk in self.chunks:
            if chunk.code.startswith("static") and (chunk.is_function or chunk.is_data or chunk.is_prototype):
                found.add(chunk.name)
            elif chunk.code.startswith("enum"):
                found |= set(re.findall(r"[{,]\s*([A-Za-z_]\w*)\b(?!\s*[(#])", chunk.bare))
            elif chunk.code.startswith("typedef"):
                found |= set(re.findall(r"(\w+);$", chunk.bare)) | set(re.findall(r"^typedef struct (\w+)", chunk.code))
        return found

    @property
    def macros(self) -> list[str]:
        """Macros that are still defined at its end."""
        defined: dict[str, bool] = {}
        for chunk in self.chunks:
            for word, name in re.findall(r"^#(define|undef) (\w+)", chunk.code, re.MULTILINE):
                defined[name] = word == "define"
        return [name for name, known in defined.items() if known]

    @property
    def defined(self) -> set[str]:
        """Functions and constants that it has, or declares."""
        return {chunk.name for chunk in self.chunks if chunk.is_function or chunk.is_data or chunk.is_prototype}

    def renamed(self, names: Mapping[str, str]) -> Source:
        """With other names, but for those of members."""
        types = {name: new for name, new in names.items() if name not in self.defined}
        return Source(
            self.name,
            tuple(
                chunk.with_code(_renamed(chunk.code, types if chunk.code.startswith(("typedef", "struct")) else names))
                for chunk in self.chunks
            ),
        )


def words(code: str) -> set[str]:
    """The names in a code, but for those of members."""
    return {token for token in TOKENS.findall(code) if token[0].isalpha() or token[0] == "_"}


def _renamed(code: str, names: Mapping[str, str]) -> str:
    return TOKENS.sub(lambda found: names.get(found[0], found[0]), code)


def includes(path: Path) -> list[str]:
    """The headers of the kernel that a file includes."""
    return re.findall(r'^#include "(.+)"', path.read_text(encoding="utf-8"), re.MULTILINE)


def standard(paths: Iterable[Path]) -> list[str]:
    """The headers of the C library that files include."""
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    return sorted(set(re.findall(r"^#include <(.+)>", text, re.MULTILINE)))


def headers_of(sources: Iterable[Path], generated: Path) -> list[Path]:
    """All headers of the kernel behind some files, each after those that it includes."""
    found: list[Path] = []

    def add(name: str) -> None:
        places = [folder / name for folder in (KERNEL / "include", KERNEL, generated)]
        path = next(place for place in places if place.exists())
        for other in includes(path):
            add(other)
        if path not in found and name not in INTERFACE:
            found.append(path)

    for source in sources:
        for name in includes(source):
            add(name)
    return found


def hidden(chunk: Chunk) -> Chunk:
    """The chunk with static names; those of the interface keep theirs by STRIBECK_API."""
    code = chunk.code
    if chunk.is_directive:
        return chunk.with_code(
            re.sub(r"(?<!SB_HOT )\b((?:int|void|double|sb_real|sb_status) sb_##\w+##\w+\()", r"static \1", code)
        )
    if chunk.code.startswith("extern"):
        return chunk.with_code(code.replace("extern", "static", 1))
    if not (chunk.is_function or chunk.is_prototype or chunk.is_data) or code.startswith(("static", "SB_HOT")):
        return chunk
    word = "STRIBECK_API" if chunk.name.startswith("stribeck_") else "static"
    return chunk.with_code(f"{word} {code}")


def joined_names(code: str) -> Iterator[re.Pattern[str]]:
    """Patterns of the names that the macros in a code put together."""
    for parameters, body in re.findall(r"^#define \w+\(([^)]*)\)((?:\\\n|[^\n])*)", code, re.MULTILINE):
        known = [word.strip() for word in parameters.split(",")]
        for joined in re.findall(r"\w+(?:##\w+)+", body):
            yield re.compile("".join(r"\w+" if part in known else part for part in joined.split("##")))


def used(all_chunks: list[Chunk]) -> list[Chunk]:
    """Without functions and constants that nothing needs."""
    by_name: dict[str, str] = {}
    for chunk in all_chunks:  # one that is there twice, for single machines and for lanes, is one
        if chunk.is_function or chunk.is_data:
            by_name[chunk.name] = by_name.get(chunk.name, "") + chunk.code
    others = [chunk for chunk in all_chunks if not (chunk.is_function or chunk.is_data or chunk.is_prototype)]
    roots = [name for name in by_name if name.startswith("stribeck_")]
    patterns = [pattern for chunk in all_chunks for pattern in joined_names(chunk.code)]
    roots += [name for name in by_name if any(pattern.fullmatch(name) for pattern in patterns)]
    roots += [name for chunk in others if chunk.is_directive for name in words(chunk.code) if name in by_name]
    needed, waiting = set[str](), roots
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += [word for word in words(by_name[name]) if word in by_name]
    return [
        chunk
        for chunk in all_chunks
        if not (chunk.is_function or chunk.is_data or chunk.is_prototype) or chunk.name in needed
    ]


def distinct(
    heads: Mapping[Path, Source], files: Mapping[Path, Source], generated: Path
) -> tuple[dict[Path, Source], dict[Path, Source]]:
    """Headers and files whose local names nothing else uses.

    A name that is local to a header is renamed in all files that include it, if one that does not has it, too.
    """
    both = {**heads, **files}
    uses = {path: words("".join(chunk.code for chunk in source.chunks)) for path, source in both.items()}
    defined = {path: source.defined | source.local_names for path, source in both.items()}
    renamed = {path: dict[str, str]() for path in both}
    for path, source in both.items():
        inside, known = ({path}, uses) if path in files else ({path, *_including(path, both, generated)}, defined)
        outside = set[str]().union(*(known[other] for other in both if other not in inside))
        for name in source.local_names & outside:
            for other in inside:
                renamed[other][name] = f"{source.name}_{name}"
    new = {path: source.renamed(renamed[path]) for path, source in both.items()}
    return {path: new[path] for path in heads}, {path: new[path] for path in files}


def _including(header: Path, paths: Iterable[Path], generated: Path) -> list[Path]:
    return [path for path in paths if header in headers_of([path], generated)]


def amalgamated(generated: Path) -> str:
    """The text of the one file; laws and operations of formulas are in a folder of generated files."""
    paths = [file for folder in FOLDERS for file in sorted((KERNEL / folder).glob("*.c"))]
    laws = generated / "sb_laws.c"
    first = headers_of([laws], generated)
    rest = [path for path in headers_of(paths, generated) if path not in first]
    heads = {path: Source.read(path) for path in (*first, *rest)}
    files = {path: Source.read(path) for path in (laws, *paths)}
    heads, files = distinct(heads, files, generated)
    parts = [chunk for path in first for chunk in heads[path].chunks if not _is_table(chunk)]
    for path in (laws, *rest, *paths):
        file = (heads | files)[path]
        undone = [Chunk("", f"#undef {name}") for name in file.macros] if path in files else []
        start = file.chunks[0]
        parts += [Chunk(f"\n/* --- {file.name} --- */\n\n{start.comment}", start.code), *file.chunks[1:], *undone]
    system = "".join(f"#include <{name}>\n" for name in standard([laws, *paths, *first, *rest]))
    own = "".join(f'#include "{name}"\n' for name in INTERFACE)
    body = "".join(map(str, used([hidden(chunk) for chunk in parts])))
    return re.sub(r"\n{3,}", "\n\n", f"{HEAD}\n{system}\n{own}\n{ALONE}\n{body}")


def _is_table(chunk: Chunk) -> bool:
    """Whether it announces the table of the laws, which comes right behind."""
    return chunk.code.startswith("extern")


def main(generated: str, target: str) -> None:
    """Writes the file."""
    Path(target).write_text(amalgamated(Path(generated)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
