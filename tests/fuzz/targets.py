"""What is attacked with broken inputs: model files, settings, readers of files, the interface, snapshots."""

import random
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

import numpy as np
import yaml
from fuzz.mutation import mutated_bytes, mutated_text
from fuzz.samples import FORMULAS, SETTINGS, TABLES, law_texts, model_texts, random_formula

import stribeck as sb
from stribeck.results import Events
from stribeck.results.folder import read_summary, write_files
from stribeck.tables import read_columns

Attempt = Callable[[int], str]
"""From a seed to what became of its input: "fine" or "refused"; whatever else it raises is a finding."""
MOST_INTERVALS = 20_000


def models(folder: Path) -> Attempt:
    """Mutated model files, read and run."""
    texts = model_texts()

    def attempt(seed: int) -> str:
        rng = random.Random(seed)
        path = folder / "model.yaml"
        path.write_text(mutated_text(rng.choice(texts), rng), encoding="utf-8", errors="surrogatepass", newline="")
        return _run(lambda: sb.load_model(path))

    return attempt


def settings(folder: Path) -> Attempt:
    """Mutated values and paths of `--set`."""
    names = sb.shipped_models()

    def attempt(seed: int) -> str:
        rng = random.Random(seed)
        model = sb.load_model(rng.choice(names))
        path, _, value = mutated_text(rng.choice(SETTINGS), rng).partition("=")
        return _run(lambda: model.varied({path: value}))

    return attempt


def laws(folder: Path) -> Attempt:
    """Random formulas, and mutated laws as text; a law that is accepted is compiled."""
    texts = law_texts()

    def attempt(seed: int) -> str:
        rng = random.Random(seed)
        name, law = rng.choice(texts)
        try:
            if seed % 2:
                entries = yaml.safe_load(law)
                entry = rng.choice(FORMULAS)
                entries[entry] = random_formula(rng) if entry not in ("rates", "let") else {"z": random_formula(rng)}
                kind = sb.laws.from_text(name, **entries)
            else:
                kind = sb.load_laws(f"laws:\n  {name}:\n{indent(mutated_text(law, rng), '    ')}\n")[name]
            model = sb.Model("laws")
            model.add("mass", sb.Inertia(J=1, w0=1))
            model.add("friction", sb.Bearing("mass", law=kind()))
            sb.compile_model(model)
        except sb.StribeckError as error:
            return _one_error(error)
        return "fine"

    return attempt


def _run(make: Callable[[], sb.Model]) -> str:
    try:
        program = sb.compile_model(make())
        if program.simulation.intervals > MOST_INTERVALS:  # as many rows as asked for are no fault
            return "fine"
        sb.simulate(program, max_steps=3000, max_seconds=4)
    except sb.StribeckError as error:
        return _one_error(error)
    return "fine"


def _one_error(error: Exception) -> str:
    """An error of ours is short and can be printed."""
    text = str(error)
    assert 0 < len(text) <= 2500, len(text)
    assert all(c.isprintable() or c == "\n" for c in text), ascii(text)
    return "refused"


def table(ending: str) -> Callable[[Path], Attempt]:
    """Mutated files with measured columns."""

    def target(folder: Path) -> Attempt:
        contents = []
        for number, write in enumerate(TABLES[ending]):
            write(folder / f"good{number}{ending}")
            contents.append((folder / f"good{number}{ending}").read_bytes())
        return _reads(folder / f"bad{ending}", contents, _all_numbers)

    return target


def _all_numbers(path: Path) -> None:
    columns = read_columns(path)
    for name in columns.names:
        if columns[name].values.dtype.kind != "O":
            columns.numbers(name)


def result(ending: str) -> Callable[[Path], Attempt]:
    """Mutated results; one that loads must have the numbers that were saved."""

    def target(folder: Path) -> Attempt:
        saved = sb.simulate(sb.load_model("stick-slip-switch"), 8.0, intervals=20)
        content = saved.save(folder / f"good{ending}").read_bytes()

        def load(path: Path) -> None:
            back = sb.Result.load(path)
            np.testing.assert_array_equal(back.data, saved.data)

        return _reads(folder / f"bad{ending}", [content], load)

    return target


def summaries(folder: Path) -> Attempt:
    """Mutated summaries and events."""
    saved = sb.simulate(sb.load_model("stick-slip-switch"), 8.0, intervals=20)
    paths = write_files(folder / "run", {"events.csv": saved.events.save}, saved.summary())
    content = [path.read_bytes() for path in paths]

    def load(path: Path) -> None:
        if path.stat().st_size % 2:
            read_summary(path)
        else:
            Events.load(path)

    return _reads(folder / "bad.json", content, load)


def _reads(path: Path, contents: list[bytes], read: Callable[[Path], None]) -> Attempt:
    def attempt(seed: int) -> str:
        rng = random.Random(seed)
        path.write_bytes(mutated_bytes(rng.choice(contents), rng))
        try:
            read(path)
        except sb.StribeckError as error:
            return _one_error(error)
        return "fine"

    return attempt


def snapshots(folder: Path) -> Attempt:
    """Mutated snapshots of a machine at a fixed step."""
    steppers = [sb.realtime(sb.load_model(name), 1e-3) for name in ("stick-slip", "stick-slip-switch", "gear-shift")]

    def attempt(seed: int) -> str:
        rng = random.Random(seed)
        stepper: Any = rng.choice(steppers)
        try:
            stepper.restore(mutated_bytes(stepper.snapshot(), rng))
            stepper.step(10)
        except sb.StribeckError as error:
            return _one_error(error)
        finally:
            stepper.reset()
        return "fine"

    return attempt


def api(folder: Path) -> Attempt:
    """Wrong arguments to everything public."""
    from fuzz.misuse import attempt

    return attempt


def all_of(*targets: str) -> Callable[[Path], Attempt]:
    """Several targets in turn."""

    def target(folder: Path) -> Attempt:
        attempts = [TARGETS[name](folder) for name in targets]
        return lambda seed: attempts[seed % len(attempts)](seed)

    return target


TARGETS: dict[str, Callable[[Path], Attempt]] = {
    "models": models,
    "settings": settings,
    "laws": laws,
    **{ending[1:]: table(ending) for ending in TABLES},
    **{f"result-{ending}": result(f".{ending}") for ending in ("csv", "parquet", "nc")},
    "summaries": summaries,
    "snapshots": snapshots,
    "api": api,
    "texts": all_of("models", "settings", "laws"),
    "tables": all_of(*(ending[1:] for ending in TABLES)),
    "results": all_of("result-csv", "result-parquet", "result-nc", "summaries", "snapshots", "api"),
}
