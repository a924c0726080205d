"""Explanations of wrong answers, found by an ordered list of explainers."""
