"""Explanations of wrong answers: one ordered list of explainers."""
