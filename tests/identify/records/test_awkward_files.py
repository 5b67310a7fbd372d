"""A table of awkward files: each is read right, or refused in one line that names the way out."""

from dataclasses import dataclass, field

import h5py
import numpy as np
import pyarrow
import pytest
from asammdf import MDF, Signal
from nptdms import ChannelObject, TdmsWriter
from pyarrow import parquet
from scipy.io import savemat
from scipy.sparse import csc_array

from stribeck.errors import StribeckError
from stribeck.identify import Measurement

T = np.round(0.01 * np.arange(40), 4)
Q, TAU = np.round(np.sin(7 * T), 4), np.round(2 * np.cos(7 * T), 4)
ROWS = list(zip(T.tolist(), Q.tolist(), TAU.tolist(), strict=True))


def table(separator=",", head="t,q,tau", end="\n", form=str, rows=ROWS):
    """A text: names, then rows."""
    lines = [separator.join(form(cell) for cell in row) for row in rows]
    return end.join(([head.replace(",", separator)] if head else []) + lines) + end


def comma(value):
    return str(value).replace(".", ",")


def fortran(value):
    return f"{value:.6e}".replace("e", "D")


def changed(text, line, new):
    """A text with another line; lines count from 0."""
    lines = text.splitlines()
    return "\n".join([*lines[:line], *new, *lines[line + 1 :]]) + "\n"


@dataclass
class Case:
    """A file and what must come of it: channels with their values, or words of the refusal."""

    content: object
    """A text, bytes, or a function that writes the path."""
    name: str = "run.csv"
    read: dict = field(default_factory=dict)
    channels: dict = field(default_factory=dict)
    units: dict = field(default_factory=dict)
    refused: str = ""
    step: float | None = 0.01


BOTH = {"q": Q, "tau": TAU}
RAW = table(head="")
NO_NAMES = {"columns": ["t", "q", "tau"]}


def mat(**variables):
    return lambda path: savemat(path, variables)


def objects(*entries):
    cells = np.empty(len(entries), object)
    for i, entry in enumerate(entries):
        cells[i] = entry
    return cells


def structures(**fields):
    count = len(next(iter(fields.values())))
    found = np.empty(count, [(name, object) for name in fields])
    for name, values in fields.items():
        for i in range(count):
            found[name][i] = values[i]
    return found


def write_cells_73(path):
    with h5py.File(path, "w", userblock_size=512) as file:
        kept = file.create_group("#refs#")
        cells = file.create_dataset("runs", (1, 2), dtype=h5py.ref_dtype)
        cells.attrs["MATLAB_class"] = np.bytes_("cell")
        for i, sign in enumerate((1, -1)):
            group = kept.create_group(f"g{i}")
            group["t"], group["q"], group["tau"] = T[None], sign * Q[None], sign * TAU[None]
            cells[0, i] = group.ref


def write_structures_73(path):
    with h5py.File(path, "w", userblock_size=512) as file:
        kept, group = file.create_group("#refs#"), file.create_group("runs")
        for name, values in {"t": T, **BOTH}.items():
            links = group.create_dataset(name, (1, 2), dtype=h5py.ref_dtype)
            for i in range(2):
                kept[f"{name}{i}"] = values[None]
                links[0, i] = kept[f"{name}{i}"].ref


def write_parquet_twice(path):
    parquet.write_table(pyarrow.Table.from_arrays([T, Q, TAU], names=["t", "q", "q"]), path)


def write_parquet_dates(path):
    dates = np.datetime64("2024-03-12T10:00:00", "us") + (1e6 * T).astype("timedelta64[us]")
    parquet.write_table(pyarrow.table({"time": dates, **BOTH}), path)


def write_mf4_twice(path):
    with MDF(version="4.10") as file:
        file.append([Signal(samples=Q, timestamps=T, name="q", unit="deg")])
        file.append([Signal(samples=TAU, timestamps=T, name="q", unit="Nm")])
        file.save(path)


def write_mf4_single(path):
    with MDF(version="4.10") as file:
        file.append([Signal(samples=Q, timestamps=T, name="q")])
        file.append([Signal(samples=TAU[:1], timestamps=T[:1], name="limit")])
        file.save(path)


def write_tdms_described(path):
    with TdmsWriter(path) as file:
        about = {"wf_increment": 0.01, "NI_UnitDescription": "mm"}
        file.write_segment([ChannelObject("g", "q", Q, properties=about)])


def write_tdms_groups(path):
    with TdmsWriter(path) as file:
        about = {"wf_increment": 0.01, "unit_string": "N.m"}
        file.write_segment([ChannelObject(g, "tau", TAU, properties=about) for g in ("slow", "fast")])


