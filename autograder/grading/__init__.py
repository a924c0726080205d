"""Many answers, graded side by side, and the kit itself."""
