"""Learning alone: `folder` and `progress` keep track of a learner's progress, and the other modules show it."""
