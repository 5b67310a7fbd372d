"""Files with measured columns: one module per file format, found by extension.

>>> from stribeck.tables import read_columns
>>> read_columns(Path("run7.csv"))["torque"].values
"""

from ._apart import reading_apart
from ._columns import Columns, FileColumn, pick, read_columns, readers

__all__ = ["Columns", "FileColumn", "pick", "read_columns", "readers", "reading_apart"]
