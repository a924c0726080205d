"""Why an answer is wrong: one ordered list of explainers."""
