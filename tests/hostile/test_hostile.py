"""Answers that attack: all graded in one run, as `attn grade` does it, with honest answers in between.

Each file in a folder beside this one is an attack; what a line or two show stands in `tests/boundary/test_boundary.py`.
Comments at its top say what it tries and what must come of it:

    # expect: softmax wrong 0      exercise ("all" for each), outcome, points
    # says: returned 0             words that the exercise's message must hold
    # chapter: qkv                 one_query where nothing is said
    # harms: ...                   where it cannot help harming its own answer's other exercises, and why

It is appended to `preamble.py` and to an honest answer, so that every other exercise must keep its points. ROOT,
SECRET, PID and PORT stand for the kit's folder, the secret's file, a process and a server that must not be reached. An
attack that got through calls `breach`, whose word must appear in no message.
"""

import html.parser
import json
import os
import re
import socket
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from autograder.boundary import sandbox
from autograder.boundary import session as session_module
from autograder.boundary import zygotes as process
from autograder.chapters import curriculum
from autograder.chapters.chapter import BEGIN, read_chapter
from autograder.grading.executors import local
from autograder.grading.many import Settings, grade_answers
from autograder.judging.ask import answer as answer_module
from autograder.judging.verdict.verdict import ExerciseVerdict, TestVerdict
from autograder.views.card import card

HERE = Path(__file__).parent
ANSWERS = HERE.parent / "answers"
CANARY = "HOSTILE_CANARY"
MARK = "attn_hostile"  # in the name of every file and process that an attack makes
SECRET = b"canary of the secret"
OWN_ATTEND = "self.attend = _attend"
EXPECTATION = re.compile(r"^# (expect|says|chapter|harms): (.+)$", re.MULTILINE)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("bubblewrap"),  # without it these would do what they try
]


class Attack:
    """One file and what must come of it."""

    def __init__(self, path):
        self.name = path.relative_to(HERE).with_suffix("").as_posix()
        self.text = path.read_text(encoding="utf-8")
        header = dict(EXPECTATION.findall(self.text))
        self.exercise, self.outcome, points = header["expect"].split()
        self.points, self.says = int(points), header.get("says", "")
        self.chapter = header.get("chapter", "one_query")
        self.is_alone = "harms" not in header and self.exercise != "all"

    def source(self, names):
        """The whole answer."""
        text = self.text
        for name, value in names.items():
            text = text.replace(name, value)
        return f"{(HERE / 'preamble.py').read_text(encoding='utf-8')}\n\n{honest(self.chapter)}\n\n# %%\n{text}"


def honest(chapter):
    """An honest answer whose functions stand on their own feet: what harms one harms no other."""
    name, exercise, calls = {
        "one_query": ("products", "softmax", {"weights = softmax(": "weights = _own("}),
        "qkv": ("bmm", "project_qkv", {"*project_qkv(": "*_own(", "self.attend = DotProductAttention()": OWN_ATTEND}),
    }[chapter]
    text = (ANSWERS / chapter / f"{name}.py").read_text(encoding="utf-8")
    for call, own in {**calls, f"\ndef {exercise}(": "\ndef _own("}.items():
        assert text.count(call) == 1
        text = text.replace(call, own)
    return f"{text}\n\n{exercise} = _own\n"


