"""The web site of the served book for one browser on this computer, with its access control.

docs/security.md lists its promises. All pages are below a path that nobody can guess. The cookie is restricted to that
path: browsers do not separate cookies by port, so other local servers would otherwise receive it.
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
from autograder.serve.learner_session import LearnerSession
from autograder.study.finish import write_ending

HOST, PORT = "127.0.0.1", 8642
COOKIE = "attn"
# A message may contain a cell and its previous text, in JSON.
MAX_BODY_BYTES, MAX_MESSAGE_BYTES = 1 << 10, 12 * MAX_TEXT + (1 << 10)
# A browser opens up to six connections, and another one for each open page.
MAX_CONNECTIONS, IDLE_SECONDS = 100, 20
_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_POLICY = (
    "default-src 'none'; script-src 'self'{}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def _make_secret() -> str:
    return secrets.token_urlsafe(24)


@dataclass
class SiteAccess:
    """The secrets that control access to the site, and the open pages."""

    learner: LearnerSession
    port: int = 0
    token: str = field(default_factory=_make_secret)  # part of the address of the first visit
    session: str = field(default_factory=_make_secret)  # value of the cookie
    path: str = field(default_factory=lambda: f"/attn-{_make_secret()}/")
    # A word by which a page notices that a later server uses the same port.
    word: str = field(default_factory=_make_secret)
    pages: set["_PageSocket"] = field(default_factory=set)
    # The connections that have sent the cookie.
    known: "weakref.WeakSet[IOStream]" = field(default_factory=weakref.WeakSet)

    @property
    def origin(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def address(self) -> str:
        return f"{self.origin}/open/{self.token}"

    def notify_pages(self) -> None:
        for page in self.pages:
            page.news.set()


class _GuardedHandler(web.RequestHandler):
    """A handler that refuses all clients except the browser that made the first visit."""

    @property
    def access(self) -> SiteAccess:
        return self.settings["access"]

    def prepare(self) -> None:
        origin, headers = self.access.origin, self.request.headers
        if not (
            self.request.host == f"{HOST}:{self.access.port}"  # against DNS rebinding
            and headers.get("Origin", origin) == origin
            and headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
            and hmac.compare_digest(self.get_cookie(COOKIE, "").encode(), self.access.session.encode())
        ):
            raise web.HTTPError(403)
        if stream := getattr(self.request.connection, "stream", None):
            self.access.known.add(stream)

    def set_default_headers(self) -> None:
        self.set_header("Content-Security-Policy", _POLICY.format(""))
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        self.set_header("Cache-Control", "no-cache")  # because the book may be rebuilt
        self.clear_header("Server")

    def log_exception(self, typ: object, value: BaseException | None, tb: object) -> None:
        """Print internal errors in one line. Refused requests are not printed, because anybody can send some."""
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


class _FirstVisit(_GuardedHandler):
    """The handler of the first visit. It sets the cookie. Its page then makes a same-site request with the cookie."""

    def prepare(self) -> None:
        if self.request.host != f"{HOST}:{self.access.port}":
            raise web.HTTPError(403)

    async def get(self, token: str) -> None:  # pyrefly: ignore[bad-override-mutable-attribute]  (a variable in Tornado)
        if not hmac.compare_digest(token.encode(), self.access.token.encode()):
            raise web.HTTPError(403)
        self.set_cookie(COOKIE, self.access.session, path=self.access.path, httponly=True, samesite="Strict")
        at = await asyncio.to_thread(self.access.learner.find_current_page)
        self.finish(
            f'<!doctype html><meta http-equiv="refresh" content="0;url={self.access.path}{at}"><title>…</title>'
        )


class _BookFiles(_GuardedHandler, web.StaticFileHandler):
    """The handler of the book's pages. Their inline scripts are allowed by hash."""

    def parse_url_path(self, url_path: str) -> str:
        if "\0" in url_path:
            raise web.HTTPError(404)
        return super().parse_url_path(url_path)

    def set_extra_headers(self, path: str) -> None:
        if path.endswith(".html"):
            file = Path(self.absolute_path or "")
            self.set_header("Content-Security-Policy", _POLICY.format(_allow_scripts(file, file.stat().st_mtime_ns)))


