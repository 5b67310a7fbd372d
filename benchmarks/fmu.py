"""What an FMU costs: DoStep of Co-Simulation at a fixed step, compared with the step of the C library.

    python benchmarks/fmu.py [--rounds 21] [--steps 4000] [--json FILE]

Both are in one program, made from the sources of an FMU (fmu_driver.c), and take turns, a run from the start each; the
table has medians. Needs a C compiler (cc). The interface may cost 1 us at most: what is above the step itself.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
import zipfile
from pathlib import Path

from _bench import KERNEL_FLAGS, arguments

import stribeck as sb

MODELS = ("stick-slip", "coupled-clutches", "powertrain-4", "car")
DRIVER = Path(__file__).with_name("fmu_driver.c")


def measured(name: str, folder: Path, rounds: int, steps: int) -> tuple[float, float]:
    """Median nanoseconds of DoStep and of the step."""
    path = sb.deploy.fmu(sb.load_model(name), folder / f"{name}.fmu", fmi=3, types="cs", sources=True)
    with zipfile.ZipFile(path) as archive:
        source = next(entry for entry in archive.namelist() if entry.startswith("sources/") and entry.endswith(".c"))
        text = archive.read(source).decode()
    program = folder / name
    file = program.with_suffix(".c")
    file.write_text(text + DRIVER.read_text())
    clock = "-D_POSIX_C_SOURCE=199309L"
    subprocess.run(["cc", *KERNEL_FLAGS, clock, str(file), "-o", str(program), "-lm"], check=True)
    lines = subprocess.run([str(program), str(rounds), str(steps)], check=True, capture_output=True, text=True).stdout
    columns = zip(*(map(float, line.split()) for line in lines.splitlines()), strict=True)
    fmu, step = (statistics.median(column) for column in columns)
    return fmu, step


def main() -> None:
    args = arguments(__doc__, rounds=21, steps=4000)
    found = {}
    print(f"{'model':<18} {'DoStep / ns':>12} {'C step / ns':>12} {'more / ns':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for name in MODELS:
            fmu, step = measured(name, Path(folder), args.rounds, args.steps)
            found[name] = {"do_step_ns": fmu, "step_ns": step, "more_ns": fmu - step}
            print(f"{name:<18} {fmu:12.1f} {step:12.1f} {fmu - step:10.1f}")
    if args.json is not None:
        args.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
