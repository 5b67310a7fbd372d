"""Regressions that are linear in their parameters, with honest errors: inverse models, power balances."""
