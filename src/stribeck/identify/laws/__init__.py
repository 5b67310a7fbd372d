"""Which law? Laws compared on the same records by what they have not seen."""
