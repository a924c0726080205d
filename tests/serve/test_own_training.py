"""A page of the book starts the training of a learner's model and shows its progress."""

import shutil
import time

import pytest

from autograder.chapters import curriculum
from autograder.chapters.errors import InputError
from autograder.serve.training import TextTraining
from autograder.study.folder import Folder


@pytest.fixture
def training(tmp_path):
    folder = tmp_path / "exercises"
    shutil.copytree(curriculum.SOLUTIONS, folder)
    shutil.copytree(curriculum.EXERCISES / "given", folder / "given", dirs_exist_ok=True)
    begun = TextTraining(Folder(folder), lambda: None)
    yield begun
    begun.stop()


def wait_for_end(training, seconds=60):
    deadline = time.monotonic() + seconds
    while training.is_running or training.follower.is_alive():
        assert time.monotonic() < deadline, "it goes on"
        time.sleep(0.05)
    return training.describe()


def test_unfinished_exercises_are_named_and_no_training_starts(training):
    shutil.copy(curriculum.EXERCISES / "write.py", training.folder.path)
    with pytest.raises(InputError, match=r"Still to write in .*write\.py: \w+, \w+"):
        training.begin("")
    assert not training.is_running


@pytest.mark.slow
@pytest.mark.parametrize("code", ["logits.sums()", "torch.nn.Linear(1, 2)(logits.tolist())"])
def test_an_error_is_reported_with_its_line_in_the_answer_also_if_a_library_raised_it(training, code):
    path = training.folder.path / "write.py"
    path.write_text(path.read_text() + f"\n\ndef next_token_loss(logits, tokens):\n    return {code}\n")
    training.begin("")
    message = wait_for_end(training)["told"]
    line = path.read_text().count("\n")
    assert message.startswith(("AttributeError:", "TypeError:")) and message.endswith(f", in write.py:{line}.")


def test_a_text_that_is_too_short_is_refused(training):
    training.begin("Dear Ada,\n" * 20)
    assert "There is little to learn below 5,000." in wait_for_end(training)["told"]
    assert (training.folder.path / "my_text.txt").read_text() == "Dear Ada,\n" * 20


@pytest.mark.slow
def test_a_stopped_training_continues_and_shows_its_sample(training):
    training.begin("")
    with pytest.raises(InputError, match="A training run is in progress"):
        training.begin("")
    deadline = time.monotonic() + 120
    while training.describe()["steps"] < 50:
        assert time.monotonic() < deadline, training.status_message
        time.sleep(0.2)
    training.stop()
    view = wait_for_end(training)
    assert view["told"].startswith("Stopped.") and "What your model writes" in view["wrote"]
    saved = training.folder.path / "writing" / "alice.pt"
    assert saved.exists()
    training.begin("")
    assert saved.exists(), "it goes on"
    training.stop()
    wait_for_end(training)
