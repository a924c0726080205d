"""A suite asks, a verdict comes out."""
