"""``%check`` and ``%predict`` in a real IPython shell, and in a kernel that ends."""

import os
import re
import signal
import time

import pytest
from bs4 import BeautifulSoup
from IPython.core.error import StdinNotImplementedError
from IPython.utils.capture import capture_output

from autograder.boundary.channel import get_zygote
from autograder.chapters.chapter import read_chapter
from autograder.chapters.stubs import make_stub
from autograder.study import notebook
from autograder.study.folder import Folder, open_progress
from support.ipython import fresh_shell

PATIENCE = 120
NAIVE = """\
import numpy as np

def softmax(scores):
    e = np.exp(np.asarray(scores, dtype=float))
    return e / e.sum()
"""
RIGHT = NAIVE.replace("np.asarray(scores, dtype=float)", "np.asarray(scores, dtype=float) - np.max(scores)")
MEAN = RIGHT.replace("import numpy as np\n\n", "").replace("e.sum()", "e.mean()")
CHAPTER = read_chapter("one_query")
STUB = "def attend(dec_hidden_state, annotations):\n    # TODO: your code here, in place of the next line.\n"
STUB += "    raise NotImplementedError"


@pytest.fixture(scope="module")
def only_shell(tmp_path_factory):
    with fresh_shell(tmp_path_factory.mktemp("ipython")) as shell:
        yield shell


@pytest.fixture
def shell(only_shell):
    only_shell.reset()
    notebook.make_scratch_folder.cache_clear()
    run(only_shell, "%load_ext attn")
    return only_shell


def run(shell, source):
    """Run a cell and return what it shows: the printed text, and the rich results."""
    with capture_output() as shown:
        shell.run_cell(source, store_history=True)
    return shown.stdout, shown.outputs


def run_and_read_card(shell, line):
    printed_text, outputs = run(shell, line)
    assert not printed_text
    (output,) = outputs
    return output.data["text/html"], output.data["text/plain"]


def test_a_mistake_is_named_and_the_repair_is_seen(shell):
    run(shell, NAIVE)
    page, plain = run_and_read_card(shell, "%check softmax")
    for text in (page, plain):
        assert "wrong" in text
        assert "infinity divided by infinity is NaN" in text
    assert "softmax([927, 397, 148, 929])" in plain
    assert "<table>" in page, "the picture"
    assert "Hint 1 of 4:" in page and page.count("<summary>Hint ") == 3, "the mistake's own is the first, and shown"
    pid = get_zygote(()).process.pid

    run(shell, RIGHT)
    page, plain = run_and_read_card(shell, "%check softmax")
    assert "softmax: done" in page
    assert "8/8" in plain
    assert "Hint" not in page + plain
    assert get_zygote(()).process.pid == pid, "it stays warm"


def test_the_line_comes_after_the_verdict(shell):
    run(shell, "import numpy as np")
    run(shell, MEAN)
    printed_text, outputs = run(shell, "%check softmax")
    assert printed_text == "softmax: One small change in line 3 of cell [3] makes every test pass.\n"
    assert "small change" not in outputs[0].data["text/html"]
    printed_text, (output,) = run(shell, "%check softmax --no-locate")
    assert not printed_text and "wrong" in output.data["text/plain"]


def test_the_last_executed_definition_counts_with_its_dependencies(shell):
    run(shell, "import numpy as np\nimport this_does_not_exist")
    run(shell, "import numpy as np\nSHIFT = np.max")
    run(shell, "def softmax(scores):\n    raise NotImplementedError")
    run(shell, "def exponentials(scores):\n    return 0")
    run(shell, "%%time\ndef exponentials(scores):\n    return np.exp(np.asarray(scores, dtype=float) - SHIFT(scores))")
    run(shell, "!true\nlisting = !echo nothing\n%pwd")
    run(shell, "def softmax(scores):\n    e = exponentials(scores); return e / e.sum()")
    run(shell, "while_this_raises = 1 / 0")
    run(shell, "def softmax(scores:")
    assert "softmax: done" in run_and_read_card(shell, "%check softmax")[0]
    run(shell, "def exponentials(scores):\n    return np.asarray(scores, dtype=float)")
    assert "softmax: wrong" in run_and_read_card(shell, "%check softmax")[0]


