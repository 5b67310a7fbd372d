"""What the experiments say to arguments that make no sense."""

from collections.abc import Callable

import pytest

import stribeck as sb
from stribeck_papers import aberger2002, bataus2011, guo2017, nouailletas2010, petrun2012


@pytest.mark.parametrize(
    "experiment, says",
    [
        (lambda: aberger2002.break_away(0.0), "rate = 0"),
        (lambda: aberger2002.break_away_after(1.0, rate=-1.0), "rate = -1"),
        (lambda: aberger2002.dassl(-1e-6), "tolerance"),
        (lambda: aberger2002.stepped("EULLER", 1e-3), "did you mean 'EULER'"),
        (lambda: bataus2011.launch("tahn"), "did you mean 'tanh'"),
        (lambda: guo2017.stick_slip("dahl"), "did you mean 'Dahl'"),
        (lambda: guo2017.period(guo2017.stick_slip(t_end=3.0)), "two slips, the run has 0"),
        (lambda: guo2017.friction_curve("LuGre", [0.0]), "leave 0 out"),
        (lambda: nouailletas2010.break_away(30.0, 0), "must be 1 .up. or -1"),
        (lambda: nouailletas2010.break_away(300.0), "not on the way, 0 to 65 rad"),
        (lambda: nouailletas2010.break_away(30.0, rate=0.0), "rate = 0 must be above 0"),
        (lambda: nouailletas2010.sinusoidal_test(0.0), "amplitude = 0 must be above 0"),
        (lambda: nouailletas2010.sinusoidal_test(100.0, swing=40.0), "leaves the way"),
        (lambda: nouailletas2010.Controller(bandwidth=-3.0), "bandwidth = -3"),
        (lambda: nouailletas2010.Mechanism(mu_c=-1.0), "mu_c = -1"),
        (lambda: nouailletas2010.lpv(30.0, 2), "direction = 2"),
        (lambda: petrun2012.period(petrun2012.coulomb(t_end=2.0)), "two turns"),
        (lambda: petrun2012.no_stick_limit(d=3.0), "do not swing"),
        (lambda: petrun2012.coupled_cycle(scheme="itreated"), "did you mean 'iterated'"),
    ],
)
def test_wrong_arguments(experiment: Callable[[], object], says: str) -> None:
    with pytest.raises(sb.StribeckError, match=says):
        experiment()


def test_the_rig_of_aberger2002_takes_other_parameters() -> None:
    usual, stiff = (aberger2002.stick_slip(c=c).crossings("mass.w", 0.1, +1)[0] for c in (2.0, 4.0))
    assert stiff == pytest.approx(0.5 * usual, rel=0.05)  # the spring reaches the break-away torque in half the time


def test_the_shift_of_aberger2002_may_end_earlier() -> None:
    assert aberger2002.shift(t_end=0.5, intervals=10).time[-1] == 0.5
