"""What compiling a long machine brings: arrays that grow as the machine does."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb


def chain(n: int) -> sb.Model:
    """Inertias in a row, with clutches and shafts between them in turn."""
    m = sb.Model("chain")
    for i in range(n):
        m.add(f"J{i}", sb.Inertia(J=1.0, w0=float(n - i), phi0=0.1 * i))
    for i in range(n - 1):
        ends = f"J{i}", f"J{i + 1}"
        m.add(f"K{i}", sb.Clutch(*ends, law=sb.Switch(), fn_max=0.1) if i % 2 else sb.Spring(*ends, c=5.0))
    return m


@pytest.mark.parametrize("size", ["n_p", "n_e", "n_w", "n_lu", "n_elim", "n_jac", "n_mass"])
def test_entries_grow_with_the_chain(size: str) -> None:
    few, many = (sb.compile_model(chain(n)).sizes[size] for n in (20, 80))
    assert many < 4.5 * few  # a chain of four times the length; its ends count less


def test_positions_add_up_along_the_chain() -> None:
    result = sb.simulate(chain(9), t_end=1.0, intervals=20)
    for i in range(8):
        between = result[f"K{i}.phi_rel"]
        np.testing.assert_allclose(result[f"J{i + 1}.phi"] - result[f"J{i}.phi"], between, rtol=0, atol=1e-13)
    # nothing turns the chain as a whole: its angular momentum stays, so the mean angle grows evenly
    mean = np.mean([result[f"J{i}.phi"] for i in range(9)], axis=0)
    np.testing.assert_allclose(mean, 0.4 + 5.0 * result.time, rtol=1e-12)
