"""Collection of submissions, which are moved to the paths that nbgrader expects."""
