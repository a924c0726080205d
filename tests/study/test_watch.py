"""`attn watch` in a real terminal, with real saves of every kind that editors make."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from autograder.chapters.chapter import read_chapter
from support.terminal import PseudoTerminal

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
ATTN = Path(sys.executable).with_name("attn")

NAIVE = "return np.exp(scores) / np.exp(scores).sum()"
STABLE = "e = np.exp(np.asarray(scores, float) - np.max(scores))\n    return e / e.sum()"
LOOP = "while True:\n        pass"
COUNT = len(read_chapter("one_query").exercises)
FOOTER = r"exercises? done\n[^\n]*\n"


@pytest.fixture
def chapter(tmp_path):
    (tmp_path / "exercises").mkdir()
    return Path(shutil.copy(ROOT / "exercises" / "one_query.py", tmp_path / "exercises"))


@pytest.fixture
def watch(chapter):
    terminals = []

    def start(*arguments, **environment):
        cwd = chapter.parent.parent
        terminals.append(PseudoTerminal(ATTN, "watch", "one_query", *arguments, cwd=cwd, **environment))
        terminals[-1].wait_for(f"{FOOTER}.*q quit")
        return terminals[-1]

    yield start
    for terminal in terminals:
        terminal.close()


def fill_in_answer(text, name, body):
    """Return a chapter's text with the body of one function replaced, after its docstring."""
    start = text.index(f"def {name}(")
    begin = text.index('    """\n', text.index('"""', start) + 3) + len('    """\n')
    end = text.index("\n\n\n", begin)
    return f"{text[:begin]}    {body}{text[end:]}"


def write(chapter, name, body):
    chapter.write_text(fill_in_answer(chapter.read_text(), name, body))


def test_single_keys_lead_from_a_stub_to_the_solution(watch, chapter):
    terminal = watch()
    assert "New here? " in terminal.raw
    kept = chapter.parent / ".attn"
    write(chapter, "softmax", NAIVE)
    output = terminal.wait_for(f"softmax +4.5/8  wrong.*{FOOTER}")
    assert "large scores overflow" in output
    assert re.search(r"Fix softmax in exercises/one_query.py:\d+", output)
    terminal.press("h", "Hint 2 of 4 for softmax")
    terminal.press("h", "Hint 3 of 4 for softmax")
    terminal.press("s", "Give up on softmax and see its solution.*y for yes")
    terminal.press("n", "Not given up")
    write(chapter, "softmax", STABLE)
    output = terminal.wait_for(f"softmax: done.*1 of {COUNT} {FOOTER}")
    assert "softmax    8/8  done" in output
    assert "Next: write apply_attention_scores" in output, "it goes on to what comes after"
    terminal.press("s", r"- +e = np.exp\(np.asarray.*\+ +exponentials = np.exp\(scores - scores.max\(\)\)")
    terminal.press("n", "write calculate_attention_vector")
    terminal.type("\x1b[A?z")  # An arrow and these keys have no function.
    terminal.quit()
    facts = json.loads((kept / "progress.json").read_text())["softmax"]
    assert facts["hints_asked"] == 2 and "passed" in facts and "gave_up" not in facts


def test_the_line_comes_after_the_verdict(watch, chapter):
    terminal = watch()
    write(chapter, "softmax", STABLE.replace("e.sum()", "e.mean()"))
    output = terminal.wait_for(r"softmax +0/8  wrong.*softmax: One small change in line (\d+) makes every test pass")
    line = re.search(r"in line (\d+)", output)[1]
    terminal.press("r", f"Fix softmax in exercises/one_query.py:{line}")
    terminal.press("h", f"In line {line}, look at which function it calls")
    write(chapter, "softmax", STABLE)
    terminal.wait_for("softmax +8/8  done")
    terminal.type("q")


