"""FMUs in other programs, on other platforms, from sources, and very often: what takes longer than the suite may."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from support.fmu import ADAPTIVE, FIXED, Plant, exported, unpacked

import stribeck as sb
from stribeck.deploy.fmi.platforms import PLATFORMS, binary
from stribeck.deploy.fmi.sources import runtime_source

pytest.importorskip("fmpy", reason="FMPy is not installed: pip install fmpy")

VERSIONS = (2, 3)
HOST = Path(__file__).parents[1] / "support" / "fmu_host.c"
CC = shutil.which("cc")
needs_cc = pytest.mark.skipif(CC is None, reason="there is no C compiler (cc)")


def sources(folder: Path, name: str, fmi: int) -> Path:
    """The one C file of a source FMU."""
    path = sb.deploy.fmu(sb.load_model(name), folder / f"{name}-{fmi}.fmu", fmi=fmi, sources=True)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder / f"{name}-{fmi}")
    return next((folder / f"{name}-{fmi}" / "sources").glob("*.c"))


@pytest.mark.parametrize("fmi", VERSIONS)
def test_sources_are_one_file_without_headers_of_ours(tmp_path, fmi):
    text = sources(tmp_path, "stick-slip", fmi).read_text()
    assert '#include "' not in text
    assert f"fmi{fmi}DoStep" in text
    assert f"fmi{5 - fmi}DoStep" not in text


STRICT = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-ffp-contract=off"]


@pytest.mark.slow
@needs_cc
@pytest.mark.parametrize("fmi", VERSIONS)
def test_sources_are_strict_c99_without_variables(tmp_path, fmi):
    """Only the functions of FMI are visible, and there is nothing that can be written to."""
    file = sources(tmp_path, "stick-slip", fmi)
    target = tmp_path / "strict.o"
    subprocess.run([CC, *STRICT, "-O0", "-fno-pic", "-c", str(file), "-o", str(target)], check=True)
    symbols = subprocess.run(["nm", str(target)], capture_output=True, text=True, check=True).stdout
    kinds = [line.split()[-2:] for line in symbols.splitlines()]
    assert [name for kind, name in kinds if kind in "BbDdC"] == []
    assert {name[:4] for kind, name in kinds if kind == "T"} == {f"fmi{fmi}"}


@pytest.mark.slow
@needs_cc
@pytest.mark.parametrize("fmi", VERSIONS)
def test_sources_compile_without_a_warning_and_run(tmp_path, fmi):
    """As FMPy compiles them, and strictly; results are those of the ready binary to the last bit."""
    file = sources(tmp_path, "coupled-clutches", fmi)
    subprocess.run([CC, *STRICT, "-c", str(file), "-o", str(tmp_path / "strict.o")], check=True)
    folder, bare = file.parents[1], tmp_path / "bare.fmu"
    for name in ("binaries", "resources"):
        shutil.rmtree(folder / name)
    with zipfile.ZipFile(bare, "w") as archive:
        for entry in sorted(folder.rglob("*")):
            archive.write(entry, entry.relative_to(folder))
    subprocess.run([sys.executable, "-m", "fmpy", "compile", str(bare)], check=True)
    found = []
    for path in (bare, exported("coupled-clutches", fmi)):
        plant = Plant(path).start(FIXED)
        plant.step(1e-3, 1200)
        found.append(plant.get(plant.outputs()))
        plant.free()
    assert found[0] == found[1]


@pytest.mark.slow
@needs_cc
def test_two_source_fmus_in_one_program(tmp_path):
    """Functions have the prefix of their model; nothing else is visible."""
    main = tmp_path / "main.c"
    names = {"car": "car_", "stick-slip": "slip_"}
    main.write_text(
        "#include <stddef.h>\n"
        + "".join(f"const char *{prefix}fmi3GetVersion(void);\n" for prefix in names.values())
        + "int main(void) { return !("
        + " && ".join(f"{prefix}fmi3GetVersion()[0] == '3'" for prefix in names.values())
        + "); }\n"
    )
    files = [
        (str(sources(tmp_path, name, 3)), f"-DFMI3_FUNCTION_PREFIX={prefix}", str(tmp_path / f"{prefix}.o"))
        for name, prefix in names.items()
    ]
    for file, prefix, target in files:
        subprocess.run([CC, *STRICT, prefix, "-c", file, "-o", target], check=True)
    program = tmp_path / "both"
    subprocess.run([CC, str(main), *(target for _, _, target in files), "-o", str(program), "-lm"], check=True)
    assert subprocess.run([str(program)]).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("fmi", VERSIONS)
def test_ten_thousand_instances_do_not_grow(fmi):
    """Memory after all cycles is that after the first thousand, within what the allocator keeps (1 MB)."""
    path = exported("coupled-clutches", fmi)
    before = 0
    for cycle in range(10_000):
        plant = Plant(path).start(FIXED if cycle % 2 else ADAPTIVE)
        plant.step(1e-3)
        plant.free()
        if cycle == 1000:
            before = resident()
    assert resident() - before < 1_000_000


def resident() -> int:
    """Bytes in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


