"""The commands and their options; the work is imported by the command that does it, so that the start is quick."""

from __future__ import annotations

import sys
from enum import StrEnum
from importlib.metadata import EntryPoint, entry_points, version
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from ..errors import StribeckError, legible
from ..results.screen import Screen, screen, showing
from ..tables import reading_apart
from .identification import bench_test, evaluate, identify
from .options import OUTSIDE, EndTime, Intervals, ModelName, Settings, Solver, Tolerance
from .streams import prepare

FAILED, INTERRUPTED = 1, 130
"""Exit codes: what was asked cannot be done; Ctrl-C, as shells have it (128 + SIGINT). Wrong usage is 2. The table of
all is in docs/command-line.md."""


class Commands(TyperGroup):
    """The commands: how they print, and what their errors become, is decided here for all of them."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """From the words of the command line to an exit code."""
        prepare()
        return super().main(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Runs the command; a traceback would only hide what the message says."""
        with showing(Screen()) as screen:
            try:
                with reading_apart():  # a reader that crashes must not end the command silently
                    return super().invoke(ctx)
            except (StribeckError, OSError) as error:
                message = legible(str(error))
                screen.answer(error=message)
                print(f"error: {message}", file=sys.stderr)
                raise typer.Exit(FAILED) from None
            except KeyboardInterrupt:
                screen.answer(error="interrupted")
                print("interrupted", file=sys.stderr)
                raise typer.Exit(INTERRUPTED) from None
            finally:
                screen.finish()

    def list_commands(self, ctx: Any) -> list[str]:
        """Ours, then those of other packages."""
        return [*super().list_commands(ctx), *commands_of_others()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One of ours, or one of another package, which is imported for it."""
        others = commands_of_others()
        if cmd_name not in others:
            return _with_output_options(super().get_command(ctx, cmd_name))
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(cmd_name)(others[cmd_name].load())
        return _with_output_options(get_command(alone))


def _as_json(asked: bool) -> None:
    if asked:
        screen().read_by_program()


def _quiet(asked: bool) -> None:
    if asked:
        screen().quiet = True


def output_options(
    json: Annotated[
        bool, typer.Option("--json", callback=_as_json, expose_value=False, help="Print the answer as JSON.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", callback=_quiet, expose_value=False, help="Print warnings and errors only.")
    ] = False,
) -> None:
    """The options that every command has."""


def _with_output_options(command: Any) -> Any:
    """A command with the options of all commands, and the first sentence of its help where commands are listed."""
    if command is not None and not any(option.name == "quiet" for option in command.params):
        carrier = typer.Typer(add_completion=False)
        carrier.command()(output_options)
        command.params += [option for option in get_command(carrier).params if option.name in ("json", "quiet")]
        command.short_help = " ".join((command.help or "").split()).partition(". ")[0].rstrip(".")
    return command


def commands_of_others() -> dict[str, EntryPoint]:
    """The commands of other packages: entry points of the group `stribeck.commands`, each a function for typer.

    >>> list(commands_of_others())
    ['papers']
    """
    return {point.name: point for point in sorted(entry_points(group="stribeck.commands"))}


app = typer.Typer(
    cls=Commands,
    help="Friction, clutches and drivelines: simulate a machine from a model file.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class Format(StrEnum):
    """Kinds of result files; parquet and nc need the extra `data`."""

    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"
    NETCDF = "nc"


ResultFormat = Annotated[Format, typer.Option("--format", help="Kind of the result files in the folder.")]


def with_simulation(settings: list[str] | None, **simulation: str | None) -> list[str]:
    """The settings of --set, followed by those with a separate option.

    >>> with_simulation(["mass.J=2"], t_end="5 s", solver=None)
    ['mass.J=2', 'simulation.t_end=5 s']
    """
    own = [f"simulation.{name}={value}" for name, value in simulation.items() if value is not None]
    return [*(settings or []), *own]


def show_version(asked: bool) -> None:
    """Prints the version and ends."""
    if asked:
        typer.echo(f"stribeck {version('stribeck')}")
        raise typer.Exit


@app.callback()
def stribeck(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and end.")
    ] = False,
    outside: Annotated[
        bool, typer.Option("--outside", help="Let the model file name data files outside of its folder.")
    ] = False,
) -> None:
    """Friction, clutches and drivelines: simulate a machine from a model file."""
    OUTSIDE.set(outside)


@app.command()
def run(
    model: ModelName,
    settings: Settings = None,
    out: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="Folder for the result, events.csv, summary.json and pictures."),
    ] = None,
    kind: ResultFormat = Format.CSV,
    tol: Tolerance = None,
    solver: Solver = None,
    t_end: EndTime = None,
    intervals: Intervals = None,
    max_steps: Annotated[int | None, typer.Option(metavar="COUNT", help="End the run after so many steps.")] = None,
    max_seconds: Annotated[
        str | None, typer.Option(metavar="TIME", help="End the run after so long on the clock, e.g. '10 min'.")
    ] = None,
) -> None:
    """Simulate a model and print a summary; with --out, write everything into a folder. What a run has reached when it
    fails, meets a limit or is interrupted by Ctrl-C (exit code 130) is shown and written too, marked as partial."""
    from .run import run_model

    settings = with_simulation(settings, tolerance=tol, solver=solver, t_end=t_end, intervals=intervals)
    run_model(model, settings, out, kind, max_steps=max_steps, max_seconds=max_seconds)


@app.command()
def compare(
    model: ModelName,
    laws: Annotated[str, typer.Option(metavar="LAW,LAW,...", help="The laws, e.g. lugre,dahl,switch.")],
    element: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Friction element that gets the laws; all by default.")
    ] = None,
    settings: Settings = None,
    out: Annotated[
        Path | None, typer.Option(file_okay=False, help="Folder for the picture, the table and the results.")
    ] = None,
    kind: ResultFormat = Format.CSV,
    tol: Tolerance = None,
    solver: Solver = None,
    t_end: EndTime = None,
    intervals: Intervals = None,
) -> None:
    """Run the same machine under several friction laws; each takes over the parameters that it shares."""
    from .compare import compare_laws

    settings = with_simulation(settings, tolerance=tol, solver=solver, t_end=t_end, intervals=intervals)
    compare_laws(model, laws, settings, element or [], out, kind)


@app.command()
def check(
    model: ModelName,
    settings: Settings = None,
    step: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="A fixed step that it will meet, e.g. '1 ms'."),
    ] = None,
    realtime: Annotated[
        bool, typer.Option("--realtime", help="Run it with this step (1 ms if not given) by every method, and advise.")
    ] = False,
    t_end: EndTime = None,
    out: Annotated[
        Path | None,
        typer.Option(dir_okay=False, metavar="FILE", help="With --realtime, a picture of how each method fares."),
    ] = None,
) -> None:
    """Check a model without simulating it: show its elements, states and warnings. With --realtime, what it needs to
    run at a fixed step: limits, safe parameters, and how each method fares against the adaptive run."""
    from .check import check_model, check_step

    if realtime:
        check_step(model, settings or [], step or "1 ms", t_end, out)
    else:
        check_model(model, settings or [], step)


@app.command()
def realtime(
    model: ModelName,
    h: Annotated[str, typer.Option("--h", metavar="TIME", help="Time of one task, e.g. '1 ms'.")],
    method: Annotated[str, typer.Option(metavar="NAME", help="resolvent, or ode1 to ode5, ...")] = "resolvent",
    substeps: Annotated[int, typer.Option(metavar="COUNT", help="Steps within a task.")] = 1,
    settings: Settings = None,
    t_end: EndTime = None,
    pace: Annotated[bool, typer.Option(help="Wait for the wall clock, or run as fast as it goes.")] = True,
    priority: Annotated[
        bool, typer.Option("--priority", help="Ask for a real-time priority (SCHED_FIFO) and locked memory.")
    ] = False,
    error_bound: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", help="Count tasks that halved steps change by more than this share of the speeds."
        ),
    ] = None,
    inputs: Annotated[
        Path | None, typer.Option(dir_okay=False, metavar="FILE", help="Inputs: a column `time` and one for each.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(dir_okay=False, metavar="FILE", help="Traces of all tasks: csv, json, parquet or nc.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(dir_okay=False, metavar="FILE", help="Histogram of the task times: png, svg or pdf.")
    ] = None,
) -> None:
    """Run a model at a fixed step against the wall clock: task times, overruns and their histogram. Ctrl-C ends it with
    what is done by then (exit code 130)."""
    from .realtime import RealtimeRun, run_realtime

    bench = RealtimeRun(h, method, substeps, pace, priority, error_bound, inputs, record, out)
    run_realtime(model, with_simulation(settings, t_end=t_end), bench)


@app.command()
def c(
    model: ModelName,
    out: Annotated[Path, typer.Option(file_okay=False, help="Folder for the C files.")],
    step: Annotated[str, typer.Option(metavar="TIME", help="Time of one fixed step, e.g. '1 ms'.")] = "1 ms",
    inputs: Annotated[
        str | None, typer.Option(metavar="NAMES", help="External signals to set from C, with commas; all if left out.")
    ] = None,
    outputs: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Outputs to read in C, e.g. 'mass.w,clutch.*'; or all.")
    ] = None,
    settings: Settings = None,
) -> None:
    """Write a model as a small C library: its data, the runtime in one file, an example with task times, a Makefile."""
    from .c_library import write_library

    write_library(model, settings or [], out, step=step, inputs=inputs, outputs=outputs)


@app.command()
def linearize(
    model: ModelName,
    at: Annotated[str, typer.Option(metavar="TIME", help="Time of the point, e.g. 2 or '500 ms'.")] = "0",
    settings: Settings = None,
    out: Annotated[
        Path | None, typer.Option(file_okay=False, help="Folder for the picture, the table and the matrices.")
    ] = None,
) -> None:
    """Linearise a model about the point that it reaches at a time: frequencies, damping and shapes of its modes."""
    from .linearize import linearize_model

    linearize_model(model, at, settings or [], out)


@app.command()
def draw(
    model: ModelName,
    out: Annotated[
        Path | None,
        typer.Option(dir_okay=False, metavar="FILE", help="The picture: png, svg or pdf."),
    ] = None,
    at: Annotated[
        str | None, typer.Option(metavar="TIME", help="Run to this time and colour friction by its mode.")
    ] = None,
    settings: Settings = None,
) -> None:
    """Draw a model: bodies, springs, friction, drives and signals."""
    from .draw import draw_model

    draw_model(model, out, at, settings or [])


@app.command()
def fmu(
    model: ModelName,
    out: Annotated[
        Path | None, typer.Option(dir_okay=False, metavar="FILE", help="The file, e.g. car.fmu; NAME.fmu if not given.")
    ] = None,
    version: Annotated[int, typer.Option("--fmi", metavar="2|3", help="Version of FMI.")] = 3,
    types: Annotated[
        str, typer.Option("--type", metavar="me,cs", help="Model Exchange, Co-Simulation, or both.")
    ] = "me,cs",
    step: Annotated[str, typer.Option(metavar="TIME", help="Step of the fixed-step solver, e.g. '1 ms'.")] = "1 ms",
    inputs: Annotated[
        str | None, typer.Option(metavar="NAME,...", help="External signals that are inputs; all if not given.")
    ] = None,
    outputs: Annotated[str, typer.Option(metavar="NAME,...", help="Outputs, e.g. 'body.v,clutch.*', or all.")] = "all",
    names: Annotated[
        str, typer.Option(metavar="structured|flat", help="Names of variables: clutch.tau or clutch_tau.")
    ] = "structured",
    platforms: Annotated[
        str, typer.Option(metavar="own|all|NAME,...", help="linux64, linux-arm64, win64, darwin64, darwin-arm64.")
    ] = "own",
    sources: Annotated[bool, typer.Option("--sources", help="Put the C code inside, for targets of others.")] = False,
    settings: Settings = None,
) -> None:
    """Write a model as an FMU for other simulation programs: FMI 2.0 or 3.0, Model Exchange and Co-Simulation. Binaries
    for other platforms need the extra `cross`; they are compiled once and kept in the user's cache folder."""
    from .fmu import export_fmu, words

    export_fmu(
        model,
        out,
        settings or [],
        fmi=version,
        types=types,
        step=step,
        inputs=words(inputs),
        outputs=outputs,
        names=names,
        platforms=platforms,
        sources=sources,
    )


@app.command()
def models() -> None:
    """List the models that come with the package."""
    from .models import list_models

    list_models()


@app.command()
def elements(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="One element, e.g. clutch; without it, all.")
    ] = None,
) -> None:
    """List the elements, or show the flanges, parameters and an example of one."""
    from .elements import list_elements, show_element

    if name is None:
        list_elements()
    else:
        show_element(name)


