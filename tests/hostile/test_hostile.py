"""Answers that attack: each folder of them graded in one run, as `attn grade` does it, with honest answers in between.

Each section of a Markdown file in this folder is an attack, and so is each row of `support/short_attacks.py`, which has
attacks of a line or two. The parts of a section say what the attack tries and what the result must be:

    - expect: softmax wrong        exercise ("all" for each) and outcome
    - says: returned 0             words that the exercise's message must contain
    - chapter: qkv                 the chapter, by default one_query
    - harms: ...                   why the attack must harm other exercises of its own answer, if it does

Its code is appended to `preamble.py` and to an honest answer, so that every other exercise must keep its points. ROOT,
SECRET, PID and PORT stand for the kit's folder, the secret's file, a process and a server that must not be reached. An
attack that succeeds calls `breach`, whose word must not appear in any message.
"""

import json
import os
import re
import socket
import subprocess
import tempfile
import textwrap
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from rich.console import Console

from autograder.boundary import channel as process
from autograder.boundary import sandbox
from autograder.boundary import session as session_module
from autograder.chapters import curriculum
from autograder.chapters.chapter import BEGIN, read_chapter
from autograder.grading.executors import make_executor
from autograder.grading.many import GradingSettings, grade_answers
from autograder.judging.ask import call as call_module
from autograder.judging.misconceptions import read_sections
from autograder.judging.verdict.verdict import ExerciseVerdict, TestVerdict
from autograder.views.card import to_card
from support.short_attacks import CASES

HERE = Path(__file__).parent
ANSWERS = HERE.parent / "answers"
CANARY = "HOSTILE_CANARY"
MARK = "attn_hostile"  # part of the name of every file and process that an attack creates
SECRET = b"canary of the secret"
OWN_ATTEND = "self.attend = _attend"

pytestmark = pytest.mark.needs("bubblewrap")  # Without a sandbox, the attacks would succeed.


@dataclass
class Attack:
    name: str
    code: str
    expect: str
    says: str = ""
    chapter: str = "one_query"
    harms: str = ""

    def source(self, names):
        text = f"del {self.expect.split()[0]}\n\n# %%\n" * self.name.startswith("honest/") + textwrap.dedent(self.code)
        for name, value in names.items():
            text = text.replace(name, value)
        return f"{(HERE / 'preamble.py').read_text(encoding='utf-8')}\n\n{honest(self.chapter)}\n\n# %%\n{text}"


def read_attacks():
    for path in sorted(HERE.glob("*.md")):
        sections = read_sections(path.read_text(encoding="utf-8"), path.name, ("expect", "says", "chapter", "harms"))
        parts = [{label: text for label, text in section.parts if label} for section in sections]
        names = [f"{path.stem}/{section.name}" for section in sections]
        yield path.stem, [Attack(*each, **rest) for *each, rest in zip(names, [s.code for s in sections], parts)]
    yield "lines", [Attack(f"lines/{name}", code, f"softmax {how}", says) for name, (code, how, says) in CASES.items()]


def honest(chapter):
    """Return an honest answer whose functions are independent, so that a broken one affects no other."""
    name, exercise, calls = {
        "one_query": ("products", "softmax", {"weights = softmax(": "weights = _own("}),
        "qkv": ("bmm", "project_qkv", {"*project_qkv(": "*_own(", "self.attend = DotProductAttention()": OWN_ATTEND}),
    }[chapter]
    text = (ANSWERS / chapter / f"{name}.py").read_text(encoding="utf-8")
    for call, own in {**calls, f"\ndef {exercise}(": "\ndef _own("}.items():
        assert text.count(call) == 1
        text = text.replace(call, own)
    return f"{text}\n\n{exercise} = _own\n"


ATTACKS = dict(read_attacks())
CHAPTERS = ("one_query", "qkv")


