"""The output of answers is kept up to a limit, and does not affect the score."""

import dataclasses
import io

import numpy as np
import pytest
from rich.console import Console

from autograder.chapters.answers import parse_script
from autograder.judging.ask import call as call_module
from autograder.views.card import to_card
from autograder.views.terminal import PRINTED_LENGTH, PRINTED_LINES, explain
from autograder.worker.output import MAX_PRINTED
from support.grading import grade_answers

BODY = "    e = np.exp(np.asarray(x) - np.max(x, -1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)\n"
LOOP = "    print('round and round', flush=True)\n    while True: print('x' * 1000)\n"
HEAD = "import os, sys\nimport numpy as np\n"


def softmax(*lines, before="", body=BODY):
    return f"{HEAD}{before}\ndef softmax(x):\n" + "".join(f"    {line}\n" for line in lines) + body


ANSWERS = {
    "nothing": softmax(),
    "both streams": softmax("print('scores', x[0], end='!')", "sys.stderr.write('careful\\n')", before="print('file')"),
    "wrong": softmax("print('before')", body="    return x\n"),
    "raising": softmax("print('before')", body="    raise ValueError('no')\n"),
    "ending itself": softmax("print('before')", body="    os._exit(0)\n"),
    "never ending": softmax(body=LOOP),
    "500 MB": softmax(before="for _ in range(500): print('x' * 10**6)\nos.write(1, b'y' * 10**8)\nos.write(2, b'z')"),
    "odd text": softmax(r"print('\x1b[31m \ud800 \N{SNOWMAN}')", r"sys.stdout.buffer.write(b'\xff\x00')"),
    "wide text": softmax(before="print('\N{SNOWMAN}' * 10**6)"),
    "replaced": softmax("print('kept by nobody')", before="import io\nsys.stdout = io.StringIO()\nsys.stderr = None"),
    "closed": softmax("os.write(2, b'lost')", before="sys.stdout.close()\nsys.stderr.detach()\nos.closerange(4, 64)"),
    "cut": softmax(
        "print('still here')", before="try: os.ftruncate(4, 0)\nexcept OSError: pass\nos.lseek(4, 10**9, 0)"
    ),
    "a real file": softmax("os.write(sys.stdout.fileno(), b'lost')", "assert sys.stdout.writable()"),
}
SAYS = {"wrong": "wrong", "raising": "raised", "ending itself": "killed", "never ending": "timeout"}
# Answer -> beginning of the output of its file, and of its calls.
PRINTED = {
    **dict.fromkeys(("wrong", "raising", "ending itself"), ("", "before\n")),
    **dict.fromkeys(("nothing", "replaced", "closed", "a real file"), ("", "")),
    "never ending": ("", "round and round\nxxxx"),
    "odd text": ("", "\x1b[31m \\ud800 \N{SNOWMAN}\n\N{REPLACEMENT CHARACTER}\0"),
    "500 MB": (MAX_PRINTED * "x", ""),
    "wide text": (MAX_PRINTED * "\N{SNOWMAN}", ""),
    "both streams": ("file\n", "scores "),
}


@pytest.fixture(scope="module")
def verdicts():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(call_module, "CALL_SECONDS", 1.0)
        answers = [parse_script("answer.py", source) for source in ANSWERS.values()]
        results = grade_answers(answers, only=("softmax", "normalize_by_sum"))
    return dict(zip(ANSWERS, results, strict=True))


@pytest.mark.parametrize("name", ANSWERS)
def test_printing_changes_no_score(verdicts, name):
    verdict = verdicts[name]["softmax"]
    assert verdict.outcome == SAYS.get(name, "passed"), verdict.message
    assert len(verdict.printed) <= MAX_PRINTED
    assert "printed" not in str(verdict.to_record())


@pytest.mark.parametrize("name", PRINTED)
def test_the_beginning_of_the_output_is_recorded(verdicts, name):
    for exercise, beginning in zip(("normalize_by_sum", "softmax"), PRINTED[name], strict=True):
        printed = verdicts[name][exercise].printed
        assert printed.startswith(beginning) if beginning else not printed


def test_the_file_prints_with_the_first_exercise(verdicts):
    results = verdicts["both streams"]
    assert "Your code printed as the file ran:" in to_card(results["normalize_by_sum"]), "the exercise prints nothing"
    assert "!careful\n" in results["softmax"].printed


@pytest.mark.parametrize("name", ["wrong", "never ending"])
def test_a_wrong_answer_shows_the_beginning_in_the_terminal(verdicts, name):
    verdict, text = verdicts[name]["softmax"], io.StringIO()
    Console(file=text, width=1000).print(explain(verdict))
    head, _, output = text.getvalue().partition("Your code printed")[2].rstrip("\n").partition("\n")
    if name == "wrong":
        assert (head, output) == (" in this call:", "before")
        return
    assert head.startswith(" in this call")
    assert output.startswith(verdict.printed[:12].rstrip("\n")) and output.endswith(" ...")
    assert len(output.splitlines()) <= PRINTED_LINES and len(output) <= PRINTED_LENGTH + 4


CALLS = softmax(
    "print('x is', np.asarray(x).tolist())", body="    return np.exp(x) / np.exp(x).sum(-1, keepdims=True)\n"
)


@pytest.mark.parametrize("times", [1, 2], ids=["asked step by step", "played"])
def test_prints_are_those_of_the_shown_call(times):
    source = CALLS.replace("def softmax", "print('the file')\ndef softmax")
    answers = [parse_script("answer.py", source)] * times
    verdict = [found["softmax"] for found in grade_answers(answers, only=("softmax",))][-1]
    assert verdict.misconception == "no_maximum_subtracted"
    shown = np.asarray(verdict.shown_test.shown_call.args[0]).tolist()
    assert verdict.printed.splitlines() == [f"x is {shown}", "the file"], "warnings are left out"
    assert "Your code printed in this call:" in to_card(verdict)


def test_a_warning_of_several_lines_is_not_shown():
    source = softmax("import warnings; warnings.warn('Of two\\nlines')")
    (results,) = grade_answers([parse_script("answer.py", source)], only=("softmax",))
    assert results["softmax"].printed == ""


def test_a_prompt_is_shown_once():
    source = f"{HEAD}\ndef softmax(x):\n    return input('Which axis? ')\n"
    (results,) = grade_answers([parse_script("answer.py", source)], only=("softmax",))
    assert results["softmax"].printed.count("Which axis?") == 1


def test_a_verdict_without_prints_does_not_mention_prints(verdicts):
    text = io.StringIO()
    for printed in ("", "\n"):
        verdict = dataclasses.replace(verdicts["wrong"]["softmax"], printed=printed, printed_where="")
        Console(file=text, width=100).print(explain(verdict))
    assert "printed" not in text.getvalue()
