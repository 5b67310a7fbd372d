"""Writes the C of the laws, their numbers and facts, and the operations of formulas.

    python -m tools.codegen.generate OUT_DIR

Runs in a build environment that has SymPy and nothing else of Stribeck's needs: the package is entered by a bare name,
so that its __init__ (and with it the compiled kernel, which does not exist yet) is not imported.
"""

from __future__ import annotations

import json
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]


def main(out_dir: Path) -> None:
    """Generate into a folder, which is made if needed."""
    package = ModuleType("stribeck")
    package.__path__ = [str(ROOT / "src" / "stribeck")]
    sys.modules["stribeck"] = package
    sys.meta_path.insert(0, PathFinder)  # before the hook of an editable install, which may be of another checkout

    from stribeck.laws import all_laws

    from .emit import c_file, ids_file, lanes_file, ops_file
    from .metadata import metadata
    from .sources import source_hash

    laws = all_laws().values()
    out_dir.mkdir(parents=True, exist_ok=True)
    (out_dir / "sb_laws.c").write_text(c_file(laws, source_hash()), encoding="utf-8")
    (out_dir / "sb_laws_in_lanes.h").write_text(lanes_file(laws), encoding="utf-8")
    (out_dir / "sb_law_ids.h").write_text(ids_file(laws), encoding="utf-8")
    (out_dir / "sb_formula_ops.h").write_text(ops_file(), encoding="utf-8")
    about = json.dumps(metadata(laws, source_hash()), indent=2, ensure_ascii=False)
    (out_dir / "laws.json").write_text(about + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