CLOCK = [
    (f"{10 + int((3599 + t) // 3600)}:{int((3599 + t) // 60) % 60:02d}:{(3599 + t) % 60:05.2f}", *r) for t, *r in ROWS
]
MIDNIGHT = [(f"{'23:59:59' if t < 0.2 else '00:00:00'}.{(80 + 100 * t) % 100:02.0f}", *r) for t, *r in ROWS]
STAMPED = [(f"2024-03-12T{c}", *r) for c, *r in CLOCK]
GERMAN = [(f"12.03.2024 {comma(c)}", comma(q), comma(tau)) for c, q, tau in CLOCK]
HOLES = [(t, "" if i == 7 else q, tau) for i, (t, q, tau) in enumerate(ROWS)]


def stamped(form, head="time,q,tau", sign=","):
    """A table whose times are written by a function of the second of a minute."""
    return table(sign, head=head, rows=[(form(12 + t), *r) for t, *r in ROWS])


def write_lists(path):
    parquet.write_table(pyarrow.table({"t": T, "pairs": [[a, 1.0] for a in Q], "tau": TAU}), path)


def write_tdms_dates(path):
    dates = np.datetime64("2024-03-12T10:00:00", "us") + np.rint(1e6 * T).astype("timedelta64[us]")
    with TdmsWriter(path) as file:
        file.write_segment([ChannelObject("g", n, v) for n, v in {"Time": dates, **BOTH}.items()])


