"""A learner alone: `folder` and `progress` know how far they are; the rest shows it."""