def test_check_without_a_name_checks_every_definition(shell):
    run(shell, RIGHT)
    run(shell, STUB)
    page, plain = run_and_read_card(shell, "%check")
    assert re.findall(r"<strong>\S (\w+): ([\w ]+)\.<", page) == [("softmax", "done"), ("attend", "to do")]
    assert "1 of 2 exercises done" in plain
    assert re.findall(r"<strong>\S (\w+):", run_and_read_card(shell, "%check one_query")[0]) == ["softmax", "attend"]


def test_a_pass_counts_only_if_the_script_has_the_same_code(shell, tmp_path, monkeypatch):
    chapter, helper = read_chapter("one_query"), "def shifted(scores):\n    return np.asarray(scores) - np.max(scores)"
    script, stub = tmp_path / "one_query.py", chapter.get_exercise("softmax").stub
    answer = "def softmax(scores):\n    e = np.exp(shifted(scores))\n    return e / e.sum()"
    written = make_stub(chapter)
    monkeypatch.chdir(tmp_path)

    def state(text):
        script.write_text(text, encoding="utf-8")
        return Folder(tmp_path).read_states()["softmax"]

    saved = written.replace(stub, f"{answer}\n\n\n# %%\nprint(softmax([1, 2]))\n# %check softmax\n\n\n# %%\n{helper}")
    script.write_text(written, encoding="utf-8")
    run(shell, "import numpy as np")
    run(shell, "import numpy as np")
    run(shell, helper.replace("np.max(scores)", "0"))
    run(shell, answer)
    assert "softmax: wrong" in run_and_read_card(shell, "%check softmax")[0]
    assert state(saved) == "begun"
    run(shell, helper)
    assert "softmax: done" in run_and_read_card(shell, "%check softmax")[0]
    assert state(written) == "to do"
    assert state(saved) == "done"
    assert state(saved.replace("    e = ", "    # the largest becomes 0\n    e = ")) == "done"
    assert state(saved.replace("- np.max", "- np.min")) == "changed"


def test_praise_is_shown_once_with_the_next_exercise(shell, monkeypatch, tmp_path):
    (tmp_path / "one_query.py").write_text("")
    monkeypatch.chdir(tmp_path)
    run(shell, RIGHT)
    point = CHAPTER.afterword_of("softmax")
    page, plain = run_and_read_card(shell, "%check softmax")
    assert point in plain and point.split("`")[0][:40] in page
    assert "in this notebook, “One query”" in plain and "With it" not in plain
    assert point not in run_and_read_card(shell, "%check softmax")[1]
    for exercise in CHAPTER.exercises:
        run(shell, exercise.solution)
    plain = run_and_read_card(shell, "%check one_query")[1]
    assert "That completes the chapter: One query." in plain and CHAPTER.afterword_of("one_query") in plain
    assert run(shell, "%next")[0].startswith("attention_scores (6 points) in this notebook, “All queries at once”")


