"""Two builds of the package on the same tasks, in turns: what a change of the kernel costs.

    python benchmarks/before_after.py PYTHON_BEFORE PYTHON_AFTER [--rounds 9] [--only TEXT] [--json FILE]

Each build is the interpreter of an environment in which it is installed, and works in a separate process; the two
take turns and change places, so that a slow moment of the machine hits both. Tasks: the shipped models, the machine of
adaptive.py, the chains of size.py (one step, one event, one fixed step) and the six drivelines of realtime.py. The
ratio is the median over the rounds of after / before, in processor time. Counts (steps, evaluations, events) do not
depend on the machine, and equal digests say that results have equal bits.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

COUNTS = ("steps", "rejected", "rhs_evaluations", "jacobian_evaluations", "event_evaluations", "state_events")
SLICE = 0.05
"""Seconds that a sample takes at least."""

Task = Callable[[], Any]


# -- in the process of a build ---


def tasks() -> dict[str, Callable[[], Task]]:
    """Name and preparation of every task; what a task returns is a Result or an array."""
    import adaptive
    import realtime
    import size

    import stribeck as sb

    def run(model: sb.Model, **options: Any) -> Task:
        program = sb.compile_model(model)
        return lambda: sb.simulate(program, **options)

    def chain(build: Callable[[int], sb.Model], n: int) -> Task:
        return run(build(n), t_end=0.4, intervals=1, max_step=1e-3, first_step=1e-3)

    def fixed_chain(build: Callable[[int], sb.Model], n: int) -> Task:
        stepper = build(n).realtime(h=1e-3, energy=False)

        def task() -> None:
            stepper.reset()
            stepper.step(size.STEPS)

        return task

    def drivelines(case: realtime.Case) -> Task:
        ours = realtime.ours(case)[0]
        return ours.results

    long = size.SIZES[len(size.SIZES) // 2 :]
    return (
        {name: lambda name=name: run(sb.load_model(name)) for name in sb.shipped_models()}
        | {"traces of gearbox": lambda: run(sb.load_model("gearbox"), energy=False, extremes=False)}
        | {"LuGre rig at 1e-7": lambda: partial(adaptive.stribeck_solver(), 1e-7)}
        | {f"events {n}": lambda n=n: run(size.engaging(n), t_end=1e-2 * n, intervals=1) for n in long}
        | {f"{name} {n}": lambda b=b, n=n: chain(b, n) for name, b in size.CASES.items() for n in long}
        | {f"fixed {name} {n}": lambda b=b, n=n: fixed_chain(b, n) for name, b in size.CASES.items() for n in long}
        | {f"realtime {case.name}": lambda case=case: drivelines(case) for case in realtime.CASES}
    )


def facts(result: Any) -> dict[str, Any]:
    """Digest and counts of what a task has returned."""
    data = getattr(result, "data", result)
    if data is None:
        return {"digest": "", "counts": {}}
    counts = {name: getattr(result.statistics, name) for name in COUNTS} if hasattr(result, "statistics") else {}
    return {"digest": hashlib.sha256(data.tobytes()).hexdigest()[:12], "counts": counts}


def work() -> None:
    """Lines in: names of tasks; lines out: seconds of a call, and at the first one digest and counts."""
    known = tasks()
    print(json.dumps(list(known)), flush=True)
    ready: dict[str, tuple[Task, int]] = {}
    for line in sys.stdin:
        name, told = line.strip(), {}
        if name not in ready:
            task = known[name]()
            told = facts(task())
            start = time.process_time()
            task()
            ready = {name: (task, max(1, round(SLICE / (time.process_time() - start + 1e-6))))}
        task, calls = ready[name]
        start = time.process_time()
        for _ in range(calls):
            task()
        print(json.dumps({"seconds": (time.process_time() - start) / calls} | told), flush=True)


# -- in the process that compares ---


class Build:
    """The process of one build."""

    def __init__(self, python: str) -> None:
        command = [python, __file__, "--worker"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.tasks = self._read()

    def _read(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args}: ended with {self.process.wait()}")
        return json.loads(line)

    def sample(self, task: str) -> dict[str, Any]:
        assert self.process.stdin is not None
        print(task, file=self.process.stdin, flush=True)
        return self._read()


def compare(before: Build, after: Build, task: str, rounds: int) -> dict[str, Any]:
    """Seconds of both, their ratio, what differs in counts and digests."""
    first = [build.sample(task) for build in (before, after)]
    samples = []
    for turn in range(rounds):
        pair = [build.sample(task)["seconds"] for build in ((before, after) if turn % 2 else (after, before))]
        samples.append(pair if turn % 2 else pair[::-1])
    seconds = [statistics.median(column) for column in zip(*samples, strict=True)]
    ratio = statistics.median(b / a for a, b in samples)
    counts = [one["counts"] for one in first]
    changed = {key: (counts[0][key], counts[1][key]) for key in counts[0] if counts[0][key] != counts[1][key]}
    return {"seconds": seconds, "ratio": ratio, "same": first[0]["digest"] == first[1]["digest"], "changed": changed}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("python", nargs=2, help="interpreters of the two builds, before and after")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="", help="tasks whose name contains this")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    chosen = parser.parse_args()
    before, after = (Build(python) for python in chosen.python)
    rows = {}
    print(f"{'task':<36} {'before ms':>10} {'after ms':>10} {'ratio':>6}  bits, counts that differ")
    for task in (name for name in before.tasks if name in after.tasks and chosen.only in name):
        row = rows[task] = compare(before, after, task, chosen.rounds)
        milliseconds = " ".join(f"{1e3 * s:10.3f}" for s in row["seconds"])
        changed = ", ".join(f"{key} {a} -> {b}" for key, (a, b) in row["changed"].items())
        print(f"{task:<36} {milliseconds} {row['ratio']:6.2f}  {'same ' if row['same'] else 'other'} {changed}")
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    work() if sys.argv[1:] == ["--worker"] else main()