class _FinishPage(_GuardedHandler):
    async def get(self) -> None:  # pyrefly: ignore[bad-override-mutable-attribute]  (a variable in Tornado)
        path = await asyncio.to_thread(write_ending, self.access.learner.folder, self.get_query_argument("name", ""))
        self.finish(path.read_bytes() + b'<p><a href="index.html">Back to the book</a></p>')


@functools.lru_cache(maxsize=256)
def _allow_scripts(page: Path, _modified_ns: int) -> str:
    """Return the part of a content security policy that allows the inline scripts of a page."""
    scripts = dict.fromkeys(hashlib.sha256(text).digest() for text in _INLINE_SCRIPT.findall(page.read_bytes()))
    return "".join(f" 'sha256-{base64.b64encode(digest).decode()}'" for digest in scripts)


class _PageSocket(_GuardedHandler, WebSocketHandler):
    """The WebSocket of an open page, which receives the data of its chapter and sends requests."""

    def check_origin(self, origin: str) -> bool:
        return origin == self.access.origin

    def open(self, chapter: str) -> None:  # pyrefly: ignore[bad-override-mutable-attribute]  (a variable in Tornado)
        self.chapter, self.news = chapter, asyncio.Event()
        self.access.pages.add(self)
        self.tasks = {asyncio.create_task(self._send_changes())}
        self.access.learner.warm(chapter)

    async def _send_changes(self) -> None:
        """Send the page's data, and again after each change, until the page is closed."""
        last = ""
        while True:
            self.news.clear()
            page = await asyncio.to_thread(self.access.learner.describe_page, self.chapter)
            if (text := json.dumps({"page": page, "word": self.access.word})) != last:
                with contextlib.suppress(WebSocketClosedError):
                    await self.write_message(text)
                last = text
            await self.news.wait()

    def on_message(self, message: str | bytes) -> None:
        # Run a task, so that a page can stop a check while it waits for a reply.
        task = asyncio.create_task(self._reply_to(message))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _reply_to(self, message: str | bytes) -> None:
        try:
            request = json.loads(message)
            number, texts = request["id"], {str(key): value for key, value in request.items()}
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            return self.close()
        reply = await asyncio.to_thread(self.access.learner.handle_request, texts)
        with contextlib.suppress(WebSocketClosedError):
            await self.write_message(json.dumps({"id": number, **reply}))

    def on_close(self) -> None:
        self.access.pages.discard(self)
        for task in self.tasks:
            task.cancel()


class _Server(HTTPServer):
    """A server with a connection limit. At the limit, it closes a connection that has not sent the cookie."""

    access: SiteAccess

    def handle_stream(self, stream: IOStream, address: tuple) -> None:
        if len(self._connections) >= MAX_CONNECTIONS:
            strangers = (each.stream for each in self._connections if each.stream not in self.access.known)
            closed = next(strangers, stream)
            closed.close()
            if closed is stream:
                return
        super().handle_stream(stream, address)


def _log_nothing(handler: web.RequestHandler) -> None:
    """Log nothing: requests of pages must not fill the learner's terminal."""


def listen(access: SiteAccess, site: Path, port: int = PORT) -> HTTPServer:
    """Return a server that listens on a port, or on any free port if that one is in use."""
    try:
        listener = socket.create_server((HOST, port))
    except OSError:
        listener = socket.create_server((HOST, 0))
    listener.setblocking(False)
    access.port = listener.getsockname()[1]
    path = re.escape(access.path)
    routes = [
        (r"/open/([\w-]+)", _FirstVisit),
        (rf"{path}live/(\w*)", _PageSocket),
        (rf"{path}finish\.html", _FinishPage),
        (rf"{path}(.+)", _BookFiles, {"path": str(site.resolve())}),
    ]
    app = web.Application(
        routes,
        default_handler_class=_GuardedHandler,
        access=access,
        log_function=_log_nothing,
        websocket_max_message_size=MAX_MESSAGE_BYTES,
        websocket_ping_interval=20,
    )
    limits = {"max_body_size": MAX_BODY_BYTES, "max_header_size": 1 << 14, "idle_connection_timeout": IDLE_SECONDS}
    server = _Server(app, body_timeout=IDLE_SECONDS, **limits)
    server.access = access
    server.add_socket(listener)
    return server
