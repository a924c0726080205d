"""The results of a course: pages for learners, scores for platforms, and a report for the teacher."""
