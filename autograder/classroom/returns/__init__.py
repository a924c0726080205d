"""Output of a course: pages for learners, scores for platforms, a report for the teacher."""
