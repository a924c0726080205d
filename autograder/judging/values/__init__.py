"""Values as learners return them: one way to traverse, compare and show them."""
