"""The commands of identification and their options; the work is imported by the command that does it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .options import ModelName, Settings
from .reading_options import reads_files

Many = list[str] | None
FILES = "Records: files (.csv, .txt, .dat ..., .parquet, .mat, .mf4, .tdms), folders or patterns."


@reads_files
def identify(
    model: ModelName,
    data: Annotated[list[Path], typer.Argument(metavar="DATA...", help=FILES)],
    free: Annotated[
        Many, typer.Option(metavar="PATH,...", help="Parameters to be found, e.g. joint.law.mu_c,load.m.")
    ] = None,
    output: Annotated[
        Many, typer.Option(metavar="OUTPUT=CHANNEL", help="What a channel measured, e.g. load.s=q; by name if missing.")
    ] = None,
    input: Annotated[  # the option is called so
        Many, typer.Option(metavar="INPUT=CHANNEL", help="What a channel drives, e.g. motor.f=u; by name if missing.")
    ] = None,
    initial: Annotated[
        Many, typer.Option(metavar="PATH=CHANNEL", help="What starts at the first sample, or at a value: load.s0=q.")
    ] = None,
    per_record: Annotated[
        Many, typer.Option(metavar="PATH,...", help="Parameters to be found for every file by itself: load.s0.")
    ] = None,
    start: Annotated[Many, typer.Option(metavar="PATH=VALUE", help="Where the search starts.")] = None,
    bounds: Annotated[Many, typer.Option(metavar="PATH=LOW:HIGH", help="Where it stays; an end may be empty.")] = None,
    noise: Annotated[
        Many, typer.Option(metavar="OUTPUT=VALUE", help="Standard deviation of the sensor, in SI.")
    ] = None,
    held_out: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A record to judge the fit with, which it does not see.")
    ] = None,
    loss: Annotated[str, typer.Option(metavar="NAME", help="linear, soft_l1, huber or cauchy.")] = "linear",
    solver: Annotated[str, typer.Option(metavar="NAME", help="adaptive, or fixed: faster, less exact.")] = "adaptive",
    substeps: Annotated[int, typer.Option(metavar="COUNT", help="Fixed steps per sample.")] = 1,
    hold: Annotated[bool, typer.Option(help="Inputs are held from sample to sample, or straight between.")] = True,
    global_start: Annotated[
        str | None,
        typer.Option(
            "--global",
            metavar="WAY",
            help="How to look for the start: guided, lhs or evolution.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Of that look.")] = 0,
    profile: Annotated[
        Many, typer.Option(metavar="PATH,...", help="Intervals of these parameters by likelihood ratio, too.")
    ] = None,
    bootstrap: Annotated[
        int, typer.Option(metavar="COUNT", min=0, help="Errors from so many sets of drawn residuals, e.g. 200, too.")
    ] = 0,
    laws: Annotated[
        str | None,
        typer.Option(metavar="LAW,...", help="Which law? Fit these (or usual), judge each by what it has not seen."),
    ] = None,
    element: Annotated[
        str | None, typer.Option(metavar="NAME", help="Friction element that gets the laws; all by default.")
    ] = None,
    settings: Settings = None,
    report: Annotated[Path | None, typer.Option(dir_okay=False, metavar="FILE", help="The page: out.html.")] = None,
    save: Annotated[
        Path | None, typer.Option(dir_okay=False, metavar="FILE", help="Values and intervals for programs: fit.json.")
    ] = None,
    reading: Any = None,
) -> None:
    """Find parameters of a model from measured records: values, intervals, and what the data cannot say. With --laws,
    which law predicts best; --free then names parameters of the machine, and --held-out is the judge."""
    from .fit_task import FitTask, Job
    from .identify import identify_model
    from .which_law import compare_fits

    options = {"loss": loss, "solver": solver, "substeps": substeps, "hold": hold}
    task = FitTask(
        free=free or [],
        outputs=output or [],
        inputs=input or [],
        initial=initial or [],
        start=start or [],
        bounds=bounds or [],
        noise=noise or [],
        per_record=per_record or [],
        options={**options, "global_start": global_start, "seed": seed},
    )
    job = Job(model, settings or [], data, held_out or [], reading, task, report, save)
    if laws is None:
        identify_model(job, profile or [], bootstrap)
    else:
        compare_fits(job, laws, element)


@reads_files
def evaluate(
    method: Annotated[
        str,
        typer.Argument(
            metavar="METHOD", help="inspect, break-away, swings, steady, points, presliding, virgin, inverse or power."
        ),
    ],
    data: Annotated[list[Path], typer.Argument(metavar="DATA...", help=FILES)],
    force: Annotated[str | None, typer.Option(metavar="CHANNEL", help="Force, torque or another drive.")] = None,
    position: Annotated[str | None, typer.Option(metavar="CHANNEL", help="Position or angle.")] = None,
    speed: Annotated[str | None, typer.Option(metavar="CHANNEL", help="Speed, for steady and points.")] = None,
    settings: Annotated[
        Many, typer.Option("--set", metavar="NAME=VALUE", help="An option of the method, e.g. cutoff='40 Hz'.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(dir_okay=False, metavar="FILE", help="A picture: out.png.")] = None,
    save: Annotated[
        Path | None, typer.Option(dir_okay=False, metavar="FILE", help="Values and intervals for programs: out.json.")
    ] = None,
    reading: Any = None,
) -> None:
    """Evaluate measured records without a model: friction over speed or position, break-away, stiffness, inertia."""
    from .evaluate import Evaluation, evaluate_files, options_for

    channels = {"force": force, "position": position, "speed": speed}
    evaluate_files(Evaluation(method, data, channels, reading, options_for(method, settings or [])), plot, save)


def bench_test(
    model: ModelName,
    drive: Annotated[str | None, typer.Option(metavar="PATH", help="Force or torque that is set: motor.tau.")] = None,
    position: Annotated[str | None, typer.Option(metavar="OUTPUT", help="What the sensor measures: rotor.phi.")] = None,
    encoder: Annotated[int | None, typer.Option(metavar="COUNTS", help="Counts per turn of the sensor.")] = None,
    resolution: Annotated[str | None, typer.Option(metavar="STEP", help="Or its step, e.g. '10 um'.")] = None,
    noise: Annotated[str, typer.Option(metavar="VALUE", help="Its noise, a standard deviation.")] = "0",
    sample_time: Annotated[str, typer.Option(metavar="TIME", help="Time between samples.")] = "1 ms",
    limit: Annotated[str | None, typer.Option(metavar="VALUE", help="Largest drive, e.g. '2 N.m'.")] = None,
    between: Annotated[str | None, typer.Option(metavar="LOW:HIGH", help="Positions of the tests.")] = None,
    play: Annotated[float, typer.Option(metavar="VALUE", help="Play behind which friction counts, in SI.")] = 0.0,
    inertia: Annotated[float | None, typer.Option(metavar="VALUE", help="Of the drawing, in SI.")] = None,
    inertia_error: Annotated[float | None, typer.Option(metavar="VALUE", help="How well it is known, in SI.")] = None,
    threshold: Annotated[
        str | None, typer.Option(metavar="SPEED", help="Where viscous friction begins: a number in SI, or find.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Of the noise.")] = 0,
    settings: Settings = None,
    report: Annotated[Path | None, typer.Option(dir_okay=False, metavar="FILE", help="The page: bench.html.")] = None,
) -> None:
    """Run the tests of a rig on a simulated machine: break-away over position, then swings."""
    from .bench_test import run_tests, speed_of

    sensor = {"encoder": encoder, "resolution": resolution, "noise": noise, "sample_time": sample_time}
    tests = {"play": play, "inertia": inertia, "inertia_error": inertia_error, "threshold": speed_of(threshold)}
    bench = {**sensor, "limit": limit, "seed": seed}
    run_tests(model, settings or [], drive, position, bench, between, tests, report)
