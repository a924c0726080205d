"""Self-study: what a learner alone works with. `folder` and `progress` know how far they are; the rest shows it."""
