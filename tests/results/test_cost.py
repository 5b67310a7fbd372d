"""Results must not slow a run down: light import, cheap construction."""

import subprocess
import sys

HEAVY = ("pandas", "xarray", "matplotlib", "pyarrow", "rich")


def test_importing_results_imports_nothing_heavy():
    code = f"import sys, stribeck.results; print([name for name in {HEAVY} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
