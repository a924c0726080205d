"""What learners hand in, brought to the names and places that nbgrader expects."""
