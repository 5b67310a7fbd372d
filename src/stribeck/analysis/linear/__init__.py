"""A machine linearised about one of its points: matrices, modes, frequency response."""
