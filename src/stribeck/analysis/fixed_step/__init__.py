"""What a fixed step needs: limits of explicit methods, advice on parameters, verdicts on methods."""
