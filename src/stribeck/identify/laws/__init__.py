"""Selection of a friction law by its prediction error on held-out records."""
