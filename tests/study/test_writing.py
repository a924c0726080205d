"""The last page shows a learner's trained language model, whatever files the folder `writing` contains."""

import json

import pytest

from autograder.study.finish import render_training

TRAINED = {
    "text": "my <diary>",
    "losses": [4.0, 3.0, 2.5, 2.0],
    "held_back": [[0, 4.1], [4, 2.25]],
    "samples": [[0, "xq"], [4, "Dear <b>diary</b>,\nit was"]],
}


def save_training(folder, told, name="diary.json"):
    (folder / "writing").mkdir(exist_ok=True)
    (folder / "writing" / name).write_text(told if isinstance(told, str) else json.dumps(told), encoding="utf-8")


def test_the_last_sample_and_both_curves_are_shown(tmp_path):
    save_training(tmp_path, TRAINED)
    page = render_training(tmp_path)
    assert "Dear &lt;b&gt;diary&lt;/b&gt;,\nit was" in page and "my &lt;diary&gt;" in page and "xq" not in page
    assert page.count("<polyline") == 2 and "Loss from 4.00 to 2.00, on held-out text 2.25" in page


def test_a_sample_of_any_signs_makes_a_page(tmp_path):
    save_training(tmp_path, {**TRAINED, "text": "\ud83d", "samples": [[4, "\ud83d\x1b[2J\u202eend"]]})
    page = render_training(tmp_path)
    assert "[2J" in page and "end" in page and page.isprintable() and page.encode()


def test_without_a_training_the_page_shows_none(tmp_path):
    assert render_training(tmp_path) == ""


@pytest.mark.parametrize(
    "told",
    [
        "{",
        "[" * 100_000,
        "[]",
        "{}",
        {**TRAINED, "losses": []},
        {**TRAINED, "losses": ["much"]},
        {**TRAINED, "held_back": [[0, float("nan")]]},
        {**TRAINED, "held_back": [[0, float("inf")]]},
        {**TRAINED, "samples": []},
        " " * (2 << 20),
    ],
)
def test_files_that_are_not_trainings_are_left_out(tmp_path, told):
    save_training(tmp_path, told)
    assert render_training(tmp_path) == ""
    save_training(tmp_path, TRAINED, "older.json")
    assert "Dear" in render_training(tmp_path)


def test_a_link_is_not_followed(tmp_path):
    save_training(tmp_path, TRAINED, "../elsewhere.json")
    (tmp_path / "writing" / "diary.json").symlink_to(tmp_path / "elsewhere.json")
    assert render_training(tmp_path) == ""
