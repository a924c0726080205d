"""A teacher's own test cell runs in a process of the kit, so that answers cannot influence its result."""

import pytest

from autograder.chapters.answers import Task, parse_script
from autograder.chapters.chapter import read_chapter
from autograder.judging.run.test_cell import judge_test_cell

RIGHT = """
import numpy as np

SCALE = 5

def softmax(x):
    e = np.exp(np.asarray(x, float) - np.max(x))
    return e / e.sum()

class Counter:
    def __init__(self, n):
        self.n = n
    def add(self, k):
        self.n += k
        return self.n
"""
SUMS = "assert abs(float(sum(softmax(np.array([1.0, 2.0, 3.0])))) - 1) < 1e-9\n"
SUMS += "np.testing.assert_allclose(softmax(np.zeros(2)), [0.5, 0.5])\n"


def judge(source, test):
    task = Task(parse_script("answer.py", source), read_chapter("one_query"), ())
    return judge_test_cell(task, "sums-test", test, 5)


@pytest.mark.parametrize(
    "test",
    [
        SUMS,
        "assert SCALE == 5",
        "counter = Counter(3)\nassert counter.add(4) == 7 and counter.n == 7",
        "try:\n    softmax('word')\nexcept ValueError:\n    pass\nelse:\n    raise AssertionError",
    ],
)
def test_a_right_answer_passes(test):
    verdict = judge(RIGHT, test)
    assert (verdict.outcome, verdict.points) == ("passed", 5), verdict.message


def test_what_a_test_prints_is_kept():
    assert judge(RIGHT, "print('hello')").printed == "hello\n"


@pytest.mark.parametrize(
    "attack",
    [
        "import numpy as np\nnp.testing.assert_allclose = lambda *a, **k: None\ndef softmax(x):\n    return x",
        "import builtins\nbuiltins.abs = lambda x: 0\ndef softmax(x):\n    return x",
        "def abs(x):\n    return 0\ndef softmax(x):\n    return x",
        "class np:\n    testing = None\ndef softmax(x):\n    return x",
        "class Yes(float):\n    __float__ = __radd__ = __sub__ = lambda s, *o: 1.0\n"
        "def softmax(x):\n    return [Yes(7)] * len(x)",
        "class Same:\n    __eq__ = lambda s, o: True\ndef softmax(x):\n    return Same()",
        "import sys\nsys.modules['worker.runner'].Runner.load = lambda *a: [None]\ndef softmax(x):\n    return x",
        "import os\ndef softmax(x):\n    os._exit(0)",
    ],
)
def test_an_answer_that_changes_its_own_process_does_not_pass(attack):
    verdict = judge(attack, SUMS)
    assert verdict.outcome != "passed"
    assert verdict.points == 0


def test_an_answer_cannot_end_a_loop_of_the_test():
    verdict = judge("def softmax(x):\n    raise StopIteration", "for row in map(softmax, [[1, 2]]):\n    assert row")
    assert (verdict.outcome, verdict.points) == ("raised", 0), verdict.message


def test_a_result_compares_itself_by_no_method_of_its_own():
    forged = (
        "class softmax:\n    def __init__(self, x):\n        pass\n    def allclose(self, other):\n        return True"
    )
    assert "no attribute 'allclose'" in judge(forged, "assert softmax([1.0]).allclose([2.0])").message


def test_a_test_cell_fails_if_the_answers_process_has_ended():
    verdict = judge(
        "import os\ndef softmax(x):\n    os._exit(3)", "try:\n    softmax([1])\nexcept Exception:\n    pass"
    )
    assert (verdict.outcome, verdict.points) == ("killed", 0)
    assert verdict.message == "softmax([1]) ended its own process with exit code 3."
