"""Files are the old ones or the new ones, whole, and nothing is written by another way."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stribeck import WriteError
from stribeck.writing import PREFIX, make_folder, whole_file, writable_folder, write_json, write_rows, write_text

SOURCE = Path(__file__).parents[1] / "src"
WRITERS = {
    "write_text",
    "write_bytes",
    "savetxt",
    "save_npz",
    "savez",
    "tofile",
    "touch",
    "symlink_to",
    "mkdir",
}
"""Functions that make or change files; `.open` and `open` are looked at by their mode, those of `writing` are ours."""


def other_ways(file: Path) -> list[str]:
    """Calls in a file that write by themselves."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        method = node.func.attr if isinstance(node.func, ast.Attribute) else None
        name = method or (node.func.id if isinstance(node.func, ast.Name) else "")
        words = [a.value for a in [*node.args, *(k.value for k in node.keywords)] if isinstance(a, ast.Constant)]
        opens = name == "open" and any(
            isinstance(w, str) and set(w) <= set("rwxabt+") and set(w) & set("wxa+") for w in words
        )
        if opens or (method in WRITERS):
            found.append(f"{file.name}:{node.lineno}: {name}")
    return found


def test_nothing_is_written_by_another_way():
    files = [f for f in sorted(SOURCE.rglob("*.py")) if f.name != "writing.py"]
    assert not [way for file in files for way in other_ways(file)]


def test_the_search_for_other_ways_finds_them(tmp_path):
    file = tmp_path / "bad.py"
    file.write_text(
        "path.write_text('a')\nopen(path, mode='w')\npath.open('ab')\nopen(path)\npath.open('rb')\nnp.savetxt(p, x)\n"
    )
    assert [way.split(": ")[1] for way in other_ways(file)] == ["write_text", "open", "open", "savetxt"]


def test_what_fails_on_the_way_leaves_the_old_file(tmp_path):
    path = write_text(tmp_path / "model.yaml", "old")
    with pytest.raises(RuntimeError), whole_file(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["model.yaml"]


def test_permissions_and_links_stay(tmp_path):
    path = write_text(tmp_path / "fit.json", "old")
    path.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    write_json(link, {"a": 1})
    assert link.is_symlink() and json.loads(path.read_text()) == {"format": 1, "a": 1}
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_permissions_of_every_other(tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("")
    assert write_rows(tmp_path / "a.csv", [[1]]).stat().st_mode == plain.stat().st_mode


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_one_line_with_the_path():
    with pytest.raises(WriteError, match=r"^'/dev/full' cannot be written: No space left on device; [^\n]*$"):
        write_text("/dev/full", "x" * 100_000)


@pytest.mark.parametrize(
    ("name", "message"),
    [("none/a.csv", "make its folder first"), ("file/a.csv", "a part of its path is a file"), ("", "it is a folder")],
)
def test_places_that_cannot_be_written_to(tmp_path, name, message):
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteError, match=f"cannot be written: .*; {message}"):
        write_text(tmp_path / name, "x")


def test_folders_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("")
    for make in (make_folder, writable_folder):
        with pytest.raises(WriteError, match="cannot be written"):
            make(tmp_path / "file" / "deep")
    assert writable_folder(tmp_path / "a" / "b").is_dir()
    assert not list((tmp_path / "a" / "b").iterdir())


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_no_permission(tmp_path):
    path = write_text(tmp_path / "a.csv", "old")
    path.chmod(0o400)
    with pytest.raises(WriteError, match="choose a folder that you may write to"):
        write_text(path, "new")


KILLED = """
import sys
from stribeck.writing import write_lines
text = sys.argv[2] * 500_000
print("ready", flush=True)
while True:
    write_lines(sys.argv[1], [text, text])
"""


def test_kill_leaves_the_old_file_or_the_new_one(tmp_path):
    path = tmp_path / "a.txt"
    lengths = set()
    for k in range(3):
        run = subprocess.Popen([sys.executable, "-c", KILLED, path, str(k)], stdout=subprocess.PIPE)
        run.stdout.readline()
        try:
            run.wait(0.05 + 0.01 * k)
        except subprocess.TimeoutExpired:
            run.kill()
        run.wait()
        run.stdout.close()
        if path.exists():
            text = path.read_text()
            assert text == text[0] * 1_000_000
            lengths.add(text[0])
    assert lengths
    assert all(p == path or p.name.startswith(PREFIX) for p in tmp_path.iterdir())
