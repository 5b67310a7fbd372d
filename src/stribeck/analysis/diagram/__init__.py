"""The machine as a picture."""