ATTACKS = {attack.name: attack for attack in map(Attack, sorted(HERE.glob("*/*.py")))}
CHAPTERS = sorted({attack.chapter for attack in ATTACKS.values()})


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What came of the run: the lines of the record by the name of the answer, and what the outside saw."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "secret").write_bytes(SECRET)
    (folder / "temporary").mkdir()
    process.close_zygotes()
    victim = subprocess.Popen(["sleep", "600"], start_new_session=True)
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as server:
        patch.setenv(CANARY, CANARY)
        patch.setattr(tempfile, "tempdir", str(folder / "temporary"))
        patch.setattr(answer_module, "CALL_SECONDS", 0.6)
        patch.setattr(session_module, "PLAY_SECONDS", 0.6)
        patch.setattr(session_module, "LOAD_SECONDS", 2.5)
        names = {"ROOT": str(curriculum.ROOT), "SECRET": str(folder / "secret")}
        names |= {"SOLVED": str(curriculum.SOLUTIONS), "HANDED": str(curriculum.EXERCISES)}
        names |= {"PID": str(victim.pid), "PORT": str(server.getsockname()[1])}
        names |= {"DEEP_SUM": " + ".join(["0"] * 2000)}
        names |= {"LONG_CHAIN": "if False:\n    pass\n" + "elif softmax is None:\n    pass\n" * 900}
        lines = {}
        for chapter in CHAPTERS:
            lines |= grade(chapter, folder, names)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
        process.close_zygotes()
    ended = victim.poll()
    victim.kill()
    victim.wait()
    return SimpleNamespace(lines=lines, folder=folder, victim=ended)


def grade(chapter, folder, names):
    """The lines of the record by the name of the answer, for all attacks on a chapter and honest answers between."""
    sources = {}
    for number, (name, attack) in enumerate(ATTACKS.items()):
        if attack.chapter == chapter:
            sources[name] = attack.source(names)
            if number % 8 == 0:
                sources[f"honest/{chapter}{number}"] = honest(chapter)
    sources[f"honest/{chapter}"] = honest(chapter)
    files = [folder / f"{name.replace('/', '-')}.py" for name in sources]
    for file, source in zip(files, sources.values(), strict=True):
        file.write_text(source, encoding="utf-8")
    record = folder / f"{chapter}.jsonl"
    outcome = grade_answers(files, chapter, record, Settings(SECRET, partial(local, 1), Console(quiet=True)))
    assert not outcome.unreadable
    lines = {json.loads(line)["answer"]: json.loads(line) for line in record.read_text().splitlines()}
    return {name: lines[str(file)] for name, file in zip(sources, files, strict=True)}


def verdicts(run, name):
    """Exercise -> its object in the record."""
    return {each["exercise"]: each for each in run.lines[name]["exercises"]}


def messages(run):
    """Every message of the run, once, with the name of the answer."""
    return {
        (name, each["message"])
        for name, line in run.lines.items()
        for exercise in line["exercises"]
        for each in (exercise, *exercise["tests"])
    }


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gets_what_it_deserves_and_harms_no_other(run, name):
    attack, found = ATTACKS[name], verdicts(run, name)
    attacked = found.values() if attack.exercise == "all" else [found[attack.exercise]]
    for verdict in attacked:
        assert (verdict["outcome"], verdict["points"]) == (attack.outcome, attack.points), verdict["message"]
        assert attack.says in verdict["message"]
        assert bool(verdict["message"]) == (attack.outcome != "passed")
    if attack.is_alone:
        others = {exercise: verdict["outcome"] for exercise, verdict in found.items() if exercise != attack.exercise}
        assert set(others.values()) == {"passed"}, others


def test_honest_answers_in_between_keep_all_points(run):
    honest = {name: line for name, line in run.lines.items() if name.startswith("honest")}
    assert len(honest) > 10
    for name, line in honest.items():
        assert line["points"] == line["max_points"] > 0, name


def test_there_are_enough_attacks():
    folders = [name.partition("/")[0] for name in ATTACKS]
    assert len(ATTACKS) >= 60
    assert {folder: folders.count(folder) >= 10 for folder in set(folders)} == dict.fromkeys(
        ["reading", "forging", "exhausting", "escaping", "confusing"], True
    )


def test_nothing_is_a_fault_of_ours_and_nothing_got_through(run):
    outcomes = [test["outcome"] for line in run.lines.values() for each in line["exercises"] for test in each["tests"]]
    assert "fault" not in outcomes
    assert {line["sandbox"] for line in run.lines.values()} == {"bubblewrap"}
    assert not [(name, message) for name, message in messages(run) if "BREACH" in message]


