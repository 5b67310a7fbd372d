"""Disks that are full and processes that are killed: files are the old ones or the new ones."""

import subprocess
import sys

import pytest
from fuzz.kills import kills

import stribeck as sb

SIZE = 64 * 1024
"""Bytes of the small disk."""


@pytest.fixture
def full_disk(tmp_path):
    """A folder on a separate disk with no space left but for a name."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(tmp_path)]
    try:
        made = subprocess.run(mount, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount here")
    if made.returncode:
        pytest.skip(f"no small disk can be mounted here: {made.stderr.strip()}")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


def fill(folder):
    with pytest.raises(OSError, match="No space"), (folder / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)


@pytest.mark.parametrize("name", ["run.csv", "run.parquet", "run.nc", "run.json", "run.png", "model.yaml"])
def test_a_full_disk_leaves_the_old_file(full_disk, name):
    model = sb.load_model("stick-slip")
    result = sb.simulate(model, 5.0, intervals=500)
    write = {".png": lambda p: result.plot(path=p), ".yaml": model.to_yaml}.get(name[name.rindex(".") :], result.save)
    path = full_disk / name
    path.write_bytes(b"old")
    fill(full_disk)
    with pytest.raises(sb.WriteError, match=f"{name}' cannot be written: [^\n]*$"):
        write(path)
    assert path.read_bytes() == b"old"
    assert sorted(p.name for p in full_disk.iterdir()) == sorted(["filler", name])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_two_hundred_kills_leave_whole_files():
    count = kills(200)
    print(dict(count))
    assert count["whole"] > 200 and not [word for word in count if word.startswith("broken")]
