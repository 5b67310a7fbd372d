"""Files that examples read."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

import stribeck as sb

TIME = np.array([0.0, 0.1, 0.2])
TORQUE = np.array([1.0, 2.0, -1.0])


def csv(path: Path) -> None:
    path.write_text("t,torque\n0.0,1.0\n0.1,2.0\n0.2,-1.0\n", encoding="utf-8")


def parquet(path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"t": TIME, "torque": TORQUE}), path)


def mat(path: Path) -> None:
    import scipy.io

    scipy.io.savemat(path, {"t": TIME, "torque": TORQUE, "kp": 160.18, "rig": {"q": TIME}})


def mf4(path: Path) -> None:
    import asammdf

    with asammdf.MDF(version="4.10") as file:
        file.append([asammdf.Signal(TORQUE, TIME, name="torque", unit="Nm")])
        file.save(path, overwrite=True)


def tdms(path: Path) -> None:
    import nptdms

    channel = nptdms.ChannelObject("rig", "torque", TORQUE, properties={"unit_string": "N.m", "wf_increment": 0.1})
    with nptdms.TdmsWriter(path) as file:
        file.write_segment([channel])


def rig(path: Path) -> None:
    sb.load_model("stick-slip").to_yaml(path)


def servo(path: Path) -> None:
    """An angle and a torque over time."""
    rows = [f"{0.01 * k:.2f},{10 * math.sin(0.1 * k):.1f},{0.5 * math.cos(0.1 * k):.3f}" for k in range(101)]
    path.write_text("\n".join(["t,angle [deg],torque [N.m]", *rows]), encoding="utf-8")


def joint(path: Path) -> None:
    """Friction at some speeds."""
    path.write_text("speed,torque [N.m]\n-20,-1.2\n-10,-1.1\n10,1.1\n20,1.2\n", encoding="utf-8")


def axis() -> sb.Model:
    """A carriage with a motor."""
    m = sb.Model("axis", t_end=0.5)
    load = m.add("load", sb.Mass(m=1.3))
    m.add("motor", sb.Force(load, f=sb.External(0)))
    m.add("joint", sb.Guide(load, law=sb.Switch(f_c=0.5, f_s=0.6)))
    return m


def axis_file(path: Path) -> None:
    axis().to_yaml(path)


def axis_record(path: Path) -> None:
    u = 3 * np.sin(np.linspace(0, 12, 200))
    run = axis().realtime(h="5 ms").run(n=u.size, inputs={"motor.f": u})
    rows = zip(run.time, run["load.s"], np.append(u, u[-1]), strict=True)
    path.write_text("t,q,u\n" + "".join(f"{t},{q},{f}\n" for t, q, f in rows), encoding="utf-8")


def throttle(path: Path) -> None:
    path.write_text("time,motor.f\n0,1\n0.1,2\n", encoding="utf-8")


FILES: dict[str, Callable[[Path], None]] = {
    "run7.csv": csv,
    "run7.parquet": parquet,
    "servo.mat": mat,
    "run7.mf4": mf4,
    "drive.mf4": mf4,
    "rig.tdms": tdms,
    "rig.yaml": rig,
    "axis.yaml": axis_file,
    "axis.csv": axis_record,
    "throttle.csv": throttle,
    "servo.csv": servo,
    "joint2.csv": joint,
}
