"""Settings that the demo adds to the `nbgrader_config.py` of its course: a late penalty and the exchange."""

import math
from pathlib import Path

from nbgrader.plugins import LateSubmissionPlugin

c = get_config()  # noqa: F821  (nbgrader defines it)


class TwoPointsADay(LateSubmissionPlugin):
    """A penalty of two points for each notebook and each started day of lateness."""

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        return min(score, 2 * math.ceil(total_seconds_late / 86400))


c.AssignLatePenalties.plugin_class = TwoPointsADay
c.Exchange.root = str(Path(__file__).parent.resolve() / "exchange")