def hidden_lines():
    """Code of suites, misconceptions and solutions that no message may quote."""
    folders = (curriculum.SUITES, curriculum.MISCONCEPTIONS)
    texts = [file.read_text(encoding="utf-8") for folder in folders for file in folder.glob("*.py")]
    texts += [each.source.partition(BEGIN)[2] for chapter in CHAPTERS for each in read_chapter(chapter).exercises]
    lines = {line.strip() for text in texts for line in text.splitlines()}
    return [line for line in lines if len(line) > 25 and re.search(r"[=(]", line) and not line.endswith((".", '"""'))]


def test_no_message_leaks_anything(run):
    hidden = hidden_lines()
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


class Reader(html.parser.HTMLParser):
    """Reads what a browser would: the tags, and the text between them."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = set(), ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add((tag, *(name for name, _ in attributes)))

    def handle_data(self, data):
        self.text += data


def test_browsers_show_every_message_as_text(run):
    for name, message in messages(run):
        found = [TestVerdict("some", "wrong", 0, 8, message, message)]
        reader = Reader(card(ExerciseVerdict("one_query", "softmax", found, printed=message)))
        assert {tag for tag, *_ in reader.tags} <= {"section", "style", "p", "strong", "code", "pre"}, name
        assert {attribute for _, *attributes in reader.tags for attribute in attributes} <= {"class", "style"}, name
        assert reader.text.replace("`", "").count(message.replace("`", "")) >= 2, name


def test_nothing_outside_was_harmed(run):
    assert run.victim is None, "an answer ended a process outside"
    assert os.environ.get("ATTN_HOSTILE") is None


def test_no_file_is_left(run):
    assert not list((run.folder / "temporary").iterdir())
    given = [file for file in sandbox.GIVEN.rglob("*")]
    roots = [
        curriculum.ROOT,
        "/",
        "/tmp",
        "/var/tmp",
        "/dev/shm",
        Path.home(),
        Path.cwd(),
        *map(Path, sandbox.packages()),
    ]
    roots += [curriculum.ROOT / name for name in ("autograder", "exercises", "solutions")]
    here = [file for root in roots for file in Path(root).iterdir()]
    assert not [file for file in (*given, *here) if MARK in file.name]


def test_nothing_is_left_running(run):
    assert MARK in Path(HERE / "escaping" / "daemon.py").read_text(encoding="utf-8")
    left = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command, name = (folder / "cmdline").read_bytes(), (folder / "comm").read_text()
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:  # it has ended meanwhile
            continue
        if MARK in name or (str(sandbox.WORKER).encode() in command and parent in ("1", str(os.getpid()))):
            left.append((folder.name, name))
    assert not left


READERS = [attack for name, attack in ATTACKS.items() if name.startswith("reading/")]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_an_installed_kit_shows_no_more(installed, chapter, tmp_path):
    """Beside the libraries, which every answer may read, lies all that none may."""
    content = installed.library / "autograder" / "content"
    assert (content / "solutions" / f"{chapter}.py").exists()
    names = {"ROOT": str(installed.library), "SECRET": str(tmp_path / "secret")}
    names |= {"SOLVED": str(content / "solutions"), "HANDED": str(content / "exercises")}
    names |= {"PID": str(os.getppid()), "PORT": "9"}
    attacks = {attack.name.replace("/", "-"): attack for attack in READERS if attack.chapter == chapter}
    for name, attack in attacks.items():
        (tmp_path / f"{name}.py").write_text(attack.source(names), encoding="utf-8")
    (tmp_path / "secret").write_bytes(SECRET)
    files = [f"{name}.py" for name in attacks]
    done = installed.run("grade", *files, "--chapter", chapter, "--record", "r.jsonl", "--jobs", "1", cwd=tmp_path)
    assert done.returncode == 1, done.stdout
    lines = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == len(attacks) >= 1
    for line in lines:
        attack = attacks[Path(line["answer"]).stem]
        verdict = next(each for each in line["exercises"] if each["exercise"] == attack.exercise)
        assert "BREACH" not in verdict["message"], (attack.name, verdict["message"])
        assert (verdict["outcome"], verdict["points"]) == (attack.outcome, attack.points), verdict["message"]
        assert attack.says in verdict["message"]
