"""Contacts that the package does not simulate come back from coarse encoders, within intervals that keep their word."""

import os

import pytest
from scipy.stats import binomtest
from support.contacts import CONTACTS

from stribeck.studies.identify import fit_presliding

TRIALS = int(os.environ.get("STRIBECK_TRIALS", "400"))


def test_a_mass_at_several_rates_seen_by_a_few_counts():
    """What accelerates the mass is as large as damping here, and the noise is 0.1 % of the force."""
    contact = CONTACTS["three rates"]
    found = fit_presliding(contact.record(contact.motion(), 0), "x", "f", mass=contact.mass)
    ends = found.estimate.interval(0.999)
    for name, value in contact.truth.items():
        assert ends[name][0] < value < ends[name][1], name
    assert found["sigma0"] == pytest.approx(contact.sigma0, rel=0.03)
    assert found["f"] == pytest.approx(contact.f, rel=0.02)
    assert found["sigma1"] == pytest.approx(contact.sigma1, rel=0.3)


@pytest.mark.slow
def test_intervals_hold_what_they_promise():
    """Exact binomial test of 95 % at 1e-3 for every parameter of every contact, and 94 to 96 % of all together."""
    held = {}
    for case, contact in CONTACTS.items():
        motion = contact.motion()
        hits = dict.fromkeys(contact.truth, 0)
        for seed in range(TRIALS):
            ends = fit_presliding(contact.record(motion, seed), "x", "f", mass=contact.mass).estimate.interval()
            for name, value in contact.truth.items():
                hits[name] += ends[name][0] < value < ends[name][1]
        held[case] = hits
        print(case, hits)
    for case, hits in held.items():
        for name, count in hits.items():
            assert binomtest(count, TRIALS, 0.95).pvalue > 1e-3, (case, name, count)
    share = sum(sum(hits.values()) for hits in held.values()) / (TRIALS * sum(len(hits) for hits in held.values()))
    assert 0.94 < share < 0.96 or TRIALS < 400
