"""Mutation testing: correct answers with one small edit each, which the hidden suites should refuse."""