def test_hints_and_a_solution_that_asks_first(shell, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    replies = iter(["n", "y"])
    monkeypatch.setattr("builtins.input", lambda question: print(question) or next(replies))
    run(shell, NAIVE)
    assert [run(shell, "%hint softmax")[0][:11] for _ in range(2)] == ["Hint 1 of 3", "Hint 2 of 3"]
    assert "%solution softmax" in run(shell, "%hint softmax")[0]
    output = run(shell, "%solution softmax")[0]
    assert "Give up on softmax and see its solution?" in output and "Not given up." in output
    assert "+     exponentials" not in output
    output = run(shell, "%solution softmax")[0]
    assert "+     exponentials = np.exp(scores - scores.max())" in output
    assert "-     e = np.exp(np.asarray(scores, dtype=float))" in output and "cell [" in output
    assert "Give up" not in run(shell, "%solution softmax")[0], "once is enough"
    assert not list(tmp_path.iterdir())


def test_the_solution_opens_when_done_and_without_a_prompt_names_the_command(shell, monkeypatch, tmp_path):
    def nobody(prompt):
        raise StdinNotImplementedError

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", nobody)
    run(shell, "import numpy as np\n" + CHAPTER.get_exercise("attend").solution)
    assert "%solution dot_attention_score --give-up" in run(shell, "%solution dot_attention_score")[0]
    assert "+     return np.asarray" in run(shell, "%solution dot_attention_score --give-up")[0]
    run(shell, CHAPTER.get_exercise("normalize_by_sum").solution)
    assert "normalize_by_sum: done" in run_and_read_card(shell, "%check normalize_by_sum")[0]
    assert "Yours is the same, line by line." in run(shell, "%solution normalize_by_sum")[0]
    assert "Name an exercise" in run(shell, "%solution")[0]


def test_without_a_script_nothing_is_recorded(shell, tmp_path, monkeypatch):
    (tmp_path / "one_query.ipynb").write_text("{}")
    monkeypatch.chdir(tmp_path)
    run(shell, RIGHT)
    assert "softmax: done" in run_and_read_card(shell, "%check softmax")[0]
    assert [path.name for path in tmp_path.iterdir()] == ["one_query.ipynb"]  # Other files would be handed in, too.


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("%check", "No exercise is defined in this notebook yet"),
        ("%check softmax", "softmax is not defined in this notebook yet: run the cell that defines it"),
        ("%check sofmax", "Did you mean softmax"),
        ("%check all_queries", "No exercise is defined"),
        ("%predict nothing", "There is no chapter 'nothing'"),
    ],
)
def test_wrong_commands_get_a_sentence(shell, line, sentence):
    output, outputs = run(shell, line)
    assert sentence in output
    assert "Traceback" not in output
    assert not outputs


def test_predictions_are_asked_only_with_input(shell, monkeypatch):
    def nobody(prompt):
        raise StdinNotImplementedError

    monkeypatch.setattr("builtins.input", nobody)
    run(shell, "def attention_scores(queries, keys):\n    return 0")
    assert "This notebook cannot ask questions. In a terminal: attn predict all_queries" in run(shell, "%predict")[0]

    monkeypatch.setattr("builtins.input", lambda prompt: "")
    output, _ = run(shell, "%predict one_query")
    assert "It is (4,)" in output
    assert "0 of 6 on the first try." in output


def test_on_another_day_a_notebook_begins_with_a_word_of_two_questions(shell, tmp_path, monkeypatch):
    (tmp_path / "one_query.py").write_text("", encoding="utf-8")
    open_progress(tmp_path).change(lambda facts: facts.update(softmax={"passed": "2026-01-01"}))
    monkeypatch.chdir(tmp_path)
    assert "Welcome back. %predict again asks two questions" in run(shell, "%reload_ext attn")[0]
    monkeypatch.setattr("builtins.input", lambda prompt: "")
    assert run(shell, "%predict again")[0].count("one_query. ") == 2
    assert "Welcome back" not in run(shell, "%reload_ext attn")[0]


def test_predictions_are_stored_next_to_the_script(shell, tmp_path, monkeypatch):
    typed = ["(4,)"]

    def leaves(prompt):
        if not typed:
            raise EOFError
        return typed.pop()

    (tmp_path / "one_query.py").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", leaves)
    assert "1 of 6." in run(shell, "%predict one_query")[0]
    assert "You continue with number 2.\n\n2 of 6." in run(shell, "%predict one_query")[0]


def test_a_figure_brings_all_it_needs(shell):
    printed_text, (output,) = run(shell, "%figure softmax")
    assert not printed_text
    assert 'data-figure="softmax"' in output.data["text/html"] and "figures.add(" in output.data["text/html"]
    _, (output,) = run(shell, "%figure attention-map pronouns")
    assert 'data-example="pronouns"' in output.data["text/html"]
    assert "no figure 'softmin'. There are attention-map," in run(shell, "%figure softmin")[0]
    assert "There is no figure ''." in run(shell, "%figure")[0]
    assert "The figure softmax has no example 'nosuch'." in run(shell, "%figure softmax nosuch")[0]


def test_a_deleted_function_is_not_checked(shell):
    run(shell, RIGHT)
    run(shell, "del softmax")
    assert "is not defined in this notebook yet" in run(shell, "%check softmax")[0]


