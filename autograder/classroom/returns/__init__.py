"""What goes back: pages for learners, scores for platforms, a report for the teacher."""
