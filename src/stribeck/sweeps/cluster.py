"""Sweeps on more than one machine: chunks as tasks of Dask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import SpecError
from ..optional import require
from .store import Chunk, Store

if TYPE_CHECKING:
    from .sweep import Work

AHEAD = 4
"""Chunks under way per thread of a worker: enough that none waits, and few enough for constant memory."""
RETRIES = 3
"""How often a chunk may lose its worker."""


def on_cluster(
    client: Any,
    store: Store,
    todo: Sequence[Chunk],
    work: Work,
    progress: Callable[[float], None] | None,
) -> None:
    """Computes chunks on the workers of a client of Dask, and writes each as it comes back. Workers may leave and join;
    a chunk whose worker has left is computed by another.

    >>> on_cluster(client, store, store.missing(), work, None)
    """
    distributed = require("distributed", "sweep: client", SpecError, "cluster")
    shipped = client.scatter(work, broadcast=True)
    waiting = iter(todo)
    threads = max(sum(worker["nthreads"] for worker in client.scheduler_info()["workers"].values()), 1)
    running = distributed.as_completed(with_results=True)
    under_way: dict[Any, Chunk] = {}

    def submit() -> None:
        piece = next(waiting, None)
        if piece is not None:
            future = client.submit(_run, shipped, store.parameters, piece.points, pure=False, retries=RETRIES)
            under_way[future.key] = piece
            running.add(future)

    for _ in range(AHEAD * threads):
        submit()
    for done, (future, (measures, failures)) in enumerate(running, 1):
        store.put(under_way.pop(future.key), measures, failures)
        submit()
        if progress is not None:
            progress(done / len(todo))


def _run(work: Work, parameters: Sequence[str], points: Any) -> Any:
    """A chunk on a worker, in one thread: the worker has one for each processor."""
    return work.run(None, parameters, points, jobs=1)
