"""Output-error fits: any parameters of any model, simulated against records."""
