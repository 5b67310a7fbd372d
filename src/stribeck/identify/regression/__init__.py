"""Linear regression with standard errors for autocorrelated residuals: inverse models, power balances."""
