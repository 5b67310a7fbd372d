"""Campaigns: thousands of machines of a generator, each in a process with a time limit, with a state to resume from.

    python tests/support/campaign.py assorted --runs 10000 --compare 2000 --jobs 2
    python tests/support/campaign.py fixed-assorted --runs 1700 --jobs 1
    python tests/support/campaign.py shrink assorted 12

The first seeds are compared, all are run. One line of JSON for each is appended to the state file.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":  # as a command
    sys.path.insert(0, str(Path(__file__).parents[1]))

from support.assorted import assorted
from support.builder import Machine
from support.drivelines import driveline
from support.fixed_checks import LARGE, STEPS, check_fixed
from support.kinds import Kinds
from support.machine_checks import check, refusal_kind
from support.shrink import shrink_machine
from support.symmetric import symmetric

import stribeck as sb

GENERATORS: dict[str, Callable[..., Machine]] = {
    "drivelines": lambda seed, kinds=None: Machine(driveline(seed, kinds)),
    "assorted": lambda seed, kinds=None: Machine(assorted(seed, kinds)),
    "symmetric": symmetric,
}
"""What makes a machine of a seed, and of the kinds of laws and elements, if they are given."""

FIXED = "fixed-"
"""Before the name of a generator: its machines at fixed steps, beside the adaptive run."""

RUNS, COMPARED = 10_000, 2_000
OUTSIDE_EVERY = 20
"""Of the compared machines, how many share one run of an outside integrator."""

MOST_SENSITIVE, MOST_BRIDGED = 0.02, 0.001
"""Shares of the compared machines and of all."""

MOST_FAULTY, MOST_ERRORS = 0.001, (0.055, 0.007)
"""At fixed steps: share of the machines with a fault, and the 99th percentile of errors at each of the STEPS."""

LIMIT = 20.0
"""Time (s) for a machine, after which its runs count as endless."""

ROOT = Path(__file__).parents[2]

Record = dict[str, Any]


# --- one machine ------------------------------------------------------------------------------------------------------


def examine(name: str, seed: int, compare: bool) -> Record:
    """What was found about the machine of a seed, as a line of the state file.

    >>> examine("assorted", 7, compare=False)
    {'seed': 7, 'compare': False, 'faults': [], 'seconds': 0.03}
    """
    if name.startswith(FIXED):
        return examine_fixed(name, seed)
    start = time.monotonic()
    verdict = check(GENERATORS[name](seed), compare=compare, outside=compare and seed % OUTSIDE_EVERY == 0)
    record: Record = {"seed": seed, "compare": compare, "faults": [list(fault) for fault in verdict.faults]}
    found = {"refused": verdict.refused, "parts": verdict.parts, "bridged": verdict.bridged, "events": verdict.events}
    record |= {key: value for key, value in found.items() if value not in ("", None, 0)}
    return record | {"seconds": round(time.monotonic() - start, 3)}


def examine_fixed(name: str, seed: int) -> Record:
    """The same at fixed steps.

    >>> examine_fixed("fixed-assorted", 7)
    {'seed': 7, 'compare': True, 'faults': [], 'errors': [1.2e-4, 1.2e-5], 'seconds': 0.2}
    """
    start = time.monotonic()
    verdict = check_fixed(GENERATORS[name.removeprefix(FIXED)](seed))
    record: Record = {"seed": seed, "compare": True, "faults": [list(fault) for fault in verdict.faults]}
    found = {"refused": verdict.refused, "parts": verdict.parts, "capped": verdict.capped, "errors": verdict.errors}
    record |= {key: value for key, value in found.items() if value not in ("", None, 0, [])}
    return record | {"seconds": round(time.monotonic() - start, 3)}


def smallest(name: str, seed: int, compare: bool, kinds: Kinds | None = None) -> str:
    """The smallest machine that has the first fault of a seed, as YAML; "" if it has none.

    >>> print(smallest("assorted", 12, compare=False))
    """
    machine = GENERATORS[name](seed, kinds)
    options = {"compare": compare, "outside": compare and seed % OUTSIDE_EVERY == 0}
    found = check(machine, **options).faults
    if not found:
        return ""
    kind = found[0].kind
    small = shrink_machine(machine, lambda other: any(fault.kind == kind for fault in check(other, **options).faults))
    images = f"# images: {small.images}\n" if small.images else ""
    return f"# {name} {seed}: {found[0].text}\n{images}{sb.Model.from_dict(small.plain).to_yaml()}"


# --- many -------------------------------------------------------------------------------------------------------------


@dataclass
class Worker:
    """A process that examines one machine after the other."""

    name: str
    seed: int | None = None
    since: float = 0.0
    pipe: Connection = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """A new process, in the place of one that is gone."""
        self.pipe, far = get_context("spawn").Pipe()
        self.process = get_context("spawn").Process(target=_serve, args=(self.name, far), daemon=True)
        self.process.start()
        far.close()

    def send(self, seed: int, compare: bool) -> None:
        self.seed, self.compare, self.since = seed, compare, time.monotonic()
        self.pipe.send((seed, compare))

    def give_up(self, kind: str) -> Record:
        """The record of a machine whose process did not bring one home."""
        self.process.kill()
        self.process.join()
        code = self.process.exitcode
        self.start()
        text = f"no result after {time.monotonic() - self.since:.0f} s, exit code {code}"
        return {"seed": self.seed, "compare": self.compare, "faults": [[kind, text]], "seconds": LIMIT}

    def stop(self) -> None:
        self.process.kill()
        self.process.join()


def _serve(name: str, pipe: Connection) -> None:
    """Examines what it is sent, until it is ended."""
    while True:
        pipe.send(examine(name, *pipe.recv()))


def records(name: str, tasks: Iterable[tuple[int, bool]], jobs: int) -> Iterator[Record]:
    """What was found about the machines of (seed, compare), as it comes in; an endless run or a crash is a fault.

    >>> list(records("symmetric", [(0, False), (1, False)], jobs=2))
    """
    queue = iter(tasks)
    workers = [Worker(name) for _ in range(jobs)]
    busy: list[Worker] = []

    def feed(worker: Worker) -> None:
        if (task := next(queue, None)) is not None:
            worker.send(*task)
            busy.append(worker)

    try:
        for worker in workers:
            feed(worker)
        while busy:
            wait([worker.pipe for worker in busy], timeout=1.0)
            for worker in list(busy):
                if (record := collected(worker)) is not None:
                    busy.remove(worker)
                    feed(worker)
                    yield record
    finally:
        for worker in workers:
            worker.stop()


def collected(worker: Worker) -> Record | None:
    """What a worker has found; None while it is at work."""
    try:
        if worker.pipe.poll():
            record: Record = worker.pipe.recv()
            return record
    except (EOFError, OSError):
        return worker.give_up("crash")
    return worker.give_up("endless") if time.monotonic() - worker.since > LIMIT else None


# --- a campaign -------------------------------------------------------------------------------------------------------


def state_file(name: str) -> Path:
    """Where the state of a campaign is kept: by the commit, so that no campaign goes on with other code."""
    return ROOT / "build" / "campaigns" / f"{name}-{commit()}.jsonl"


def commit() -> str:
    """The commit that is checked out, with a mark if something was changed since."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--exclude=*"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return described.stdout.strip() or "unknown"


