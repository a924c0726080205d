"""`attn book --serve`: pages and progress for this computer, and for nobody who leads a browser here from elsewhere."""

import http.client
import json
import shutil
import threading
from http.server import ThreadingHTTPServer

import pytest

from autograder.book import build, serve
from autograder.chapters import curriculum
from autograder.chapters.errors import UnreadableAnswer

DONE = {"chapters": {"one_query": [2, 7]}, "exercises": ["attend", "softmax"]}


@pytest.fixture
def ask(tmp_path):
    """Ask a server; status and content."""
    site, done = tmp_path / "site", [DONE]
    (site / "pictures").mkdir(parents=True)
    (site / "index.html").write_text("the start")
    (tmp_path / "outside.txt").write_text("not yours")

    def progress():
        if not done:
            raise UnreadableAnswer("half written")
        return done[0]

    with serve.server(progress, site, port=0) as pages:
        threading.Thread(target=pages.serve_forever, daemon=True).start()

        def request(path, method="GET", **headers):
            connection = http.client.HTTPConnection(*pages.server_address, timeout=20)
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

        request.done, request.pages = done, pages
        yield request
        pages.shutdown()


def test_pages_and_progress(ask):
    assert ask("/index.html") == (200, "the start") == ask("/")
    status, text = ask("/progress.json")
    assert (status, json.loads(text)) == (200, DONE)
    assert ask("/progress.json", method="HEAD") == (200, "")
    ask.done.clear()
    assert ask("/progress.json")[0] == 503


def test_nothing_else(ask):
    assert ask.pages.server_address[0] == "127.0.0.1"
    assert ask("/pictures/")[0] == 404
    for path in ("/../outside.txt", "/%2e%2e/outside.txt", "/..%2foutside.txt", "//etc/passwd"):
        assert ask(path)[0] in (400, 404) and "not yours" not in ask(path)[1]
    assert ask("/progress.json", method="POST")[0] == 501


def test_a_site_whose_name_leads_here_gets_nothing(ask):
    port = ask.pages.server_address[1]
    for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", ""):
        assert ask("/progress.json", Host=host)[0] == 403
    assert ask("/progress.json", Host=f"localhost:{port}")[0] == 200


def test_a_port_that_is_taken_is_not_insisted_on(ask, tmp_path):
    taken = ask.pages.server_address[1]
    with serve.server(dict, tmp_path, port=taken) as other:
        assert other.server_address[1] != taken
        assert serve.address(other) == f"http://127.0.0.1:{other.server_address[1]}/index.html"


@pytest.mark.filterwarnings("ignore:.*click.utils:DeprecationWarning")  # typer's own import
def test_the_command_serves_what_is_done_in_the_learners_folder(tmp_path, monkeypatch, capsys):
    from autograder.cli.learner import book  # noqa: PLC0415

    site, answers, told = tmp_path / "site", tmp_path / "exercises", []
    site.mkdir()
    shutil.copytree(curriculum.EXERCISES, answers, ignore=shutil.ignore_patterns("given", ".attn"))
    monkeypatch.setattr(build, "build", lambda folder: site / "index.html")

    def once(pages):
        told.append(http.client.HTTPConnection(*pages.server_address, timeout=20))
        told[0].request("GET", "/progress.json")
        pages.handle_request()
        raise KeyboardInterrupt

    monkeypatch.setattr(ThreadingHTTPServer, "serve_forever", once)
    book(site, open_it=False, serve_it=True, answers=answers)
    said = capsys.readouterr().out
    assert "The book is at http://127.0.0.1:" in said and "Ctrl-C ends it." in said
    progress = json.loads(told[0].getresponse().read())
    assert progress["exercises"] == [] and progress["chapters"]["one_query"] == [0, 7]
