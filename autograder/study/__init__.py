"""Self-study. The modules `folder` and `progress` store a learner's progress, the others implement commands."""