def test_every_way_to_save_is_noticed(watch, chapter):
    terminal = watch()
    stubs = chapter.read_text()
    right, naive = fill_in_answer(stubs, "softmax", STABLE), fill_in_answer(stubs, "softmax", NAIVE)

    chapter.write_text(right.replace("e / e.sum()", "e / (e.sum("))
    assert "SyntaxError" in terminal.wait_for(f"softmax +0/8  error.*{FOOTER}")

    new = chapter.with_name("one_query.py~new")  # Vim and PyCharm save like this.
    new.write_text(right)
    os.replace(new, chapter)
    terminal.wait_for(f"softmax +8/8  done.*{FOOTER}")

    os.rename(chapter, chapter.with_name("one_query.old"))  # Emacs saves like this.
    chapter.write_text(naive)
    terminal.wait_for(f"softmax +4.5/8  wrong.*{FOOTER}")

    chapter.unlink()
    terminal.wait_for("one_query.py is gone.*attn reset one_query")
    chapter.write_text(right)
    terminal.wait_for(f"softmax +8/8  done.*{FOOTER}")

    chapter.write_bytes(b"")
    terminal.wait_for("one_query.py is empty.*attn reset one_query")
    chapter.write_text(right)
    terminal.wait_for("No answer has changed")

    chapter.write_bytes(b"\xff\xfe\x00")
    terminal.wait_for("is not text in UTF-8")
    with open(chapter, "w") as file:  # The file is first empty, then half written, then whole.
        for piece in (naive[:3000], naive[3000:]):
            file.write(piece)
            file.flush()
    terminal.wait_for(f"softmax +4.5/8  wrong.*{FOOTER}")

    chapter.write_text(naive.replace(NAIVE, f"# a thought\n    {NAIVE}"))
    terminal.wait_for("No answer has changed")

    os.rename(chapter.parent, chapter.parent.with_name("gone"))  # Checking out another branch does this.
    terminal.wait_for("one_query.py is gone")
    chapter.parent.mkdir()
    chapter.write_text(right)
    terminal.wait_for(f"softmax +8/8  done.*{FOOTER}")

    chapter.write_text(stubs)
    terminal.wait_for("softmax: a stub again")
    terminal.quit()


def test_only_exercises_affected_by_a_change_are_checked(watch, chapter):
    solved = (ROOT / "solutions" / "one_query.py").read_text()
    helper = "\n# %%\ndef largest(scores):\n    return scores.max()\n\n\n# %% [markdown]\n# ## Softmax\n"
    solved = solved.replace("# ## Softmax\n", helper, 1).replace("scores - scores.max()", "scores - largest(scores)")
    assert "largest(scores)" in solved
    terminal = watch()
    chapter.write_text(solved)
    output = terminal.wait_for(f"{COUNT} of {COUNT} {FOOTER}")
    assert "completes the chapter" in output and "Everything is done." in output
    chapter.write_text(solved.replace("return scores.max()", "return 2 * scores.max()"))
    output = terminal.wait_for(FOOTER)
    checked = re.findall(r"^  \S (\w+) +[\d.]+/\d", output, re.MULTILINE)
    assert checked == ["softmax", "attend"], "softmax uses it, attend uses softmax, and nothing else does"


def test_finished_exercises_are_not_checked_again(watch, chapter):
    shutil.copy(ROOT / "solutions" / "one_query.py", chapter)
    run = subprocess.run([ATTN, "check"], cwd=chapter.parent.parent, capture_output=True, text=True)
    assert f"{COUNT} of {COUNT} exercises done" in run.stdout
    terminal = watch()
    assert f"{COUNT} of {COUNT} exercises done" in terminal.raw and "softmax" not in terminal.raw
    assert "New here?" not in terminal.raw
    terminal.quit()


def test_an_endless_loop_does_not_block_watch(watch, chapter):
    terminal = watch()
    write(chapter, "softmax", LOOP)
    terminal.wait_for(r"Checking softmax \.\.\. \d s")
    terminal.press("h", "Hint 1 of 3")
    chapter.write_text(chapter.read_text().replace(LOOP, STABLE))
    terminal.wait_for(f"softmax +8/8  done.*{FOOTER}.*q quit")
    chapter.write_text(chapter.read_text().replace(STABLE, LOOP))
    terminal.wait_for("Checking softmax")
    terminal.quit()
    assert "too slow" not in terminal.raw


def test_an_endless_function_is_waited_for_once(watch, chapter):
    shutil.copy(ROOT / "solutions" / "one_query.py", chapter)
    terminal = watch()
    terminal.wait_for(f"{COUNT} of {COUNT} {FOOTER}.*q quit")
    write(chapter, "softmax", LOOP)
    output = terminal.wait_for(f"softmax +0/8  too slow.*attend +0/\\d+  too slow.*{FOOTER}.*q quit")
    assert "gave no result within" in output and f"{COUNT - 2} of {COUNT} exercises done" in output
    terminal.press("n", "Not tried: attend uses softmax, which gave no result in time")


@pytest.mark.parametrize("editor", ["", "no-such-editor"])
def test_no_key_is_silent(watch, chapter, editor):
    terminal = watch(EDITOR=editor, VISUAL="")
    terminal.press("e", "cannot be started" if editor else "No editor is set")
    terminal.press("z", "z has no meaning here")
    terminal.press("v", "This is all of it")
    shutil.copy(ROOT / "solutions" / "one_query.py", chapter)
    terminal.wait_for(f"{COUNT} of {COUNT} {FOOTER}.*q quit")
    for key in "her":
        terminal.type(key)
        terminal.wait_for("Everything is done. To work on one exercise: attn watch NAME")
    terminal.press("n", "Everything is done")
    terminal.press("s", "attend: - is yours")


