"""Self-study: `folder` and `progress` store a learner's progress; the other modules are what the learner uses."""
