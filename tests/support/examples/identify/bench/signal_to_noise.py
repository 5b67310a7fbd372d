"""Names for examples of the rule for sensors."""

from stribeck.identify import SignalToNoise, signal_to_noise


def rule() -> SignalToNoise:
    return signal_to_noise(encoder=56, sample_time="1 ms", drive="2 N.m", design=1.32e-5, design_error=2.1e-6)
