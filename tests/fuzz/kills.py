"""kill -9 at random moments while files are written: every file must be the old one or the new one, whole.

python tests/fuzz/kills.py --kills 200
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import sleep

if __name__ == "__main__":  # as a command
    sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

import stribeck as sb
from stribeck.results import Events
from stribeck.results.folder import read_summary
from stribeck.writing import PREFIX

START = "import sys\nimport stribeck as sb\n"
CLI = START + "from typer.testing import CliRunner\nfrom stribeck.cli import app\ncli = CliRunner().invoke\n"
READY = "print('ready', flush=True)\nwhile True:\n    "
WORK = {
    "save": START
    + "r = sb.simulate(sb.load_model('stick-slip'), 25, intervals=20000)\nr.save('r.csv')\n"
    + READY
    + "[r.save('r' + e) for e in ('.csv', '.parquet', '.nc', '.json')]; sb.load_model('gearbox').to_yaml('m.yaml')",
    "run": CLI + READY + "cli(app, ['run', 'stick-slip-switch', '--out', 'out'])",
    "papers": CLI + READY + "cli(app, ['papers', 'guo2017', '--quick', '--figure', '4', '--out', 'out'])",
    "identify": CLI
    + READY
    + "cli(app, ['identify', 'rig.yaml', 'run.csv', '--free', 'joint.law.mu_c', '--output', 'load.s=q', '--input', "
    "'motor.f=u', '--solver', 'fixed', '--report', 'out/fit.html', '--save', 'out/fit.json']); "
    "cli(app, ['linearize', 'stick-slip', '--out', 'out'])",
}
"""Programs that write without end."""


LONGEST = {"save": 1.5, "run": 4.0, "papers": 6.0, "identify": 4.0}
"""Seconds until a kill, at most: long enough that each has written something."""


MODEL = """
elements:
  load: {type: mass, m: 1}
  joint: {type: guide, a: load, law: {type: stribeck, mu_c: 0.6, mu_s: 1.0, v_s: 0.05, mu_v: 0.4}}
  motor: {type: force, a: load, f: 0}
"""


def prepare(folder: Path) -> None:
    """A model and a record of it, to be fitted."""
    (folder / "rig.yaml").write_text(MODEL)
    truth = sb.load_model(folder / "rig.yaml").varied({"joint.law.mu_c": 0.8})
    time = 5e-3 * np.arange(201)
    force = 2.2 * np.sin(6 * time)
    sb.set_parameter(truth, "motor.f", sb.Table(time=time.tolist(), value=force.tolist(), between="hold"))
    s = np.asarray(sb.simulate(truth, times=time)["load.s"])
    np.savetxt(folder / "run.csv", np.c_[time, force, s], "%.9g", ",", header="t [s],u [N],q [m]", comments="")


def whole(path: Path) -> bool:
    """Whether a file is complete, by what its kind says."""
    content = path.read_bytes()
    kind = path.suffix
    if kind == ".png":
        return content.startswith(b"\x89PNG") and content.endswith(b"IEND\xaeB`\x82")
    if kind == ".html":
        return content.rstrip().endswith(b"</html>")
    if kind == ".json":
        return bool(read_summary(path) if b'"files"' in content else json.loads(content))
    if kind == ".yaml":
        return bool(sb.Model.from_yaml(path))
    if path.name == "events.csv":
        return Events.load(path) is not None
    if kind in (".parquet", ".nc") or path.name in ("result.csv", "r.csv"):
        return sb.Result.load(path).time.size > 0
    return content.endswith(b"\n")


def kill(name: str, folder: Path, seconds: float) -> Counter[str]:
    """Starts a program, kills it after a while, and looks at what it has left."""
    run = subprocess.Popen([sys.executable, "-W", "ignore", "-c", WORK[name]], cwd=folder, stdout=subprocess.PIPE)
    assert run.stdout is not None
    run.stdout.readline()
    sleep(seconds)
    run.send_signal(signal.SIGKILL)
    run.wait()
    run.stdout.close()
    count: Counter[str] = Counter()
    for path in sorted(folder.rglob("*")):
        if path.is_dir() or path.name in ("run.csv", "rig.yaml"):
            continue
        if path.name.startswith(PREFIX):
            count["temporary"] += 1
            path.unlink()
            continue
        try:
            good = whole(path)
        except (sb.StribeckError, ValueError):
            good = False
        count["whole" if good else f"broken {path.name}"] += 1
    return count


def kills(number: int, seed: int = 0, names: tuple[str, ...] = tuple(WORK)) -> Counter[str]:
    """Kills the programs in turn at random moments, always in the same folders."""
    rng, count = random.Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as place:
        for name in names:
            (Path(place) / name / "out").mkdir(parents=True)
            prepare(Path(place) / name)
        for k in range(number):
            name = names[k % len(names)]
            count += kill(name, Path(place) / name, rng.uniform(0.0, LONGEST[name]))
    return count


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    print(f"{asked.kills} kills:", dict(kills(asked.kills, asked.seed)))