def test_output_of_an_answer_is_escaped(shell):
    attack = "<img src=x onerror=alert(1)></pre></details><script>\x1b[31m"
    run(shell, f"def softmax(scores):\n    print({attack!r})\n    raise ValueError({attack!r})")
    page, plain = run_and_read_card(shell, "%check softmax")
    soup = BeautifulSoup(page, "html.parser")
    assert not soup.find(["img", "script"])
    assert not [name for tag in soup.find_all() for name in tag.attrs if name.startswith("on")]
    assert soup.get_text().count("<script>") >= 2, "it is said, as text"
    assert "\x1b" not in page + plain


def test_settings_of_the_notebook_do_not_affect_grading(shell):
    run(shell, "import numpy as np, warnings\nold = np.seterr(all='raise')\nwarnings.simplefilter('error')")
    run(shell, NAIVE)
    try:
        assert "softmax: wrong" in run_and_read_card(shell, "%check softmax")[0]
    finally:
        run(shell, "np.seterr(**old)\nwarnings.resetwarnings()")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (KeyboardInterrupt(), "Interrupted."),
        (OSError("no disk"), "The grader failed (OSError in autograder.judging.judge, line "),
    ],
)
def test_a_check_that_breaks_off_leaves_the_next_one_whole(shell, monkeypatch, error, sentence):
    def breaks_off(*arguments):
        raise error

    run(shell, RIGHT)
    with monkeypatch.context() as broken:
        broken.setattr("autograder.judging.judge.ExerciseRun._judge", breaks_off)
        printed_text, outputs = run(shell, "%check softmax")
    assert sentence in printed_text + " ".join(output.data.get("text/html", "") for output in outputs)
    assert "softmax: done" in run_and_read_card(shell, "%check softmax")[0]


def test_statements_after_semicolons_and_decorators_are_found():
    inputs = ["", "a = 1; b = [a,\n 2]", "@staticmethod\ndef f():\n    return b", "print(f)", "def f(:", "f = f"]
    results = notebook.rebuild_answer(inputs, ["f"])
    assert [(cell.place, cell.line) for cell in results.cells] == [("cell [1]", 1), ("cell [2]", 1), ("cell [5]", 1)]
    assert results.cells[0].source == inputs[1]
    again = notebook.rebuild_answer([*inputs, *inputs[1:]], ["f"])
    assert "cell [7]" in {cell.place for cell in again.cells}, "the same cell, run again"


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["asked", "killed"])
def test_nothing_is_left_when_the_kernel_ends(ending, tmp_path, monkeypatch):
    from jupyter_client.manager import start_new_kernel  # noqa: PLC0415  (slow to import)

    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    manager, client = start_new_kernel(startup_timeout=PATIENCE)
    messages = []
    try:
        for source in ("%load_ext attn", "import numpy as np", MEAN, "%check softmax"):
            client.execute_interactive(source, timeout=PATIENCE, output_hook=lambda message: messages.append(message))
        shown = [message["content"] for message in messages if message["msg_type"] == "display_data"]
        assert "softmax: wrong" in shown[0]["data"]["text/html"]
        updates = [message["content"] for message in messages if message["msg_type"] == "update_display_data"]
        assert "One small change in line 3 of cell [3] makes every test pass." in updates[0]["data"]["text/html"]
        # The code prints nothing, because printed text may come after the reply.
        reply = client.execute_interactive("", timeout=PATIENCE, user_expressions={"pids": PIDS})
        pids = [
            int(pid) for pid in re.findall(r"\d+", reply["content"]["user_expressions"]["pids"]["data"]["text/plain"])
        ]
        assert pids and all(is_running(pid) for pid in pids)
        if ending == "killed":
            os.kill(manager.provisioner.pid, signal.SIGKILL)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=ending == "killed")
    deadline = time.monotonic() + PATIENCE
    while any(is_running(pid) for pid in pids):
        assert time.monotonic() < deadline, "a zygote outlives its kernel"
        time.sleep(0.05)


PIDS = '[child.pid for child in __import__("psutil").Process().children()]'  # ipykernel requires psutil.


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