ASAN_RUN = """
import sys
sys.path[:0] = {path!r}
from support.fmu import ADAPTIVE, FIXED, Plant
from pathlib import Path
for solver in (ADAPTIVE, FIXED):
    plant = Plant(Path({fmu!r})).start(solver)
    plant.step(1e-3, 300)
    state = plant.fmu.getFMUState()
    plant.get([name for name, v in plant.variables.items() if v.type == "Float64"])
    plant.fmu.setFMUState(state)
    plant.fmu.freeFMUState(state)
    plant.free()
import fmpy
fmpy.simulate_fmu({fmu!r}, fmi_type="ModelExchange", stop_time=1.0)
print("clean")
"""


@pytest.mark.slow
@needs_cc
def test_the_address_sanitizer_finds_nothing(tmp_path):
    """The sources, compiled with ASAN and UBSAN, in Co-Simulation and Model Exchange."""
    file = sources(tmp_path, "coupled-clutches", 3)
    library = tmp_path / "coupled_clutches.so"
    flags = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-shared", "-fPIC"]
    subprocess.run([CC, *flags, str(file), "-o", str(library), "-lm"], check=True)
    fmu = tmp_path / "asan.fmu"
    with zipfile.ZipFile(tmp_path / "coupled-clutches-3.fmu") as old, zipfile.ZipFile(fmu, "w") as new:
        for entry in old.namelist():
            code = library.read_bytes() if entry.startswith("binaries/") else old.read(entry)
            new.writestr(entry, code)
    preload = subprocess.run([CC, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout
    environment = {**os.environ, "LD_PRELOAD": preload.strip(), "ASAN_OPTIONS": "detect_leaks=0"}
    code = ASAN_RUN.format(path=[str(Path(__file__).parents[1])], fmu=str(fmu))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout.strip().endswith("clean"), done.stderr[-2000:]


# --- other programs ---


@pytest.mark.parametrize("fmi", VERSIONS)
@pytest.mark.parametrize("name", ["stick-slip", "clutch-judder"])
def test_casadi_imports_model_exchange(name, fmi):
    casadi = pytest.importorskip("casadi", reason="CasADi is not installed: pip install casadi")
    _, folder = unpacked(exported(name, fmi))
    function = casadi.DaeBuilder("machine", str(folder), {}).create("f", ["x"], ["ode"])
    program = sb.compile_model(sb.load_model(name))
    machine = program.machine()
    machine.start(0.0, program.y0)
    state = machine.state()
    assert (np.array(function(state)).ravel() == machine.rhs(0.0, state)).all()
    jacobian = function.factory("J", ["x"], ["jac:ode:x"])
    exact = machine.jacobian(0.0, state)
    assert np.allclose(np.array(jacobian(state)), exact, rtol=1e-12, atol=1e-12 * np.abs(exact).max())


COSIM_RUN = """
import sys
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
log_output_level(CosimLogLevel.ERROR)
run = CosimExecution.from_step_size(step_size=1_000_000)
index = run.add_local_slave(CosimLocalSlave(fmu_path=sys.argv[1], instance_name="machine"))
observer = CosimObserver.create_last_value()
run.add_observer(observer=observer)
assert run.simulate_until(target_time=1_200_000_000)
print(*observer.last_real_values(slave_index=index, variable_references=[int(r) for r in sys.argv[2:]]))
"""


def test_libcosim_runs_co_simulation():
    """A master of others, in another process since it logs to the screen: 1.2 s in steps of 1 ms."""
    pytest.importorskip("libcosimpy", reason="libcosim is not installed: pip install libcosimpy")
    path = exported("coupled-clutches", 2)
    description, _ = unpacked(path)
    references = {v.name: str(v.valueReference) for v in description.modelVariables}
    names = ["J1.w", "J4.w"]
    command = [sys.executable, "-c", COSIM_RUN, str(path), *(references[name] for name in names)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-1000:]
    truth = sb.load_model("coupled-clutches").simulate(t_end=1.2, tolerance=1e-10)
    found = [float(word) for word in done.stdout.splitlines()[-1].split()]
    assert found == pytest.approx([float(truth[name][-1]) for name in names], abs=1e-5)  # rad/s, tolerance 1e-7


ECOS_RUN = """
import sys
from ecospy import EcosSimulation, EcosSimulationStructure
with EcosSimulationStructure() as structure:
    structure.add_model("machine", sys.argv[1])
    with EcosSimulation(structure=structure, step_size=0.001) as run:
        run.init()
        run.step(1200)
        print(*(run.get_real(f"machine::{name}") for name in sys.argv[2:]))
        run.terminate()
"""


@pytest.mark.parametrize("fmi", VERSIONS)
def test_ecos_runs_co_simulation(fmi):
    """Another master, which takes both versions."""
    try:
        import ecospy  # noqa: F401
    except (ImportError, OSError) as reason:
        pytest.skip(f"ecos cannot be imported (pip install ecospy; Debian: libtbb12): {reason}")
    names = ["J1.w", "J4.w"]
    command = [sys.executable, "-c", ECOS_RUN, str(exported("coupled-clutches", fmi)), *names]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-1000:]
    truth = sb.load_model("coupled-clutches").simulate(t_end=1.2, tolerance=1e-10)
    found = [float(word) for word in done.stdout.splitlines()[-1].split()]
    assert found == pytest.approx([float(truth[name][-1]) for name in names], abs=1e-5)  # rad/s, tolerance 1e-7


# --- other platforms ---

EMULATORS = {"linux64": [], "win64": ["wine64", "wine"], "linux-arm64": ["qemu-aarch64-static", "qemu-aarch64"]}


ARM_LIBRARIES = "/usr/aarch64-linux-gnu"


def emulator(platform: str) -> list[str]:
    """How a program of that platform is run here."""
    if platform == "linux64":
        return []
    found = next((path for name in EMULATORS[platform] if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"none of {', '.join(EMULATORS[platform])} is installed")
    if platform == "linux-arm64" and not Path(ARM_LIBRARIES).exists():
        pytest.skip(f"there is no C library of arm64 in {ARM_LIBRARIES} (libc6-arm64-cross)")
    return [found]


@pytest.mark.slow
@pytest.mark.parametrize("solver", [ADAPTIVE, FIXED])
@pytest.mark.parametrize("platform", EMULATORS)
def test_other_platforms_give_the_same_numbers(platform, solver, tmp_path):
    """Their C libraries differ in the last bits of sin and exp, which this machine keeps below 1e-12 of the speeds."""
    pytest.importorskip("ziglang", reason="zig is not installed: pip install 'stribeck[cross]'")
    known, runner = PLATFORMS[platform], emulator(platform)
    path = sb.deploy.fmu(sb.load_model("coupled-clutches"), tmp_path / "cc.fmu", platforms=[platform])
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path)
    host = tmp_path / f"host{'.exe' if platform == 'win64' else ''}"
    libraries = [] if platform == "win64" else ["-ldl"]
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", known.target, "-O1"]
    subprocess.run([*zig, str(HOST), "-o", str(host), *libraries], check=True)
    description, _ = unpacked(exported("coupled-clutches", 3))
    names = ["J1.w", "J2.w", "J3.w", "J4.w", "J1.phi"]
    references = {v.name: str(v.valueReference) for v in description.modelVariables}
    library = str(tmp_path / "binaries" / known.fmi3 / f"coupled_clutches{known.suffix}")
    place = f"{tmp_path / 'resources'}/"
    if platform == "win64":
        library, place = (f"Z:{text}".replace("/", "\\") for text in (library, place))
    words = [library, token(path), place, str(solver), "0.001", "1200", *(references[name] for name in names)]
    environment = {**os.environ, "WINEDEBUG": "-all", "QEMU_LD_PREFIX": ARM_LIBRARIES}
    done = subprocess.run([*runner, str(host), *words], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-1000:]
    plant = Plant(exported("coupled-clutches", 3)).start(solver)
    for i in range(1200):
        plant.fmu.doStep(currentCommunicationPoint=i * 1e-3, communicationStepSize=1e-3)
    own = np.array(plant.get(names))
    plant.free()
    found = np.array([float(line) for line in done.stdout.split()])
    print(f"{platform}, solver {solver}: largest difference {np.abs(found - own).max():.1e}")
    assert np.abs(found - own).max() <= 1e-12 * np.abs(own).max()


def token(path: Path) -> str:
    import fmpy

    return fmpy.read_model_description(str(path)).guid


@pytest.mark.slow
def test_every_platform_has_a_binary(tmp_path):
    """One FMU for all of them; on macOS both architectures share one file in FMI 2."""
    pytest.importorskip("ziglang", reason="zig is not installed: pip install 'stribeck[cross]'")
    for fmi, expected in ((2, 4), (3, 5)):
        path = sb.deploy.fmu(sb.load_model("stick-slip"), tmp_path / f"all-{fmi}.fmu", fmi=fmi, platforms="all")
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.startswith("binaries/")]
            heads = {name.split("/")[1]: archive.read(name)[:4] for name in names}
        assert len(names) == expected
        assert heads.get("win64", heads.get("x86_64-windows"))[:2] == b"MZ"
        if fmi == 2:
            assert heads["darwin64"] == b"\xca\xfe\xba\xbe"
    assert binary(PLATFORMS["linux-arm64"])[:4] == b"\x7fELF"
    assert "fmi2DoStep" in runtime_source()