CASES = {
    # --- names ---
    "plain": Case(table(), channels=BOTH),
    "no names": Case(RAW, read=NO_NAMES, channels=BOTH),
    "a file of LabVIEW": Case(
        "LabVIEW Measurement\nWriter_Version\t2\nSeparator\tTab\n***End_of_Header***\t\n\nChannels\t2\nSamples\t40\n"
        "***End_of_Header***\t\t\nX_Value\tq\ttau\tComment\n" + table("\t", head=""),
        "run.lvm",
        channels=BOTH,
    ),
    "an oscilloscope": Case(
        "".join(
            f"{('Record Length,2500', 'Sample Interval,0.01', ',')[min(i, 2)]},,{a},{b},\n"
            for i, (a, b, _) in enumerate(ROWS)
        ),
        read={"columns": ["-", "-", "-", "t", "q"]},
        channels={"q": Q},
    ),
    "a topic of ROS": Case(table(head="%time,field.q,field.tau"), channels={"field.q": Q, "field.tau": TAU}),
    "no names, not named": Case(RAW, refused="the 3 columns have no names, and the first row is 0.0, 0.0, 2.0"),
    "no names, columns by number": Case(
        RAW, read={"channels": {"q": 1, "x": 2}, "time": 0}, channels={"q": Q, "x": TAU}
    ),
    "no names, numbers as texts": Case(RAW, read={"channels": {"q": "1"}, "time": "0"}, channels={"q": Q}),
    "no names, a wrong number": Case(RAW, read={"channels": [9], "time": 0}, refused="has no column 9; it has 3"),
    "no names, a name": Case(
        RAW, read={"channels": ["q"], "time": 0}, refused="has no column names, so there is no 'q'"
    ),
    "no names, too few": Case(
        RAW, read={"columns": ["t", "q"]}, refused="has 3 columns (0, 1, 2), and columns names 2"
    ),
    "no names, one twice": Case(RAW, read={"columns": ["t", "q", "q"]}, refused="has the name 'q' twice"),
    "no names, one omitted": Case(RAW, read={"columns": ["t", "-", "tau"]}, channels={"tau": TAU}),
    "no names, equal first cells": Case(
        table(head="", rows=[(t, 0.0, 0.0, q, tau) for t, q, tau in ROWS]),
        read={"columns": ["t", "a", "b", "q", "tau"]},
        channels={**BOTH, "a": 0 * T, "b": 0 * T},
    ),
    "no names, separators at the end": Case(table(head="", end=",\n"), read=NO_NAMES, channels=BOTH),
    "no names, sampled": Case(
        table(head="", rows=[row[1:] for row in ROWS]),
        read={"columns": ["q", "tau"], "sample_time": "10 ms"},
        channels=BOTH,
    ),
    "names twice": Case(table(head="t,q,q"), channels={"q": Q, "q_2": TAU}),
    "names twice, units": Case(table(head="t,q [rad],q [N.m]"), channels={"q": Q, "q_2": TAU}, units={"q_2": "N.m"}),
    "a column without numbers": Case(
        table(rows=[(*row[:2], "") for row in ROWS]), read={"channels": ["tau"]}, refused="'tau' has no numbers"
    ),
    "a column without a name": Case(table(head="t,q,"), channels={"q": Q, "2": TAU}),
    "other names": Case(table(head="a,b,c"), read=NO_NAMES, channels=BOTH),
    "names in a comment": Case("# rig 3\n# " + table(), channels=BOTH),
    "names in a comment of numpy": Case("# t q tau\n" + table(" ", head=""), channels=BOTH),
    "names in a comment of MATLAB": Case("% t\tq\ttau\n" + table("\t", head=""), channels=BOTH),
    "names in quotes": Case(table(head='"t","q","tau"'), channels=BOTH),
    "names with a separator inside": Case(table(head='t,"q, left",tau'), channels={"q, left": Q, "tau": TAU}),
    "names with another separator": Case("t;q;tau\n" + table(head=""), channels=BOTH),
    "a title above the names": Case("servo 7\nrecorded on Monday\n\n" + table(), channels=BOTH),
    "settings above the names": Case("rate;1000\nkp;2;3;4\ncomment\n" + table(";"), channels=BOTH),
    "a title of as many words": Case("axis three moving\n" + table(" "), channels=BOTH),
    "names that are numbers": Case(table(head="time,1,2"), channels={"1": Q, "2": TAU}),
    "names with blanks between blanks": Case(
        "Time (s)   Joint angle (deg)   Motor torque (Nm)\n" + table("   ", head=""),
        channels={"Joint angle": np.radians(Q), "Motor torque": TAU},
    ),
    "names in single quotes": Case(table(head="'t','q','tau'"), channels=BOTH),
    "names as one text": Case(RAW, read={"columns": "t, q, -"}, channels={"q": Q}),
    "one column without a name": Case(
        "".join(f"{a}\n" for a in Q), refused="there is one column, without a name; give sample_time"
    ),
    "a temperature called T": Case(
        table(head="T,t,q", rows=[(20.0, *row[:2]) for row in ROWS]), channels={"T": 0 * T + 20, "q": Q}
    ),
    # --- units ---
    "units in words": Case(
        changed(table(), 0, ["t,q,tau", "seconds,degrees,N-m"]), channels={"q": np.radians(Q)}, units={"tau": "N.m"}
    ),
    "units behind in": Case(table(head="t in s,q in deg,tau in Nm"), channels={"q": np.radians(Q), "tau": TAU}),
    "units of turning": Case(
        table(head="t [s],q [U/min],tau [rad·s⁻¹]"), channels={"q": Q * np.pi / 30}, units={"tau": "rad/s"}
    ),
    "units in the cells": Case(
        table(rows=[(t, f"{a} mm", b) for t, a, b in ROWS]), refused="'q' has units in its cells, '0.0 mm'"
    ),
    "percent in the cells": Case(
        table(rows=[(t, f"{a}%", b) for t, a, b in ROWS]), read={"columns": ["t", "-", "tau"]}, channels={"tau": TAU}
    ),
    "units in brackets": Case(
        table(head="t [ms],q [deg],tau [Nm]"), channels={"q": np.radians(Q)}, units={"tau": "N.m"}, step=1e-5
    ),
    "units in a row": Case(
        changed(table(), 0, ["t,q,tau", "s,deg,Nm"]), channels={"q": np.radians(Q)}, units={"tau": "N.m"}
    ),
    "units in a row with brackets": Case(changed(table(), 0, ["t,q,tau", "[s],[-],[kN]"]), channels={"tau": 1e3 * TAU}),
    "units in a row, unknown": Case(
        changed(table(), 0, ["t,q,tau", "s,inc,LSB"]), refused="unit 'inc' of 'q': the unit 'inc' is not known"
    ),
    "units in a row, replaced": Case(
        changed(table(), 0, ["t,q,tau", "s,inc,LSB"]), read={"units": {"q": "1", "tau": "1"}}, channels=BOTH
    ),
    "units by flag": Case(table(), read={"units": {"q": "deg", "t": "ms"}}, channels={"q": np.radians(Q)}, step=1e-5),
    "units over those of the file": Case(
        table(head="t,q [deg],tau"), read={"units": {"q": "mm"}}, channels={"q": 1e-3 * Q}
    ),
    "units unknown": Case(table(head="t,q [inc],tau"), refused="unit 'inc' of 'q': the unit 'inc' is not known"),
    "units unknown, replaced": Case(table(head="t,q [inc],tau"), read={"units": {"q": "1"}}, channels=BOTH),
    "units of no channel": Case(
        table(), read={"units": {"w": "deg"}}, refused="units of a channel that is not read: 'w'"
    ),
    "unit of the times in the name": Case(table(head="time_ms,q,tau"), channels=BOTH, step=1e-5),
    "micro and degree in a western code page": Case(
        table(head="t [µs],q [°],tau").encode("latin-1"), channels={"q": np.radians(Q)}, step=1e-8
    ),
    "units in three kinds of brackets": Case(
        table(head="t <s>,q {deg},tau_[kN]"), channels={"q": np.radians(Q), "tau": 1e3 * TAU}
    ),
    "units behind slashes": Case(table(";", head="t/s,q/mm,tau/(N.m)"), channels={"q": 1e-3 * Q}, units={"tau": "N.m"}),
    "units behind commas": Case('"t, s","q, deg","tau, Nm"\n' + table(head=""), channels={"q": np.radians(Q)}),
    "units in capitals": Case(
        changed(table(), 0, ["TIME,Q,TAU", "SEC,DEG,NM"]), channels={"Q": np.radians(Q)}, units={"TAU": "N.m"}
    ),
    "German degrees, which are no giga-radians": Case(
        table(";", head="Zeit [s],q [Grad],n [1/min]", form=comma), channels={"q": np.radians(Q), "n": np.pi / 30 * TAU}
    ),
    "units of presses": Case(table(head="t,f [kgf],p [psi]"), channels={"f": 9.80665 * Q, "p": 6894.757293168 * TAU}),
    "names, units and sources": Case(
        changed(table(), 0, ["t,q,tau", "s,mm,N", "clock,encoder,cell"]), channels={"q": 1e-3 * Q}
    ),
    "names and data types": Case(changed(table(), 0, ["t,q,tau", "double,REAL64,float32"]), channels=BOTH),
    "names and units in comments": Case("# t,q,tau\n# s,mm,N\n" + table(head=""), channels={"q": 1e-3 * Q}),
    "names in a comment above another one": Case("#t,q,tau\n# all in SI\n" + table(head=""), channels=BOTH),
    "names behind a word": Case("# columns: t, q, tau\n" + table(head=""), channels=BOTH),
    "names in a comment of a lock-in": Case("; rig\n; t q tau\n" + table(" ", head=""), channels=BOTH),
    "numbers as names above units": Case(
        changed(table(), 0, ["x-axis,1,2", "second,mV,V"]), read={"time": "x-axis"}, channels={"1": 1e-3 * Q, "2": TAU}
    ),
    "names with an index": Case(table(head="t,q(1),q(2)"), channels={"q(1)": Q, "q(2)": TAU}),
    "a temperature T and no times": Case(
        table(head="T,q,tau"), read={"sample_time": "10 ms"}, channels={"T": T, **BOTH}
    ),
    # --- separators, numbers, encodings ---
    "thousands in quotes beside decimals": Case(
        table(rows=[(t, q, f'"1,{i + 100}"') for i, (t, q, _) in enumerate(ROWS)]),
        refused="'1,100' may be 1100 or 1.100",
    ),
    "thousands from 1000 on": Case(
        table(";", head="t_ms,q", rows=[(10 * i, f"{980 + i:,d}") for i in range(40)]),
        refused="line 22: '1,000' may be 1000 or 1.000; write it without separators of thousands",
    ),
    "thousands with points beside decimal commas": Case(
        table(";", rows=[(comma(t), comma(q), f"1.{i + 100}") for i, (t, q, _) in enumerate(ROWS)]),
        refused="'1.100' may be 1100 or 1.100",
    ),
    "three decimals behind commas": Case(
        table(";", head="t_ms,q", rows=[(10 * i, f"1,{i + 100}") for i in range(40)]),
        channels={"q": 1.1 + 1e-3 * np.arange(40)},
    ),
    "thousands with blanks": Case(
        table(";", rows=[(t, q, f"1 {i + 100}") for i, (t, q, _) in enumerate(ROWS)]),
        refused="'1 100' is not a number; write it without separators of thousands, or omit the column with columns",
    ),
    "negative numbers in parentheses": Case(
        table(rows=[(t, q, f"({abs(b)})") for t, q, b in ROWS]), refused="'(2.0)' is not a number"
    ),
    "numbers as texts of a spreadsheet": Case(
        table(rows=[(t, q, f"'{b}") for t, q, b in ROWS]), refused='"\'2.0" is not a number'
    ),
    "identifiers of a bus": Case(table(head="t,id,q", rows=[(t, "0x1AF", q) for t, q, _ in ROWS]), channels={"q": Q}),
    "complex numbers": Case(table(rows=[(t, q, f"{b}+1j") for t, q, b in ROWS]), refused="'2.0+1j' is not a number"),
    "composed units in the cells": Case(
        table(rows=[(t, q, f"{b} N.m") for t, q, b in ROWS]), refused="'tau' has units in its cells, '2.0 N.m'"
    ),
    "a minus of typesetters": Case(table().replace("-", "\u2212"), channels=BOTH),
    "a missing cell between blanks": Case(
        changed(table(" "), 9, ["0.08 1.5"]),
        refused="line 10: there are 2 cells between blanks, and 3 in the other rows",
    ),
    "compressed": Case(b"\x1f\x8b\x08\0" + bytes(99), refused="it is compressed (gzip); unpack it"),
    "semicolons and commas": Case(table(";", form=comma), channels=BOTH),
    "tabs and commas": Case(table("\t", form=comma), channels=BOTH),
    "blanks and commas": Case(table(" ", form=comma), channels=BOTH),
    "commas in quotes": Case(table(form=lambda v: f'"{comma(v)}"'), channels=BOTH),
    "bars": Case(table("|"), channels=BOTH),
    "aligned with blanks": Case(table("   ", form="{:>10}".format, head="t,q,tau"), "run.txt", channels=BOTH),
    "blanks at the end of lines": Case(table(end="  \n"), channels=BOTH),
    "separators at the end of lines": Case(table(";", end=";\n"), channels=BOTH),
    "exponents of Fortran": Case(table(" ", form=fortran), "run.dat", channels=BOTH),
    "plus signs": Case(table(form="{:+}".format), channels=BOTH),
    "separator stated for a spreadsheet": Case("sep=;\n" + table(";"), channels=BOTH),
    "commas and points mixed": Case(
        changed(table(";"), 9, ["0.08;0,5;1.5"]), refused="line 10: '0,5' is not a number; write decimals with a point"
    ),
    "thousands": Case(changed(table(";"), 9, ["0.08;1,234.5;1.5"]), refused="line 10: '1,234.5' is not a number"),
    "a number with its unit": Case(
        changed(table(";"), 9, ["0.08;0.5 mm;1.5"]), refused="line 10: '0.5 mm' is not a number"
    ),
    "two separators at the end of lines": Case("t;q;tau\n" + table(";", head="", end=";;\n"), channels=BOTH),
    "a line drawn below names": Case(changed(table("  "), 0, ["t   q   tau", "-" * 12]), channels=BOTH),
    "lines of Windows": Case(table(end="\r\n").encode(), channels=BOTH),
    "lines of an old Mac": Case(table(end="\r").encode(), channels=BOTH),
    "UTF-8 with a mark": Case(table().encode("utf-8-sig"), channels=BOTH),
    "UTF-16 with a mark": Case(table().encode("utf-16"), channels=BOTH),
    "UTF-16 without a mark": Case(table().encode("utf-16-le"), channels=BOTH),
    "no new line at the end": Case(table().rstrip("\n"), channels=BOTH),
    "tab-separated": Case(table("\t"), "run.tsv", channels=BOTH),
    "a spreadsheet": Case(b"PK\x03\x04", "run.xlsx", refused="has an unknown extension; use one of .asc, .csv"),
    "UTF-32 with a mark": Case(table().encode("utf-32"), channels=BOTH),
    "thousands with points": Case(
        table(";", rows=[(comma(t), f"1.{i:03d},5", comma(b)) for i, (t, _, b) in enumerate(ROWS)]),
        refused="'1.000,5' is not a number; write it without separators of thousands",
    ),
    "a workbook called CSV": Case(b"PK\x03\x04" + bytes(range(256)), refused="it is a workbook (.xlsx, .ods); save"),
    # --- empty lines, comments, gaps, several tables ---
    "empty lines": Case("\n\n" + table(end="\n\n"), channels=BOTH),
    "lines of separators only": Case(
        changed(table(), 20, [",,", "0.19" + table().splitlines()[20][4:]]), channels=BOTH
    ),
    "comments among the rows": Case(
        changed(table(), 20, ["# pause", "% here", "// there", table().splitlines()[20]]), channels=BOTH
    ),
    "comments behind the rows": Case("t,q,tau\n" + table(head="", end=" # fine\n"), channels=BOTH),
    "comments with semicolons": Case("; rig\n; 3\n" + table(" "), channels=BOTH),
    "errors of a spreadsheet": Case(
        changed(table(), 8, ["0.07,#DIV/0!,nan(ind)"]),
        read={"gaps": "mask"},
        channels={"q": np.where(T == 0.07, (Q[6] + Q[8]) / 2, Q)},
    ),
    "a text among the rows": Case(
        changed(table(), 20, ["*** overflow ***", table().splitlines()[20]]),
        refused="line 21: '*** overflow ***' is not a number",
    ),
    "a text below the rows": Case(table() + "end of record\n", channels=BOTH),
    "an empty cell": Case(
        table(rows=HOLES), refused="'q' is not finite at 1 samples, first at t = 0.07 s; gaps='mask'"
    ),
    "an empty cell, masked": Case(table(rows=HOLES), read={"gaps": "mask"}, channels={"tau": TAU}),
    "n/a": Case(
        changed(table(), 8, ["0.07,n/a,1.0"]),
        read={"gaps": "fill"},
        channels={"q": np.where(np.arange(40) == 7, (Q[6] + Q[8]) / 2, Q)},
    ),
    "not a number of Windows": Case(
        changed(table(), 8, ["0.07,-1.#IND,1.0"]), refused="'q' is not finite at 1 samples"
    ),
    "a last row cut off": Case(table() + "0.4,0.33\n", refused="'tau' is not finite at 1 samples, first at t = 0.4 s"),
    "a row too long": Case(
        changed(table(), 9, ["0.08,1,2,3"]), refused="line 10: there are 4 cells, and 3 in the other rows"
    ),
    "a text in a column": Case(changed(table(), 9, ["0.08,off,2"]), refused="line 10: 'off' is not a number"),
    "a column of texts": Case(table(head="t,q,tau,note", rows=[(*row, "ok") for row in ROWS]), channels=BOTH),
    "a constant empty column": Case(
        table(head="t,q,spare,tau", rows=[(t, q, "", tau) for t, q, tau in ROWS]), channels=BOTH
    ),
    "two tables": Case(
        table() + "\n" + table(head="t,w,f"), refused="has 2 tables (1: t, q, tau in lines 2 to 41; 2: t, w, f in"
    ),
    "two tables, the second": Case(table(head="t,w,f") + "\n" + table(), read={"table": 2}, channels=BOTH),
    "two tables, a third": Case(table() + "\n" + table(), read={"table": 3}, refused="has no table 3; it has 2"),
    "two tables of other widths": Case(
        table() + table(head="t,w", rows=[row[:2] for row in ROWS]), refused="has 2 tables"
    ),
    "one table, the second": Case(table(), read={"table": 2}, refused="has one table, so there is no table 2"),
    "two runs below each other": Case(table() + table(head=""), refused="each run needs a separate file"),
    "no rows": Case("t,q,tau\n", refused="has no samples; it needs at least one row of numbers"),
    "nothing": Case("", refused="has no samples"),
    "a picture": Case(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 9, refused="cannot be read"),
    "too few rows": Case(table(rows=ROWS[:9]), refused="has 9 samples; at least 16 are needed"),
    # --- times ---
    "times rounded to 0.1 ms": Case(
        table(rows=[(round(0.015033 * i, 4), *row[1:]) for i, row in enumerate(ROWS)]), channels=BOTH, step=0.015033
    ),
    "times in single precision": Case(
        table(rows=[(float(np.float32(1000 + 0.01 * i)), *row[1:]) for i, row in enumerate(ROWS)]), channels=BOTH
    ),
    "times in whole ms": Case(
        table(head="t [ms],q,tau", rows=[(int(6.667 * i), *row[1:]) for i, row in enumerate(ROWS)]),
        channels=BOTH,
        step=0.006667,
    ),
    "a lost sample": Case(
        table(rows=[row for i, row in enumerate(ROWS) if i != 9]), channels={"q": np.delete(Q, 9)}, step=None
    ),
    "times of day": Case(table(rows=CLOCK), channels=BOTH),
    "times over midnight": Case(table(rows=MIDNIGHT), channels=BOTH),
    "dates and times": Case(table(head="timestamp,q,tau", rows=STAMPED), channels=BOTH),
    "German dates and times": Case(table(";", head="Zeit,q,tau", rows=GERMAN), channels=BOTH),
    "dates with a zone": Case(stamped(lambda s: f"2024-03-12 10:11:{s:06.3f}+01:00"), channels=BOTH),
    "half days": Case(
        stamped(
            lambda s: (
                f"3/12/2024 {'11:59' if s < 12.2 else '12:00'}:{(s + 47.8) % 60:06.3f} {'AM' if s < 12.2 else 'PM'}"
            )
        ),
        channels=BOTH,
    ),
    "months before days": Case(
        stamped(
            lambda s: f"3/{12 if s < 12.2 else 13}/2024 {'23:59' if s < 12.2 else '00:00'}:{(s + 47.8) % 60:06.3f}"
        ),
        channels=BOTH,
    ),
    "dates of MATLAB": Case(stamped(lambda s: f"12-Mar-2024 10:11:{s:06.3f}"), channels=BOTH),
    "durations of pandas": Case(stamped(lambda s: f"0 days 00:00:{s:09.6f}"), channels=BOTH),
    "minutes of a spreadsheet": Case(
        stamped(lambda s: f"59:{s + 47.8:.2f}" if s < 12.2 else f"00:{s - 12.2:05.2f}"), channels=BOTH
    ),
    "milliseconds behind a colon": Case(stamped(lambda s: f"10:11:{int(s)}:{1e3 * (s % 1):03.0f}"), channels=BOTH),
    "times in an unknown notation": Case(
        stamped(lambda s: f"10h11:{s:05.2f}"), refused="is no time in a known notation, such as 10:11:12.5"
    ),
    "since 1970, a lost sample": Case(
        table(rows=[(f"{1.7e9 + t:.3f}", *r) for i, (t, *r) in enumerate(ROWS) if i != 9]),
        channels={"q": np.delete(Q, 9)},
        step=None,
    ),
    "since 1970 in ns": Case(
        table(head="t [ns],q,tau", rows=[(1710237600000000000 + 50000 * i, *r) for i, (_, *r) in enumerate(ROWS)]),
        channels=BOTH,
        step=5e-5,
    ),
    "since 1970 in ms, not stated": Case(
        table(rows=[(1710237600000 + 10 * i, *r) for i, (_, *r) in enumerate(ROWS)]),
        refused="'t' begins at 1.71e+12 s, thousands of years; if these are ms since 1970, give units={'t': 'ms'}",
    ),
    "days of a spreadsheet": Case(
        table(rows=[(f"{45363.5 + t / 86400:.12f}", *r) for t, *r in ROWS]),
        refused="give units={'t': 'd'} (--unit t=d)",
    ),
    "days of a spreadsheet, stated": Case(
        table(rows=[(f"{45363.5 + t / 86400:.12f}", *r) for t, *r in ROWS]), read={"units": {"t": "d"}}, channels=BOTH
    ),
    "years of two digits": Case(stamped(lambda s: f"03/12/24 10:11:{s:06.3f}"), channels=BOTH),
    "times before a trigger": Case(
        stamped(lambda s: f"{'-' if s < 12.2 else ''}00:00:{abs(s - 12.2):06.3f}"), channels=BOTH
    ),
    "hundreds of hours": Case(stamped(lambda s: f"123:59:{s:06.3f}"), channels=BOTH),
    "a counter called Time": Case(
        table(head="Time,t,q", rows=[(i, *row[:2]) for i, row in enumerate(ROWS)]),
        refused="has the times 'Time' and 't', which differ",
    ),
    "a torque called t": Case(
        table(head="time [s],t [Nm],q", rows=[(t, b, a) for t, a, b in ROWS]), channels={"t": TAU}
    ),
    "two clocks": Case(
        table(head="Time,q,Time 2,tau", rows=[(t, a, t + 0.5, b) for t, a, b in ROWS]),
        refused="has the times 'Time' and 'Time 2', which differ; choose one with time='Time'",
    ),
    "two clocks, chosen": Case(
        table(head="t,q,t,tau", rows=[(t, a, t + 0.5, b) for t, a, b in ROWS]),
        read={"channels": ["tau"], "time": "t_2"},
        channels={"tau": TAU},
    ),
    "one clock twice": Case(table(head="t,q,t,tau", rows=[(t, a, t, b) for t, a, b in ROWS]), channels=BOTH),
    "times backwards": Case(table(rows=ROWS[::-1]), refused="times must increase: sort the rows"),
    "the same time twice": Case(
        table(rows=[(round(t, 1), *r) for t, *r in ROWS]), refused="if they are rounded, give sample_time"
    ),
    "no times": Case(table(head="a,q,tau"), refused="no column is called t or time; name it with time=... (--time)"),
    "times by name": Case(table(head="a,q,tau"), read={"time": "a"}, channels=BOTH),
    "times named wrong": Case(table(), read={"time": "T"}, refused="has no column 'T'; did you mean 't'?"),
    # --- MATLAB and others ---
    "vectors of a workspace": Case(mat(t=T, kp=3.0, par=np.arange(5.0), **BOTH), "run.mat", channels=BOTH),
    "a vector that is too short": Case(
        mat(t=np.tile(T, 2).cumsum(), q=np.tile(Q, 2), tau=np.tile(TAU, 2)[1:]),
        "run.mat",
        refused="'tau' has 79 samples and 't' 80; they must agree",
    ),
    "a structure": Case(mat(log={"t": T, **BOTH}), "run.mat", channels={"log.q": Q, "log.tau": TAU}),
    "a structure, chosen": Case(
        mat(log={"t": T, **BOTH}, old={"t": T}), "run.mat", read={"table": "log"}, channels=BOTH
    ),
    "cells": Case(
        mat(runs=objects({"t": T, **BOTH}, {"t": T[:20], "q": Q[:20]})),
        "run.mat",
        refused="has 2 tables ('runs{1}' with 3 columns, 'runs{2}' with 2 columns); choose one with table='runs{1}'",
    ),
    "cells, chosen": Case(
        mat(runs=objects({"t": T, **BOTH}, {"t": T[:20], "q": Q[:20]})),
        "run.mat",
        read={"table": "runs{1}"},
        channels=BOTH,
    ),
    "cells, a third": Case(
        mat(runs=objects({"t": T, **BOTH}, {"t": T, "q": Q})),
        "run.mat",
        read={"table": "runs{3}"},
        refused="has no table 'runs{3}'; did you mean",
    ),
    "cells of vectors": Case(mat(t=T, d=objects(Q, TAU)), "run.mat", channels={"d{1}": Q, "d{2}": TAU}),
    "several structures": Case(
        mat(run=structures(t=[T, T], q=[Q, -Q], tau=[TAU, TAU])), "run.mat", read={"table": "run(1)"}, channels=BOTH
    ),
    "a timeseries as structure": Case(
        mat(q={"Name": "q", "Time": T, "Data": Q}, tau={"Name": "x", "Time": T, "Data": TAU}), "run.mat", channels=BOTH
    ),
    "structure with time": Case(
        mat(out={"time": T, "signals": structures(values=[Q, TAU], label=["q", "tau"])}),
        "run.mat",
        channels={"out.q": Q, "out.tau": TAU},
    ),
    "a recording of dSPACE": Case(
        mat(rec={"X": {"Name": "time", "Data": T}, "Y": structures(Name=["q", "tau"], Data=[Q, TAU])}),
        "run.mat",
        channels={"rec.q": Q, "rec.tau": TAU},
    ),
    "a matrix": Case(mat(data=np.column_stack([T, Q, TAU])), "run.mat", read=NO_NAMES, channels=BOTH),
    "a matrix that lies": Case(mat(data=np.array([T, Q, TAU])), "run.mat", read=NO_NAMES, channels=BOTH),
    "matrices in cells": Case(
        mat(runs=objects(np.column_stack([T, Q]), np.column_stack([T, -Q]))),
        "run.mat",
        refused="has 2 tables ('runs{1}' with 2 columns, 'runs{2}' with 2 columns); choose one with table='runs{1}'",
    ),
    "matrices in cells, chosen": Case(
        mat(runs=objects(np.column_stack([T, Q]), np.column_stack([T, -Q]))),
        "run.mat",
        read={"table": "runs{2}", "columns": ["t", "q"]},
        channels={"q": -Q},
    ),
    "a matrix without names": Case(
        mat(data=np.column_stack([T, Q, TAU])), "run.mat", refused="name those of a matrix with columns=['t', 'q', ...]"
    ),
    "outputs of Simulink": Case(mat(tout=T, yout=np.column_stack([Q, TAU])), "run.mat", channels={"yout[1]": TAU}),
    "cells of version 7.3": Case(write_cells_73, "run.mat", read={"table": "runs{1}"}, channels=BOTH),
    "structures of version 7.3": Case(write_structures_73, "run.mat", read={"table": "runs(2)"}, channels=BOTH),
    "Parquet with a name twice": Case(write_parquet_twice, "run.parquet", channels={"q": Q, "q_2": TAU}),
    "Parquet with units in names": Case(
        lambda path: parquet.write_table(pyarrow.table({"t [ms]": 1e3 * T, "q [deg]": Q, "tau (left)": TAU}), path),
        "run.parquet",
        channels={"q": np.radians(Q), "tau (left)": TAU},
    ),
    "a sparse vector": Case(mat(t=T, q=csc_array(Q[:, None]), tau=TAU), "run.mat", channels=BOTH),
    "MF4 with a single value": Case(write_mf4_single, "run.mf4", channels={"q": Q}),
    "TDMS with a unit of NI": Case(write_tdms_described, "run.tdms", channels={"q": 1e-3 * Q}),
    "Parquet with dates": Case(write_parquet_dates, "run.parquet", channels=BOTH),
    "Parquet with lists": Case(write_lists, "run.parquet", channels={"tau": TAU}),
    "TDMS with dates": Case(write_tdms_dates, "run.tdms", channels=BOTH),
    "MF4 with a name twice": Case(write_mf4_twice, "run.mf4", channels={"q": np.radians(Q), "q_2": TAU}),
    "TDMS with two groups": Case(write_tdms_groups, "run.tdms", channels={"slow.tau": TAU, "fast.tau": TAU}),
}


