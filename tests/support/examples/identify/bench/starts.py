"""Names for examples of starts of motion."""

from stribeck.identify.bench.starts import StartOfMotion


def start() -> StartOfMotion:
    return StartOfMotion(1510, 0.2, 0.151, 0.1, 1, 0.03, 0.003)
