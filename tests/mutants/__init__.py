"""Mutation testing: right answers with one small edit each, which the hidden suites should tell from right ones."""
