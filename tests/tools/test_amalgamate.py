"""The kernel as one C file: what is static, renamed and left out."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.plant import compile_c

from stribeck.deploy.exported import runtime_files
from tools.amalgamate import Chunk, Source, chunks, hidden, joined_names, used, words

CODE = """\
/* How it works. */
enum { FIRST, LAST = 3 };

#define TWICE(x) \\
    ((x) + (x))

typedef struct pair {
    double a, b;
} pair;

static double sum(const pair *p)
{
    return p->a + p->b; // of both
}

double sb_total(const pair *p); /* elsewhere, too */

double sb_total(const pair *p)
{
    return TWICE(sum(p));
}

static const double weights[LAST] = {
    1.0,
    2.0};
"""


def source(name: str = "part", code: str = CODE) -> Source:
    return Source(name, tuple(chunks(code)))


def test_a_file_is_read_in_chunks():
    found = source().chunks
    kinds = [
        "directive" if c.is_directive else "function" if c.is_function else "prototype" if c.is_prototype else "other"
        for c in found
    ]
    assert kinds == ["other", "directive", "other", "function", "prototype", "function", "other"]
    assert [c.name for c in found if c.is_function or c.is_data] == ["sum", "sb_total", "weights"]
    assert found[0].comment == "/* How it works. */\n"


def test_local_names_are_found_and_macros_end_with_the_file():
    assert source().local_names == {"FIRST", "LAST", "pair", "sum", "weights"}
    assert source().macros == ["TWICE"]


def test_renaming_leaves_members_and_texts_alone():
    renamed = source(code='static int step(op *o)\n{\n    return o->step(step, "step"); // step\n}\n').renamed(
        {"step": "part_step"}
    )
    assert renamed.chunks[0].code == (
        'static int part_step(op *o)\n{\n    return o->step(part_step, "step"); // step\n}'
    )


def test_everything_but_the_interface_is_static():
    assert hidden(Chunk("", "double sb_total(int n)\n{\n    return n;\n}")).code.startswith("static double")
    assert hidden(Chunk("", "int stribeck_step(stribeck *s)\n{\n    return 0;\n}")).code.startswith("STRIBECK_API int")
    assert hidden(Chunk("", "extern const int sb_n;")).code == "static const int sb_n;"
    assert hidden(Chunk("", "#define X(kind) void sb_##kind##_flow(int n);")).code == (
        "#define X(kind) static void sb_##kind##_flow(int n);"
    )


def test_what_nothing_calls_is_left_out():
    code = (
        "int stribeck_go(void)\n{\n    return called();\n}\n\n"
        "static int called(void)\n{\n    return 1;\n}\n\n"
        "static int idle(void)\n{\n    return called();\n}\n\n"
        "static int sb_spring_flow(void)\n{\n    return 1;\n}\n\n"
        "#define X(kind) sb_##kind##_flow();\n"
    )
    assert [c.name for c in used(list(chunks(code))) if c.is_function] == ["stribeck_go", "called", "sb_spring_flow"]


def test_names_that_macros_put_together():
    (pattern,) = joined_names("#define X(kind, n) sb_##kind##_flow(n)")
    assert pattern.fullmatch("sb_spring_flow") and not pattern.fullmatch("sb_spring_rates")
    assert words("a->b + c.d(e)") == {"a", "c", "e"}


def test_a_layout_that_is_not_known_is_refused():
    with pytest.raises(SystemExit, match="has no end"):
        list(chunks("static int f(void) {\n    return 1;\n"))


KNOWN_TO_LINKERS = {"memcpy", "memset", "memcmp", "strcmp", "strlen"}
MATHEMATICS = r"a?(sin|cos|tan)h?|atan2|exp|expm1|log|log10|log1p|pow|sqrt|cbrt|hypot|floor|ceil|fabs|fmod|frexp|ldexp"
ARITHMETIC = {"copysign", "fma"}


def test_linkers_see_the_interface_and_no_variables(tmp_path: Path):
    if shutil.which("nm") is None:
        pytest.skip("there is no nm")
    compile_c("-c", "-fno-pie", runtime_files()["stribeck.c"], "-o", tmp_path / "stribeck.o")  # or constants would move
    listed = subprocess.run(["nm", str(tmp_path / "stribeck.o")], capture_output=True, text=True, check=True).stdout
    symbols = [line.split()[-2:] for line in listed.splitlines()]
    offered = {name for kind, name in symbols if kind in "TDBC"}
    assert offered and all(name.startswith("stribeck_") for name in offered)
    assert not [name for kind, name in symbols if kind in "DdBbC"]  # variables that could change
    needed = {name for kind, name in symbols if kind == "U"} - KNOWN_TO_LINKERS - ARITHMETIC
    others = {name for name in needed if not re.fullmatch(MATHEMATICS, name)}
    assert others <= {"__stack_chk_fail", "_GLOBAL_OFFSET_TABLE_"}
