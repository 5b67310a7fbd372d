"""Names for examples of starts of sliding."""

from support.examples.identify.bench.onset import windows

from stribeck.identify.bench.starts import StartOfMotion


def start() -> StartOfMotion:
    return StartOfMotion(1510, 0.2, 0.151, 0.1, 1, 1.48, 0.003, 0.15, False, windows()[0])