def test_a_shortened_verdict_can_be_shown_whole(watch, chapter):
    terminal = watch()
    right = (ROOT / "solutions" / "one_query.py").read_text()
    chapter.write_text(fill_in_answer(right, "dot_attention_score", "return np.dot(annotations, dec_hidden_state)"))
    output = terminal.wait_for(f"dot_attention_score +0/4 .*{FOOTER}.*q quit")
    assert "dot_attention_score([5, 1, 20], array of shape (3, 4))" in output
    terminal.press("v", r"The whole call: dot_attention_score\(\[5, 1, 20\], \[\[")
    chapter.write_text(fill_in_answer(right, "normalize_by_sum", "return 1"))
    terminal.wait_for(f"normalize_by_sum +0/4  wrong.*{FOOTER}.*q quit")
    terminal.press("n", "All others that you watch are done")


def test_after_ctrl_z_keys_work_and_the_page_is_drawn(watch):
    terminal = watch()
    terminal.press("h", "Hint 1 of")
    os.kill(terminal.process.pid, signal.SIGSTOP)
    modes = termios.tcgetattr(terminal.follower)
    modes[3] |= termios.ICANON | termios.ECHO  # A shell sets these modes.
    termios.tcsetattr(terminal.follower, termios.TCSANOW, modes)
    os.kill(terminal.process.pid, signal.SIGCONT)
    terminal.wait_for("q quit.*Hint 1 of")
    assert not terminal.modes() & termios.ICANON
    terminal.quit()


def test_a_note_about_a_file_disappears_when_the_file_is_readable(watch, chapter):
    terminal = watch()
    away = chapter.rename(chapter.with_name("away"))
    terminal.wait_for("one_query.py is gone")
    away.rename(chapter)
    output = terminal.wait_for(f"{FOOTER}.*No answer has changed")
    assert "is gone" not in output


def test_paths_are_links_where_the_terminal_knows_them(watch, chapter):
    link = f"\x1b]8;[^;]*;{re.escape(chapter.as_uri())}"
    assert re.search(f"{link}\x1b", watch().raw)
    assert re.search(f"{link}#\\d+\x1b", watch(TERM_PROGRAM="vscode").raw), "it opens at the line"
    assert "\x1b]8" not in watch(NO_COLOR="1").raw + watch("--plain").raw + watch(TERM="dumb").raw


def test_keys_for_an_earlier_screen_are_dropped(watch, chapter, tmp_path):
    editor = tmp_path / "editor.py"
    editor.write_text(f"import time\nopen({str(tmp_path / 'open')!r}, 'w')\ntime.sleep(2)\n")
    terminal = watch(EDITOR=f"{sys.executable} {editor}")
    terminal.type("e")
    while not (tmp_path / "open").exists():
        time.sleep(0.05)
    terminal.type("S")  # This key is typed while the editor is open.
    terminal.wait_for(f"{FOOTER}.*q quit")
    terminal.quit()
    assert "Give up" not in terminal.raw


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_plain_output_only_appends_lines(watch, chapter, number, code):
    terminal = watch("--plain")
    before = terminal.modes()
    write(chapter, "softmax", NAIVE)
    output = terminal.wait_for(f"x softmax +4.5/8  wrong.*{FOOTER}.*q quit")
    assert "nan*" in output, "what colour would say, a sign says"
    terminal.press("h", "Hint 2 of 4")
    assert "\x1b" not in terminal.raw
    os.kill(terminal.process.pid, number)
    assert terminal.end() == code
    assert terminal.modes() & termios.ICANON and not before & termios.ICANON


def test_no_colour_is_respected(watch, chapter):
    terminal = watch(NO_COLOR="1")
    write(chapter, "softmax", NAIVE)
    terminal.wait_for(f"softmax +4.5/8  wrong.*{FOOTER}")
    assert not re.search(r"\x1b\[[\d;]*[34]\d", terminal.raw)


def test_a_check_can_be_plain_too(chapter):
    terminal = PseudoTerminal(ATTN, "check", "softmax", "--plain", cwd=chapter.parent.parent)
    try:
        terminal.wait_for("Next: write softmax")
        assert terminal.end() == 0
        assert "\x1b" not in terminal.raw
    finally:
        terminal.close()
