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

    scipy.io.savemat(path, {"t": TIME, "torque": TORQUE, "kp": 160.18})


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


FILES: dict[str, Callable[[Path], None]] = {
    "run7.csv": csv,
    "run7.parquet": parquet,
    "servo.mat": mat,
    "run7.mf4": mf4,
    "drive.mf4": mf4,
    "rig.tdms": tdms,
    "rig.yaml": rig,
    "servo.csv": servo,
    "joint2.csv": joint,
}
