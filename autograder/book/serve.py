"""Serves the book to the browser of this computer, with what is done: `attn book --serve`."""

import io
import json
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from autograder.chapters.errors import InputError

HOST, PORT = "127.0.0.1", 8642  # nobody else's computer can ask here


def server(progress, site, port=PORT):
    """A server for the book, which listens from now on.

    Parameters
    ----------
    progress : callable
        What is done: ``{"chapters": {name: [done, all]}, "exercises": [name, ...]}``.
    site : pathlib.Path
    port : int
        Where that one is taken, another one.
    """
    handler = partial(_Pages, progress, directory=str(site))
    try:
        return ThreadingHTTPServer((HOST, port), handler)
    except OSError:
        return ThreadingHTTPServer((HOST, 0), handler)


def address(of):
    """Where a server is to be reached."""
    return f"http://{HOST}:{of.server_address[1]}/index.html"


class _Pages(SimpleHTTPRequestHandler):
    def __init__(self, progress, *arguments, **options):
        self.progress = progress
        super().__init__(*arguments, **options)

    def send_head(self):
        """The files of the book and the progress, and nothing to a page of another site that was led here."""
        if self.headers.get("Host", "").rpartition(":")[0] not in (HOST, "localhost"):
            return self.send_error(HTTPStatus.FORBIDDEN)
        if self.path == "/progress.json":
            return self._send_progress()
        return super().send_head()

    def list_directory(self, path):
        """Folders have no page."""
        return self.send_error(HTTPStatus.NOT_FOUND)

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")  # the book may be built anew
        super().end_headers()

    def log_message(self, *_):
        """Say nothing of each page."""

    def _send_progress(self):
        try:
            text = json.dumps(self.progress()).encode()
        except InputError:  # a file that is just being written; the next page asks again
            return self.send_error(HTTPStatus.SERVICE_UNAVAILABLE)
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        return io.BytesIO(text)
