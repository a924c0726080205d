"""Values as learners return them: walked, compared and shown in one way."""
