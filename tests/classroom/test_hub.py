"""A hub whose exchange is not a folder but Python classes, which the machine's configuration names, like ngshare's."""

import json
import sys

import pytest

from support.course import new, solved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore"), pytest.mark.needs("bubblewrap")]

# This module does the same as ngshare_exchange.configureExchange, with a file instead of a server.
EXCHANGE = """
import json
from pathlib import Path
from nbgrader.exchange import abc

STORE = Path(__file__).with_name("store.json")


class Exchange(abc.Exchange):
    def store(self, **new):
        kept = json.loads(STORE.read_text())
        STORE.write_text(json.dumps(kept | new))
        return kept

    def init_src(self): pass
    def init_dest(self): pass


class ReleaseAssignment(Exchange, abc.ExchangeReleaseAssignment):
    def copy_files(self):
        self.store(released=self.coursedir.assignment_id)


class Collect(Exchange, abc.ExchangeCollect):
    def copy_files(self):
        for student, files in self.store()["submissions"].items():
            place = Path(self.coursedir.format_path("submitted", student, self.coursedir.assignment_id))
            place.mkdir(parents=True, exist_ok=True)
            for name, text in files.items():
                (place / name).write_text(text)


class ReleaseFeedback(Exchange, abc.ExchangeReleaseFeedback):
    def copy_files(self):
        place = Path(self.coursedir.format_path("feedback", self.coursedir.student_id, self.coursedir.assignment_id))
        pages = sorted(path.name for path in place.glob("*.html"))
        self.store(**{self.coursedir.student_id: [(place / "timestamp.txt").read_text(), *pages]})


def configure(c):
    c.ExchangeFactory.exchange = Exchange
    c.ExchangeFactory.release_assignment = ReleaseAssignment
    c.ExchangeFactory.collect = Collect
    c.ExchangeFactory.release_feedback = ReleaseFeedback
"""
PLAN = """
[assignments.first]
chapters = ["one_query"]
exercises = ["softmax"]
"""
WHEN = "2027-02-01 10:00:00 UTC"


def test_out_and_back_through_a_hub(tmp_path, monkeypatch):
    hub = tmp_path / "hub"
    hub.mkdir()
    (hub / "hub_exchange.py").write_text(EXCHANGE)
    (hub / "nbgrader_config.py").write_text("import hub_exchange\nhub_exchange.configure(get_config())\n")
    monkeypatch.syspath_prepend(hub)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(hub))
    course = new(tmp_path / "course", PLAN)
    notebook = solved(course.release("one_query", "first"))
    submissions = {"gus": {"one_query.ipynb": json.dumps(notebook), "timestamp.txt": WHEN}}
    (hub / "store.json").write_text(json.dumps({"submissions": submissions}))
    for words, said in (
        (["release"], "Released: first"),
        (["collect"], "first"),
        (["grade"], "first"),
        (["feedback"], "Put into the exchange: 1."),
    ):
        assert said in course.does(*words)
    kept = json.loads((hub / "store.json").read_text())
    assert kept["released"] == "first" and kept["gus"] == [WHEN, "one_query.html"]
    sys.modules.pop("hub_exchange")
