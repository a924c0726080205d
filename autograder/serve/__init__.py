"""The served book, in which a learner reads a chapter, edits answers and sees verdicts on one page."""