def written(case, folder):
    path = folder / case.name
    if callable(case.content):
        case.content(path)
    elif isinstance(case.content, bytes):
        path.write_bytes(case.content)
    else:
        path.write_text(case.content, encoding="utf-8", newline="")
    return path


def timeseries(version, times):
    """A writer of two timeseries objects; uniform times are stated by start, step and number."""
    matio = pytest.importorskip("matio", reason="objects of MATLAB classes need mat-io")
    kind = pytest.importorskip("matio.utils.matclass").MatlabOpaque

    def fields(values):
        if times == "listed":
            return {"Name": "x", "Time": T[:, None], "Data": values[:, None]}
        about = {"Start": np.array([[0.0]]), "Increment": np.array([[0.01]]), "Length": np.array([[40.0]])}
        return {"Data_": values.reshape(1, 1, 40), "TimeInfo_": kind(about, "tsdata.timemetadata")}

    entries = {name: kind(fields(values), "timeseries") for name, values in BOTH.items()}
    return lambda path: matio.save_to_mat(str(path), {**entries, "kp": 3.0}, version=version)


@pytest.mark.parametrize("times", ["listed", "uniform"])
@pytest.mark.parametrize("version", ["v7", "v7.3"])
def test_timeseries_objects(version, times, tmp_path):
    timeseries(version, times)(tmp_path / "run.mat")
    run = Measurement.read(tmp_path / "run.mat")
    assert run["q"] == pytest.approx(Q)
    assert run["tau"] == pytest.approx(TAU)
    assert run.sample_time == pytest.approx(0.01)


