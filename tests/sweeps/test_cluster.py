"""Sweeps on a cluster: a scheduler and workers as separate processes, of which one is killed."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

import stribeck as sb

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_a_cluster_writes_the_same_store_though_a_worker_is_killed(client, tmp_path):
    design = {"spring.c": np.linspace(1, 4, 240)}
    sb.sweep("stick-slip", design, ["mass.w:max"], store=tmp_path / "alone", chunk=20, t_end=10.0)
    victim = next(iter(client.run(os.getpid).values()))
    done, at = [], []

    def kill():
        while not done:  # while chunks come back
            time.sleep(0.01)
        os.kill(victim, signal.SIGKILL)
        at.append(len(done))

    killer = threading.Thread(target=kill)
    killer.start()
    study = sb.sweep(
        "stick-slip",
        design,
        ["mass.w:max"],
        store=tmp_path / "cluster",
        chunk=20,
        t_end=10.0,
        client=client,
        progress=done.append,
    )
    killer.join()
    assert at[0] < 12  # of the chunks some were still to come
    assert not study.failures
    for path in (tmp_path / "alone").iterdir():
        assert (tmp_path / "cluster" / path.name).read_bytes() == path.read_bytes(), path.name


def test_a_client_needs_a_store(client):
    with pytest.raises(sb.SpecError, match="store"):
        sb.sweep("stick-slip", {"spring.c": [1.0]}, ["mass.w:max"], client=client)
