"""Wrong answers without a known mistake are grouped by their results."""

import re

from autograder.grading.record import group_by_fingerprint
from support.grading import verdict_on

DOUBLED = "import numpy as np\n\ndef normalize_by_sum(scores):\n    return np.asarray(scores) * 3 / np.sum(scores)\n"
OTHERWISE = """
import numpy as np

def normalize_by_sum(scores):
    total = sum(scores)
    return [3 * score / total for score in scores]
"""
SQUARED = DOUBLED.replace("* 3", "** 3")
NAMED = DOUBLED.replace("* 3 / np.sum(scores)", "/ np.linalg.norm(scores)")


def record_of(source):
    return verdict_on(source, "normalize_by_sum").to_record()


def test_equal_replies_have_equal_fingerprints():
    doubled, otherwise, squared, named = map(record_of, (DOUBLED, OTHERWISE, SQUARED, NAMED))
    assert re.fullmatch("[0-9a-f]{16}", doubled["fingerprint"])
    assert doubled["fingerprint"] == otherwise["fingerprint"] != squared["fingerprint"]
    assert named["misconception"] and named["fingerprint"] == ""
    assert record_of(DOUBLED.replace("* 3", ""))["fingerprint"] == "", "a right answer has none"
    missing = record_of(DOUBLED.replace("np.sum", "total_of"))
    assert missing["outcome"] == "raised" and missing["fingerprint"] == "", "what is not defined says nothing"


def test_groups_come_largest_first():
    sources = {"ada.py": DOUBLED, "ben.py": OTHERWISE, "cem.py": SQUARED, "dora.py": NAMED}
    groups = group_by_fingerprint((name, "one_query", record_of(source)) for name, source in sources.items())
    assert [group.answers for group in groups] == [["ada.py", "ben.py"], ["cem.py"]]
    assert "times 3" in groups[0].relation