def known(state: Path) -> dict[int, Record]:
    """The records of a state file by seed; a line that was cut off is forgotten."""
    found: dict[int, Record] = {}
    for line in state.read_text().splitlines() if state.exists() else []:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if record["compare"] or record["seed"] not in found:
            found[record["seed"]] = record
    return found


def campaign(
    name: str, state: Path, runs: int = RUNS, compared: int = COMPARED, jobs: int = 2, every: int = 100, first: int = 0
) -> dict[int, Record]:
    """Examines what the state file does not know yet, from the first seed on; progress after `every` machines, 0: none.

    >>> campaign("assorted", tmp_path / "state.jsonl", runs=20, compared=2)
    """
    found = known(state)
    wanted = [(first + i, i < compared) for i in range(max(runs, compared))]
    tasks = [(seed, compare) for seed, compare in wanted if seed not in found or compare > found[seed]["compare"]]
    state.parent.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    with state.open("a") as file:
        for count, record in enumerate(records(name, tasks, jobs), start=1):
            found[record["seed"]] = record
            file.write(json.dumps(record) + "\n")
            file.flush()
            if every and count % every == 0:
                faulty = sum(bool(other["faults"]) for other in found.values())
                print(
                    f"{name}: {count} of {len(tasks)}, {time.monotonic() - start:.0f} s, {faulty} with faults",
                    flush=True,
                )
    return {seed: found[seed] for seed, _ in wanted}


