"""What was handed in, judged and entered."""