@pytest.fixture(scope="module", params=[pytest.param(kind, marks=pytest.mark.slow) for kind in ATTACKS])
def run(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "secret").write_bytes(SECRET)
    (folder / "temporary").mkdir()
    process.close_zygotes()
    victim = subprocess.Popen(["sleep", "600"], start_new_session=True)
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as server:
        patch.setenv(CANARY, CANARY)
        patch.setattr(tempfile, "tempdir", str(folder / "temporary"))
        if request.param != "lines":  # The attacks of "lines" do not wait, but print a lot.
            patch.setattr(call_module, "CALL_SECONDS", 0.6)
            patch.setattr(session_module, "PLAY_SECONDS", 0.6)
            patch.setattr(session_module, "LOAD_SECONDS", 2.5)
        names = {"ROOT": str(curriculum.ROOT), "SECRET": str(folder / "secret")}
        names |= {"SOLVED": str(curriculum.SOLUTIONS), "HANDED": str(curriculum.EXERCISES)}
        names |= {"PID": str(victim.pid), "PORT": str(server.getsockname()[1])}
        names |= {"DEEP_SUM": " + ".join(["0"] * 2000)}
        names |= {"LONG_CHAIN": "if False:\n    pass\n" + "elif softmax is None:\n    pass\n" * 900}
        names |= {"LONG_WORD": "y" * 1000}
        lines = {}
        for chapter in CHAPTERS:
            lines |= grade([attack for attack in ATTACKS[request.param] if attack.chapter == chapter], folder, names)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
        process.close_zygotes()
    ended = victim.poll()
    victim.kill()
    victim.wait()
    return SimpleNamespace(attacks=ATTACKS[request.param], lines=lines, folder=folder, victim=ended)


def grade(attacks, folder, names):
    sources = {}
    for number, attack in enumerate(attacks):
        sources[attack.name] = attack.source(names)
        if number % 8 == 0:
            sources[f"honest/{attack.chapter}{number}"] = honest(attack.chapter)
    if not attacks:
        return {}
    files = [folder / f"{re.sub(r'[^A-Za-z0-9]', '-', name)}.py" for name in sources]
    for file, source in zip(files, sources.values(), strict=True):
        file.write_text(source, encoding="utf-8")
    output, settings = [], GradingSettings(SECRET, partial(make_executor, 1), Console(quiet=True))
    outcome = grade_answers(files, attacks[0].chapter, settings, output.append)
    assert not outcome.unreadable
    lines = {line["answer"]: line for line in output}
    return {name: lines[str(file)] for name, file in zip(sources, files, strict=True)}


def messages(run):
    return {
        (name, each["message"])
        for name, line in run.lines.items()
        for exercise in line["exercises"]
        for each in (exercise, *exercise["tests"])
    }


def test_attacks_get_the_expected_verdict_and_harm_no_other_answer(run):
    assert not [found for attack in run.attacks for found in find_undeserved(attack, run.lines[attack.name])]


def find_undeserved(attack, line):
    """Yield each exercise whose record differs from what the attack's section expects."""
    exercise, outcome = attack.expect.split()
    for each in line["exercises"]:
        points = each["max_points"] if outcome == "passed" else 0
        found, message = (each["outcome"], each["points"]), each["message"]
        if exercise in ("all", each["exercise"]):
            is_right = found == (outcome, points) and attack.says in message and bool(message) == (outcome != "passed")
        else:
            is_right = attack.harms or each["outcome"] == "passed"
        if not is_right:
            yield attack.name, each["exercise"], *found, message


def test_honest_answers_in_between_keep_all_points(run):
    honest = {name: line for name, line in run.lines.items() if name.startswith("honest")}
    assert len(honest) > 1
    for name, line in honest.items():
        assert line["points"] == line["max_points"] > 0, name


def test_there_are_enough_attacks():
    assert {kind: len(attacks) >= 10 + 50 * (kind == "honest") for kind, attacks in ATTACKS.items()} == dict.fromkeys(
        ["confusing", "escaping", "exhausting", "forging", "honest", "reading", "lines"], True
    )


def test_no_attack_succeeds_or_causes_an_internal_error(run):
    outcomes = [test["outcome"] for line in run.lines.values() for each in line["exercises"] for test in each["tests"]]
    assert "fault" not in outcomes
    assert {line["sandbox"] for line in run.lines.values()} == {"bubblewrap"}
    assert not [(name, message) for name, message in messages(run) if "BREACH" in message]


