"""The served book answers only one browser, refuses other users, sites and host names, and sends only its files."""

import asyncio
import base64
import hashlib
import re
import socket
import stat
import time
from contextlib import ExitStack, suppress

import pytest
from tornado.httpclient import HTTPClientError

from autograder.serve import server, site
from autograder.serve.learner_session import LearnerSession
from autograder.serve.site import MAX_MESSAGE_BYTES, SiteAccess, listen
from autograder.study.folder import Folder
from support.served import BookVisitor, answers, serve_folder

SCRIPT = "document.title = 'ours'"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Return a folder of answers and one of a book of three pages, next to a file that belongs to neither."""
    parent = tmp_path_factory.mktemp("served")
    folder, pages = answers(parent), parent / "site"
    (pages / "solutions").mkdir(parents=True)
    for name in ("index", "one_query", "solutions/softmax"):
        (pages / f"{name}.html").write_text(f"<title>{name}</title><script>{SCRIPT}</script>")
    (parent / "outside.txt").write_text("not yours")
    return folder, pages


@pytest.fixture(scope="module")
def address(place):
    with serve_folder(*place) as address:
        yield address


@pytest.fixture
def learner(address):
    visitor = BookVisitor(address)
    assert visitor.come_in().code == 200
    return visitor


def test_the_first_visit_leads_to_the_pages(learner):
    page = learner.get(f"{learner.path}one_query.html")
    assert page.code == 200 and b"<title>one_query</title>" in page.body
    (hint,) = learner.talk("one_query", {"do": "hint", "sheet": "softmax"})
    assert hint["lines"][0].startswith("Hint 1 of")


def test_an_outdated_address_explains_how_to_continue(address):
    page = BookVisitor(address).get("/attn-of-yesterday/one_query.html")
    assert page.code == 403 and b"<pre>attn book</pre>" in page.body and b"in the tab that it opens" in page.body


def test_the_name_on_the_last_page_is_escaped(learner):
    page = learner.get(f"{learner.path}finish.html?name=Ada%3Cb%3E")
    assert page.code == 200 and b"What Ada&lt;b&gt; has built so far" in page.body
    assert b"What you have built so far" in learner.get(f"{learner.path}finish.html").body


def test_the_cookie_is_for_no_script_no_other_site_and_no_other_port(learner, address):
    cookie = BookVisitor(address).come_in().headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict", f"Path={learner.path}"} <= set(cookie.split("; "))
    assert len(re.search(r"attn-([\w-]+)", learner.path)[1]) >= 32


def test_another_user_of_the_machine_is_refused(learner, address):
    stranger = BookVisitor(address)
    stranger.path = learner.path
    ways = ["/", "/open/", "/open/x", "/index.html", f"{learner.path}index.html"]
    for way in ways:
        for cookie in ("", "attn=x", "attn=é"):
            reply = stranger.get(way, Cookie=cookie)
            assert reply.code == 403 and b"one_query<" not in reply.body, way
    with pytest.raises(HTTPClientError, match="403"):
        stranger.talk("one_query", {"do": "hint", "sheet": "softmax"})


def test_the_secret_address_is_only_in_a_private_file(place, tmp_path):
    path = place[0] / ".attn" / "book.html"
    server._write_first_page(Folder(place[0]), path, "http://127.0.0.1:1/open/secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and "/open/secret" in path.read_text()


def test_another_site_in_the_browser_is_refused(learner):
    port = int(learner.origin.rpartition(":")[2])
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"http://127.0.0.1:{port + 1}"},
        {"Origin": f"http://localhost:{port}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        assert learner.get(f"{learner.path}index.html", **headers).code == 403
        with pytest.raises(HTTPClientError, match="403"):
            learner.talk("one_query", {"do": "hint", "sheet": "softmax"}, **headers)
    reply = learner.get(f"{learner.path}index.html")
    assert "frame-ancestors 'none'" in reply.headers["Content-Security-Policy"]
    assert reply.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in reply.headers


def test_a_rebound_host_name_is_refused(learner):
    port = learner.origin.rpartition(":")[2]
    for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", f"localhost:{port}", ""):
        for path in (f"{learner.path}index.html", learner.address.removeprefix(learner.origin)):
            assert learner.get(path, Host=host).code in (400, 403)


def test_no_path_leaves_the_book(learner):
    above = ("../outside.txt", "%2e%2e/outside.txt", "..%2foutside.txt", "solutions/../../outside.txt", "/etc/passwd")
    for path in (*above, "solutions/", "solutions"):
        reply = learner.get(f"{learner.path}{path}")
        assert reply.code in (301, 400, 403, 404) and b"not yours" not in reply.body, path
    for method in ("POST", "PUT", "DELETE"):
        assert learner.get(f"{learner.path}index.html", method, body="").code in (403, 405)


def test_no_name_leaves_the_folder(learner, place):
    before = sorted(place[0].parent.rglob("*.py"))
    for sheet in ("../outside", "debug/../../outside", "debug/", "", "/etc/passwd", "one_query"):
        for do in ("save", "check"):
            (reply,) = learner.talk("one_query", {"do": do, "sheet": sheet, "base": "", "text": "x = 1"})
            assert "version" not in reply and reply["told"], sheet
    odd = [{"do": "__init__"}, {"do": "save"}, {"do": "predict", "of": "../x", "number": "0", "text": ""}, {}]
    for reply in learner.talk("one_query", *odd):
        assert reply["told"]
    assert sorted(place[0].parent.rglob("*.py")) == before


def test_pages_run_their_own_scripts_and_no_others(learner):
    policy = learner.get(f"{learner.path}one_query.html").headers["Content-Security-Policy"]
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in policy and "default-src 'none'" in policy


def test_too_large_requests_are_refused(learner):
    huge = {"do": "save", "sheet": "softmax", "base": "", "text": "x" * MAX_MESSAGE_BYTES}
    assert learner.talk("one_query", huge) == []
    with suppress(ConnectionError):
        assert learner.get(f"{learner.path}index.html", **{"X-Long": "x" * (1 << 16)}).code in (400, 431, 599)
    assert learner.get(f"{learner.path}index.html").code == 200


def send_text(visitor, text):
    """Open a connection, send a text, and return the connection."""
    connection = socket.create_connection(("127.0.0.1", int(visitor.origin.rpartition(":")[2])), timeout=30)
    connection.sendall(text.encode("latin-1"))
    return connection


@pytest.mark.parametrize(
    "header",
    [
        "Content-Encoding: on your terminal",
        "Content-Type: multipart/form-data",
        "Content-Type: multipart/form-data; boundary=\x9b31m",
    ],
)
def test_requests_of_others_print_nothing(address, header, caplog, capfd):
    kind = "" if "Type" in header else "Content-Type: application/x-www-form-urlencoded\r\n"
    request = f"POST / HTTP/1.1\r\nHost: x\r\n{kind}{header}\r\nContent-Length: 5\r\n\r\nhello"
    with send_text(BookVisitor(address), request) as it:
        assert it.recv(100).startswith(b"HTTP/1.1 400")
    assert not caplog.records and capfd.readouterr() == ("", "")


def test_an_internal_error_prints_one_line(learner, monkeypatch, caplog, capfd):
    monkeypatch.setattr(site, "write_ending", lambda folder, name: int("no number"))
    assert learner.get(f"{learner.path}finish.html").code == 500
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("An internal error, not caused by your answers: ValueError: ")
    assert not caplog.records


def test_an_address_with_a_null_byte_is_not_found(learner, capfd):
    assert learner.get(f"{learner.path}solutions/%00.html").code == 404 and capfd.readouterr() == ("", "")


def test_connections_that_ask_for_nothing_are_few_and_end(place, monkeypatch, caplog):
    """Another user can open thousands of connections, and each takes a descriptor that a check needs."""
    monkeypatch.setattr(site, "MAX_CONNECTIONS", 5)
    monkeypatch.setattr(site, "IDLE_SECONDS", 0.5)
    with serve_folder(*place) as address, ExitStack() as stack:
        learner = BookVisitor(address)
        learner.come_in()
        no_body = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"
        half = [stack.enter_context(send_text(learner, text)) for text in ("GET / HTTP/1.1\r\nHost: ", no_body) * 4]
        assert learner.get(f"{learner.path}index.html").code == 200, "there is room for who has the cookie"
        start = time.monotonic()
        for connection in half:
            with suppress(ConnectionError):
                assert connection.recv(1) == b""
        assert time.monotonic() - start < 20
        assert learner.get(f"{learner.path}index.html").code == 200
    assert not caplog.records


def test_an_unreadable_file_does_not_stop_the_server(tmp_path, place, capfd):
    folder = answers(tmp_path)
    (folder / "one_query.py").write_bytes("# é\n".encode("latin-1"))
    with serve_folder(folder, place[1]) as address:
        reply = BookVisitor(address).come_in()
    assert reply.code == 200 and b"/index.html" in reply.body
    assert "Traceback" not in capfd.readouterr().err


def test_the_server_listens_only_locally_and_takes_another_port_if_needed(place):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        door, port = SiteAccess(LearnerSession(Folder(place[0]), lambda: None)), taken.getsockname()[1]

        async def bound():
            server = listen(door, place[1], port)
            results = [each.getsockname() for each in server._sockets.values()]
            server.stop()
            return results

        assert asyncio.run(bound()) == [("127.0.0.1", door.port)]
    door.learner.checker.close(5)
    assert door.port != port and door.address.startswith(f"http://127.0.0.1:{door.port}/open/")
