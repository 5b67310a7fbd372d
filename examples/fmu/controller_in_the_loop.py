"""A car launch: the plant is a Stepper, the controller of the clutch a Co-Simulation FMU, driven through FMPy.

    pip install fmpy pythonfmu
    python examples/fmu/controller_in_the_loop.py

The same PI controller comes twice: as an export of this package, and as a class of PythonFMU (slip_controller.py).
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import fmpy
from fmpy.fmi2 import FMU2Slave

import stribeck as sb

CYCLE = 0.01
"""Of the controller (s); the plant makes ten steps in it."""


def plant() -> sb.Stepper:
    """Engine, clutch, shaft and car; the force of the clutch is an input."""
    m = sb.Model("launch", t_end="3 s")
    engine = m.add("engine", sb.Inertia(J="0.2 kg.m2", w0="1500 rpm"))
    gearbox = m.add("gearbox", sb.Inertia(J="0.02 kg.m2"))
    car = m.add("car", sb.Inertia(J="1.4 kg.m2"))
    m.add("drive", sb.Torque(engine, tau="80 N.m"))
    lining = sb.Stribeck(mu_c=0.3, mu_s=0.36, v_s=3)
    plates = {"law": lining, "fn_max": "6 kN", "cgeo": "0.15 m"}
    m.add("clutch", sb.Clutch(gearbox, engine, **plates, f_normalized=sb.External()))
    m.add("shaft", sb.SpringDamper(gearbox, car, c="1500 N.m/rad", d="2 N.m.s/rad"))
    return m.realtime(h="1 ms")


def own_controller(folder: Path) -> Path:
    """The controller as a model of this package, and that as an FMU; its body is there since a model must have one."""
    m = sb.Model("slip-controller")
    slip = m.signal("slip", sb.External(0))
    m.signal("force", sb.Saturation(0.004 * (slip + sb.Integral(slip / 0.5)), low=0, high=1))
    m.add("base", sb.Inertia(J=1))
    return sb.deploy.fmu(m, folder / "own.fmu", fmi=2, types="cs", outputs=["force"])


def foreign_controller(folder: Path) -> Path:
    """The controller of PythonFMU."""
    from pythonfmu.builder import FmuBuilder

    return Path(FmuBuilder.build_FMU(str(Path(__file__).with_name("slip_controller.py")), dest=str(folder)))


def launched(controller: Path) -> sb.Result:
    """The loop: slip to the controller, force to the plant, every 10 ms."""
    description, folder = fmpy.read_model_description(str(controller)), fmpy.extract(str(controller))
    number = {variable.name: variable.valueReference for variable in description.modelVariables}
    identifier = description.coSimulation.modelIdentifier
    fmu = FMU2Slave(guid=description.guid, unzipDirectory=folder, modelIdentifier=identifier, instanceName="controller")
    fmu.instantiate()
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    machine, forces = plant(), []
    for cycle in range(300):
        fmu.setReal([number["slip"]], [machine["clutch.w_rel"]])
        fmu.doStep(currentCommunicationPoint=cycle * CYCLE, communicationStepSize=CYCLE)
        forces += 10 * fmu.getReal([number["force"]])
        machine.inputs["clutch.f_normalized"] = forces[-1]
        machine.step(10)
    fmu.terminate()
    fmu.freeInstance()
    machine.reset()
    return machine.run(inputs={"clutch.f_normalized": forces})


def main() -> None:
    with TemporaryDirectory() as folder:
        results = {"own export": launched(own_controller(Path(folder)))}
        try:
            results["PythonFMU"] = launched(foreign_controller(Path(folder)))
        except ImportError as reason:
            print(f"without PythonFMU: {reason}")
    for name, result in results.items():
        stuck = result.events.of("clutch", to="Stuck").time[-1]
        print(f"{name}: the clutch sticks at {stuck:.3f} s, force {result['clutch.f_normalized'][-1]:.3f} then")
    sb.overlay(results, "engine.w", "car.w", "clutch.f_normalized", path="controller-in-the-loop.png")


if __name__ == "__main__":
    main()
