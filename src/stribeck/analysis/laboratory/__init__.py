"""The laboratory of friction laws: a test bench, the portrait of a law, the properties that it shows."""
