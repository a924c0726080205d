"""Self-study: what a learner alone works with. `folder` and `progress` know how far they are; the rest shows it."""

SELF_STUDY = b"self-study"  # hidden inputs of those who have no course and nobody to fool
