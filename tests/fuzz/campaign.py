"""Campaigns of broken inputs: each must end with an answer or with one error of ours, quickly and in little memory.

    python tests/fuzz/campaign.py models --runs 100000
    python tests/fuzz/campaign.py mat --runs 10000 --first 5000

Inputs are made from their seed, so a finding is repeated by `--first SEED --runs 1`. They are worked on by a process
apart; if it dies, that is a finding too, and the next one goes on behind it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # as a command
    sys.path.insert(0, str(Path(__file__).parents[1]))

MOST_SECONDS = 10
"""Processor time of one input."""
MOST_MEMORY = 500e6
"""Bytes that a process may grow to beyond what the packages take: they alone are 250 MB."""


class TooLongError(BaseException):
    """An input that takes more than MOST_SECONDS."""


@dataclass
class Count:
    """What became of the inputs of a campaign."""

    runs: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    findings: list[dict[str, Any]] = field(default_factory=list)
    memory: float = 0.0

    def add(self, entry: dict[str, Any]) -> None:
        """What became of one input."""
        self.runs += 1
        self.memory = max(self.memory, entry["memory"])
        self.answers[entry["answer"]] += 1
        if entry["answer"] in ("raw exception", "too long"):
            self.findings.append(entry)

    def __str__(self) -> str:
        answers = ", ".join(f"{number} {word}" for word, number in sorted(self.answers.items()))
        return f"{self.runs} inputs: {answers}; {len(self.findings)} findings; {self.memory / 1e6:.0f} MB at most"


def campaign(target: str, runs: int, first: int = 0) -> Count:
    """Works on the inputs of the seeds from `first` on, and counts what became of them."""
    count, seed, end = Count(), first, first + runs
    while seed < end:
        words = [sys.executable, __file__, target, "--first", str(seed), "--runs", str(end - seed), "--child"]
        with (
            tempfile.TemporaryFile("w+", errors="replace") as errors,  # a full pipe would stop the child
            subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, text=True) as child,
        ):
            assert child.stdout
            try:
                for line in child.stdout:
                    entry = json.loads(line)
                    count.add(entry)
                    seed = entry["seed"] + 1
            except KeyboardInterrupt:  # what is known so far is an answer too
                child.kill()
                return count
            child.wait()
            errors.seek(0)
            last_words = errors.read()[-500:]
        if child.returncode:
            answer = "too long" if child.returncode == -signal.SIGXCPU else "crash"
            count.findings.append({"seed": seed, "answer": answer, "text": f"code {child.returncode}: {last_words}"})
            count.answers[answer] += 1
            count.runs += 1
            seed += 1
    return count


def work(target: str, first: int, runs: int) -> None:
    """The child: one line of JSON per input."""
    from fuzz.targets import TARGETS

    signal.signal(signal.SIGPROF, _too_long)
    os.environ["MPLBACKEND"] = "agg"
    out = os.fdopen(os.dup(1), "w")
    with Path(os.devnull).open("w") as nowhere, tempfile.TemporaryDirectory() as folder:
        os.dup2(nowhere.fileno(), 1)  # readers of others print
        os.chdir(folder)
        attempt = TARGETS[target](Path(folder))
        warnings.simplefilter("ignore")
        for seed in range(first, first + runs):
            answer = {"seed": seed, **_answer(attempt, seed), "memory": _memory()}
            print(json.dumps(answer), file=out, flush=True)


def _memory() -> int:
    """The most that this process has taken so far (bytes); `ru_maxrss` would begin with that of the parent."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def _answer(attempt: Callable[[int], str], seed: int) -> dict[str, str]:
    """What becomes of one input: "fine", "refused", or a finding."""
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    end = int(time.process_time()) + 2 * MOST_SECONDS  # of a process that hangs in C, where no handler runs
    resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))
    try:
        return {"answer": attempt(seed)}
    except TooLongError:
        return {"answer": "too long", "text": traceback.format_exc()[-600:]}
    except Exception:
        return {"answer": "raw exception", "text": traceback.format_exc()[-1200:]}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _too_long(*_: object) -> None:
    raise TooLongError


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("target")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--child", action="store_true")
    asked = parser.parse_args()
    if asked.child:
        work(asked.target, asked.first, asked.runs)
    else:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        found = campaign(asked.target, asked.runs, asked.first)
        for finding in found.findings:
            print(finding["seed"], finding["answer"], finding.get("text", ""))
        print(f"{asked.target}: {found}")
