"""Who is graded: one answer, many, many again, and the kit itself."""
