"""What builds and documents Stribeck; part of the source distribution, not installed."""
