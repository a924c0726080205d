"""The site for one browser of this computer: who may ask, and what he gets.

docs/security.md says what is promised. All of it lies below a path that nobody can guess, and the cookie is good for
that path only: cookies do not tell ports apart, so that one for all paths would go to whatever else is served here.
"""

import asyncio
import base64
import contextlib
import functools
import hashlib
import hmac
import json
import re
import secrets
import socket
import sys
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tornado import web
from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from autograder.api import MAX_TEXT
from autograder.chapters.errors import OURS, sentence_of
from autograder.chapters.text import clean
from autograder.serve.seat import Seat
from autograder.study.finish import write_ending

HOST, PORT = "127.0.0.1", 8642  # other computers cannot reach it
COOKIE = "attn"
MAX_BODY_BYTES, MAX_MESSAGE_BYTES = 1 << 10, 12 * MAX_TEXT + (1 << 10)  # a cell and what it was before, in JSON
MAX_CONNECTIONS, IDLE_SECONDS = 100, 20  # a browser opens six at a time; pages that are open are not among them
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_POLICY = (
    "default-src 'none'; script-src 'self'{}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def _secret() -> str:
    return secrets.token_urlsafe(24)


@dataclass
class Door:
    """What a browser has to know, and what it is shown first."""

    seat: Seat
    port: int = 0
    token: str = field(default_factory=_secret)  # in the address of the first visit
    session: str = field(default_factory=_secret)  # in the cookie that it brings
    path: str = field(default_factory=lambda: f"/attn-{_secret()}/")
    word: str = field(default_factory=_secret)  # by which an open page knows this server from the next one at its port
    pages: set["_Live"] = field(default_factory=set)  # that are open
    known: "weakref.WeakSet[IOStream]" = field(default_factory=weakref.WeakSet)  # connections that showed the cookie

    @property
    def origin(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def address(self) -> str:
        return f"{self.origin}/open/{self.token}"

    def tell_pages(self) -> None:
        """Something has changed: each page that is open is told what is new to it."""
        for page in self.pages:
            page.news.set()


class _Guarded(web.RequestHandler):
    """Says no to whoever is not the browser that was opened, before anything is looked at."""

    @property
    def door(self) -> Door:
        return self.settings["door"]

    def prepare(self) -> None:
        origin, headers = self.door.origin, self.request.headers
        if not (
            self.request.host == f"{HOST}:{self.door.port}"  # another name leads here where somebody has it rebound
            and headers.get("Origin", origin) == origin
            and headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
            and hmac.compare_digest(self.get_cookie(COOKIE, "").encode(), self.door.session.encode())
        ):
            raise web.HTTPError(403)
        if stream := getattr(self.request.connection, "stream", None):
            self.door.known.add(stream)

    def set_default_headers(self) -> None:
        self.set_header("Content-Security-Policy", _POLICY.format(""))
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        self.set_header("Cache-Control", "no-cache")  # the book may be built anew
        self.clear_header("Server")

    def log_exception(self, typ: object, value: BaseException | None, tb: object) -> None:
        """A fault of ours is a line. What others ask for is no news: they would write to this terminal."""
        if value and not isinstance(value, web.HTTPError):
            print(clean(f"{OURS}{sentence_of(value)}"), file=sys.stderr)

    def write_error(self, status_code: int, **_: Any) -> None:
        self.finish(
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Attention, exercised</title>'
            '<meta name="viewport" content="width=device-width"><style>body{font:18px/1.6 system-ui,sans-serif;'
            "max-width:36em;margin:3em auto;padding:0 1em}:root{color-scheme:light dark}pre{font-size:1.2em}</style>"
            f"<h1>This page is not open here</h1><p>The book's server gives each start a new address ({status_code})."
            " In the folder where you started the book, type:</p><pre>attn book</pre><p>Then continue in the tab that"
            " it opens. What you typed is in your files, or in this browser until it is.</p>"
        )


class _Open(_Guarded):
    """The first visit, which brings the cookie and goes on by itself: what others lead to is asked for without it."""

    def prepare(self) -> None:
        if self.request.host != f"{HOST}:{self.door.port}":
            raise web.HTTPError(403)

    async def get(self, token: str) -> None:  # pyrefly: ignore[bad-override-mutable-attribute]  (Tornado's way)
        if not hmac.compare_digest(token.encode(), self.door.token.encode()):
            raise web.HTTPError(403)
        self.set_cookie(COOKIE, self.door.session, path=self.door.path, httponly=True, samesite="Strict")
        at = await asyncio.to_thread(self.door.seat.here)
        self.finish(f'<!doctype html><meta http-equiv="refresh" content="0;url={self.door.path}{at}"><title>…</title>')


class _Files(_Guarded, web.StaticFileHandler):
    """The pages of the book; of their scripts those that stand in them are named by their digests."""

    def set_extra_headers(self, path: str) -> None:
        if path.endswith(".html"):
            file = Path(self.absolute_path or "")
            self.set_header("Content-Security-Policy", _POLICY.format(_digests(file, file.stat().st_mtime_ns)))


class _Finish(_Guarded):
    async def get(self) -> None:  # pyrefly: ignore[bad-override-mutable-attribute]  (Tornado's way)
        path, _ = await asyncio.to_thread(write_ending, self.door.seat.folder, self.get_query_argument("name", ""))
        self.finish(path.read_bytes() + b'<p><a href="index.html">Back to the book</a></p>')


@functools.lru_cache(maxsize=256)
def _digests(page: Path, _: int) -> str:
    scripts = dict.fromkeys(hashlib.sha256(text).digest() for text in _INLINE.findall(page.read_bytes()))
    return "".join(f" 'sha256-{base64.b64encode(digest).decode()}'" for digest in scripts)


class _Live(_Guarded, WebSocketHandler):
    """A page that is open: it is told what its chapter's files hold, and asks for what its learner wants."""

    def check_origin(self, origin: str) -> bool:
        return origin == self.door.origin

    def open(self, chapter: str) -> None:  # pyrefly: ignore[bad-override-mutable-attribute]  (Tornado's way)
        self.chapter, self.news = chapter, asyncio.Event()
        self.door.pages.add(self)
        self.tasks = {asyncio.create_task(self._tell())}
        self.door.seat.warm(chapter)

    async def _tell(self) -> None:
        last = ""
        while True:
            self.news.clear()
            page = await asyncio.to_thread(self.door.seat.page, self.chapter)
            if (text := json.dumps({"page": page, "word": self.door.word})) != last:
                with contextlib.suppress(WebSocketClosedError):
                    await self.write_message(text)
                last = text
            await self.news.wait()

    def on_message(self, message: str | bytes) -> None:
        task = asyncio.create_task(self._answer(message))  # a page that waits for a reply can still stop a check
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _answer(self, message: str | bytes) -> None:
        try:
            request = json.loads(message)
            number, what = request["id"], {str(key): value for key, value in request.items()}
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            return self.close()  # no page of ours
        reply = await asyncio.to_thread(self.door.seat.do, what)
        with contextlib.suppress(WebSocketClosedError):
            await self.write_message(json.dumps({"id": number, **reply}))

    def on_close(self) -> None:
        self.door.pages.discard(self)
        for task in self.tasks:
            task.cancel()


class _Server(HTTPServer):
    """Takes so many connections and no more. Where there is no room, one that has not shown the cookie has to go."""

    door: Door

    def handle_stream(self, stream: IOStream, address: tuple) -> None:
        if len(self._connections) >= MAX_CONNECTIONS:
            strangers = (each.stream for each in self._connections if each.stream not in self.door.known)
            leaving = next(strangers, stream)
            leaving.close()
            if leaving is stream:
                return
        super().handle_stream(stream, address)


def _log_nothing(handler: web.RequestHandler) -> None:
    """Say nothing of requests: the terminal is the learner's."""


def listen(door: Door, site: Path, port: int = PORT) -> HTTPServer:
    """A server that listens from now on; where the port is taken, at another one."""
    try:
        listener = socket.create_server((HOST, port))
    except OSError:
        listener = socket.create_server((HOST, 0))
    listener.setblocking(False)
    door.port = listener.getsockname()[1]
    inside = re.escape(door.path)
    routes = [
        (r"/open/([\w-]+)", _Open),
        (rf"{inside}live/(\w*)", _Live),
        (rf"{inside}finish\.html", _Finish),
        (rf"{inside}(.+)", _Files, {"path": str(site.resolve())}),
    ]
    app = web.Application(
        routes,
        default_handler_class=_Guarded,
        door=door,
        log_function=_log_nothing,
        websocket_max_message_size=MAX_MESSAGE_BYTES,
        websocket_ping_interval=20,
    )
    limits = {"max_body_size": MAX_BODY_BYTES, "max_header_size": 1 << 14, "idle_connection_timeout": IDLE_SECONDS}
    server = _Server(app, body_timeout=IDLE_SECONDS, **limits)
    server.door = door
    server.add_socket(listener)
    return server