@app.command()
def sweep(
    model: ModelName,
    out: Annotated[Path, typer.Option(file_okay=False, help="Folder for the results; Parquet files and pictures.")],
    vary: Annotated[
        list[str],
        typer.Option(metavar="PATH=VALUES", help="A parameter: spring.c=1:4:50 (from, to, count) or pull.w=0.05,0.1."),
    ],
    measure: Annotated[
        list[str], typer.Option(metavar="TEXT", help="What to find, e.g. mass.w:max, clutch:stick, clutch:dissipated.")
    ],
    settings: Settings = None,
    sample: Annotated[
        str | None, typer.Option(metavar="KIND:COUNT", help="Sample ranges instead of a grid: sobol:256 or lhs:100.")
    ] = None,
    t_end: EndTime = None,
    settle: Annotated[str | None, typer.Option(metavar="TIME", help="When measuring begins.")] = None,
    tolerance: Annotated[float | None, typer.Option(help="Relative tolerance of the solver.")] = None,
    step: Annotated[str | None, typer.Option(metavar="TIME", help="Fixed steps of this length, e.g. '1 ms'.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the sweep in the folder, or extend it.")] = False,
    jobs: Annotated[int | None, typer.Option(help="Threads; one per processor if not given.")] = None,
    part: Annotated[str | None, typer.Option(metavar="K/N", help="The K-th of N parts, for arrays of jobs.")] = None,
) -> None:
    """Run a model at many points and keep the measures of each in a folder, which a later call can continue."""
    from .sweep import run_sweep

    run_sweep(
        model,
        vary,
        measure,
        out,
        settings or [],
        sample,
        part,
        resume,
        t_end=t_end,
        settle=settle,
        tolerance=tolerance,
        step=step,
        jobs=jobs,
    )


@app.command()
def laws(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A law, e.g. lugre, or a file; without it, all.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(file_okay=False, help="Folder for a picture of the law, NAME.png.")
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(dir_okay=False, metavar="FILE", help="Page of HTML with what the law does on the tribometer."),
    ] = None,
) -> None:
    """List the friction laws, or show the formulas, parameters and checks of one, or of those that a model file has as
    text; with --out, draw it; with --page, put it on the virtual tribometer."""
    from .laws import list_laws, show_law

    if name is None:
        list_laws()
    else:
        show_law(name, out, page)


@app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help="The file to write.")] = Path("model.yaml"),
    template: Annotated[
        str, typer.Option(metavar="NAME", help="What to start from: stick-slip, driveline or controlled.")
    ] = "stick-slip",
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write a commented model file to start from."""
    from .new import new_model

    new_model(file, template, force)


app.command()(identify)
app.command()(evaluate)
app.command("bench-test")(bench_test)