def list_hidden_lines():
    """Return the lines of suites and solutions that no message may quote."""
    texts = [file.read_text(encoding="utf-8") for file in curriculum.SUITES.glob("*.py")]
    texts += [each.source.partition(BEGIN)[2] for chapter in CHAPTERS for each in read_chapter(chapter).exercises]
    lines = {line.strip() for text in texts for line in text.splitlines()}
    return [line for line in lines if len(line) > 25 and re.search(r"[=(]", line) and not line.endswith((".", '"""'))]


def test_no_message_leaks_anything(run):
    hidden = list_hidden_lines()
    assert len(hidden) > 300
    leaks = [str(curriculum.ROOT / "autograder"), str(run.folder / "secret"), str(run.folder / "temporary"), CANARY]
    leaks += ["Traceback", "/proc/", "worker/", "runner.py", SECRET.decode(), "site-packages", *hidden]
    for name, message in messages(run):
        found = [leak for leak in leaks if leak in message]
        assert not found or name == "confusing/foreign_place", (name, found, message)


def test_every_message_is_fit_to_be_read(run):
    for name, message in messages(run):
        assert len(message) < 3500, name
        assert all(sign.isprintable() or sign == "\n" for sign in message), (name, ascii(message))


def test_browsers_show_every_message_as_text(run):
    for name, message in messages(run):
        found = [TestVerdict("some", "wrong", 0, 8, message, message)]
        page = BeautifulSoup(to_card(ExerciseVerdict("one_query", "softmax", found, printed=message)), "html.parser")
        tags = page.find_all(True)
        assert {tag.name for tag in tags} <= {"section", "style", "p", "span", "strong", "code", "pre"}, name
        assert {attribute for tag in tags for attribute in tag.attrs} <= {"class", "style"}, name
        assert page.get_text().replace("`", "").count(message.replace("`", "")) >= 2, name


def test_nothing_outside_was_harmed(run):
    assert run.victim is None, "an answer ended a process outside"
    assert os.environ.get("ATTN_HOSTILE") is None


def test_no_file_is_left(run):
    assert not list((run.folder / "temporary").iterdir())
    given = [file for file in sandbox.GIVEN.rglob("*")]
    roots = ["/", "/tmp", "/var/tmp", "/dev/shm", Path.home(), Path.cwd(), curriculum.ROOT]
    roots += [curriculum.ROOT / name for name in ("autograder", "exercises", "solutions")]
    here = [file for root in (*roots, *sandbox.find_package_folders()) for file in Path(root).iterdir()]
    assert not [file for file in (*given, *here) if MARK in file.name]


def test_nothing_is_left_running(run):
    deadline = time.monotonic() + 20  # Killed processes take a moment to end, also those of tests on other cores.
    while (left := list(list_left_running())) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left


def list_left_running():
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command, name = (folder / "cmdline").read_bytes(), (folder / "comm").read_text()
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:  # The process has ended.
            continue
        if MARK in name or (str(sandbox.WORKER).encode() in command and parent in ("1", str(os.getpid()))):
            yield folder.name, name


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_an_installed_kit_hides_its_files_from_attacks(installed, chapter, tmp_path):
    content = installed.library / "autograder" / "content"
    assert (content / "solutions" / f"{chapter}.py").exists()
    names = {"ROOT": str(installed.library), "SECRET": str(tmp_path / "secret")}
    names |= {"SOLVED": str(content / "solutions"), "HANDED": str(content / "exercises")}
    names |= {"PID": str(os.getppid()), "PORT": "9"}
    attacks = {attack.name.replace("/", "-"): attack for attack in ATTACKS["reading"] if attack.chapter == chapter}
    for name, attack in attacks.items():
        (tmp_path / f"{name}.py").write_text(attack.source(names), encoding="utf-8")
    (tmp_path / "secret").write_bytes(SECRET)
    files = [f"{name}.py" for name in attacks]
    done = installed.run("grade", *files, "--chapter", chapter, "--jobs", "1", cwd=tmp_path)
    assert done.returncode == 1, done.stdout
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(lines) == len(attacks) >= 1
    for line in lines:
        attack = attacks[Path(line["answer"]).stem]
        assert "BREACH" not in str(line), attack.name
        assert not list(find_undeserved(attack, line))