def table(name: str, found: dict[int, Record]) -> str:
    """The counts of a campaign: one line for each thing that was found, with the first seeds.

    >>> print(table("assorted", campaign("assorted", state)))
    """
    every = list(found.values())
    compared = [record for record in every if record["compare"]]
    rows: dict[str, list[int]] = {
        "ok": [r["seed"] for r in every if not r["faults"] and "refused" not in r],
        "compared": [r["seed"] for r in compared],
        "sensitive": [r["seed"] for r in compared if "parts" in r],
        "bridged": [r["seed"] for r in every if r.get("bridged")],
        "capped": [r["seed"] for r in every if r.get("capped")],
    }
    for record in every:
        for kind, _ in record["faults"]:
            rows.setdefault(f"fault: {kind}", []).append(record["seed"])
        if "refused" in record:
            rows.setdefault(f"refused: {refusal_kind(record['refused'])}", []).append(record["seed"])
    instants, events = (sum(record.get(key, 0) for record in every) for key in ("bridged", "events"))
    seconds = sum(record["seconds"] for record in every)
    lines = [f"{name} at {commit()}: {len(every)} machines, {seconds / max(len(every), 1):.3f} s each"]
    lines += [f"{instants} instants bridged beside {events} events", ""]
    for what, seeds in rows.items():
        share = len(seeds) / max(len(compared) if what == "sensitive" else len(every), 1)
        first = "" if what in ("ok", "compared") else " ".join(map(str, sorted(seeds)[:12]))
        lines.append(f"{len(seeds):6d} {100 * share:7.2f} %  {what}  {first}".rstrip())
    return "\n".join([*lines, *error_lines(every)])


def error_lines(every: list[Record]) -> list[str]:
    """How the errors at fixed steps are distributed, if there are any; and the machines that are far off."""
    pairs = {record["seed"]: record["errors"] for record in every if record.get("errors")}
    lines = []
    for i, h in enumerate(STEPS if pairs else ()):
        errors = np.array([errors[i] for errors in pairs.values()])
        median, most = np.quantile(errors, (0.5, 0.99))
        numbers = f"median {median:.2g}, 99 % {most:.2g}, largest {errors.max():.2g} of the speeds"
        far = {seed: f"{seed} ({errors[i]:.2g})" for seed, errors in pairs.items() if errors[i] > LARGE}
        lines += [f"{h:g} s: {numbers}, {len(errors)} machines", f"  above {LARGE:g}: {' '.join(far.values())}"]
    return lines


def shortfalls(found: dict[int, Record]) -> list[str]:
    """What keeps a campaign from being passed.

    >>> shortfalls(campaign("assorted", state))
    []
    """
    compared = sum(record["compare"] for record in found.values())
    faulty = [seed for seed, record in found.items() if record["faults"]]
    sensitive, bridged = (sum(key in record for record in found.values()) for key in ("parts", "bridged"))
    checks = {
        f"{len(faulty)} machines with faults, the first of seed {min(faulty, default=-1)}": bool(faulty),
        f"{sensitive} of {compared} machines are sensitive": sensitive > MOST_SENSITIVE * max(compared, 100),
        f"{bridged} of {len(found)} machines are bridged": bridged > MOST_BRIDGED * len(found),
    }
    return [text for text, wrong in checks.items() if wrong]


def fixed_shortfalls(found: dict[int, Record]) -> list[str]:
    """The same of a campaign at fixed steps.

    >>> fixed_shortfalls(campaign("fixed-assorted", state))
    []
    """
    faulty = [seed for seed, record in found.items() if record["faults"]]
    errors = np.array([record["errors"] for record in found.values() if record.get("errors")]).reshape(-1, len(STEPS))
    late = np.quantile(errors, 0.99, axis=0) if len(errors) else np.zeros(len(STEPS))
    checks = {
        f"{len(faulty)} machines with faults, the first of seed {min(faulty, default=-1)}": len(faulty)
        > MOST_FAULTY * len(found)
    }
    for h, error, most in zip(STEPS, late, MOST_ERRORS, strict=True):
        checks[f"the 99th percentile of errors at {h:g} s is {error:.2g}"] = error > most
    return [text for text, wrong in checks.items() if wrong]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "words", nargs="+", metavar="NAME", help=f"{', '.join(GENERATORS)}, {FIXED}NAME, or: shrink NAME SEED"
    )
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--compare", type=int, default=COMPARED, help="how many of them are compared")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--state", type=Path, help="default: build/campaigns/NAME-COMMIT.jsonl")
    given = parser.parse_args()
    if given.words[0] == "shrink":
        name, seed = given.words[1], int(given.words[2])
        print(smallest(name, seed, compare=False) or smallest(name, seed, compare=True) or "no fault")
        return
    for name in given.words:
        state = given.state or state_file(name)
        compared = 0 if name.startswith(FIXED) else given.compare
        found = campaign(name, state, given.runs, compared, given.jobs, first=given.first)
        missed = fixed_shortfalls(found) if name.startswith(FIXED) else shortfalls(found)
        print(table(name, found), *missed, sep="\n")


if __name__ == "__main__":
    main()