def test_other_objects_are_refused(tmp_path):
    matio = pytest.importorskip("matio", reason="objects of MATLAB classes need mat-io")
    kind = pytest.importorskip("matio.utils.matclass").MatlabOpaque
    matio.save_to_mat(str(tmp_path / "run.mat"), {"rig": kind({"mass": np.array([[2.0]])}, "Rig")}, version="v7")
    with pytest.raises(StribeckError, match=r"has only objects of MATLAB classes without values over time \(Rig\)"):
        Measurement.read(tmp_path / "run.mat")


def test_the_table_is_long():
    assert len(CASES) >= 60


@pytest.mark.parametrize("case", [c for c, x in CASES.items() if not x.refused])
def test_read(case, tmp_path):
    case = CASES[case]
    run = Measurement.read(written(case, tmp_path), **case.read)
    for name, values in case.channels.items():
        assert run[name] == pytest.approx(values, rel=1e-6, abs=1e-12), name
    for name, unit in case.units.items():
        assert run.units[name] == unit
    assert run.sample_time == (None if case.step is None else pytest.approx(case.step, rel=1e-3))


@pytest.mark.parametrize("case", [c for c, x in CASES.items() if x.refused])
def test_refused(case, tmp_path):
    case = CASES[case]
    path = written(case, tmp_path)
    with pytest.raises(StribeckError) as caught:
        Measurement.read(path, **case.read)
    message = str(caught.value)
    assert case.refused in message
    assert "\n" not in message
    assert "run" in message
