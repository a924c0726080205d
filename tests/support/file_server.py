"""A web server for one file, which can misbehave like real servers."""

import contextlib
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FileServer(ThreadingHTTPServer):
    """A server that returns `body` for every path. By default, it works correctly and supports Range and If-Range."""

    daemon_threads = True

    def __init__(self, body):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.body, self.tag, self.modified = body, '"one"', ""
        self.cut = self.announced = self.total = self.status = None
        self.ignores, self.chunked, self.stall, self.shift = set(), False, 0, 0
        self.requests, self.statuses = [], []
        self.url = f"http://127.0.0.1:{self.server_port}/"

    def handle_error(self, request, client_address):
        """Ignore clients that disconnected."""


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        server.requests.append(self.headers["Range"])
        if server.status:
            self.send_response(server.status)
            self.send_header("Content-Length", "0")
            return self.end_headers()
        start, size = self._start(), len(server.body)
        if start >= size:
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{size}")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        content = server.body[start:]
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{size - 1}/{server.total or size}")
        for name, value in ("ETag", server.tag), ("Last-Modified", server.modified):
            if value:
                self.send_header(name, value)
        if server.chunked:
            self.send_header("Transfer-Encoding", "chunked")
            content = b"%x\r\n%b\r\n0\r\n\r\n" % (len(content), content)
        else:
            self.send_header("Content-Length", str(server.announced or len(content)))
        self.end_headers()
        self.wfile.write(content[: server.cut])
        time.sleep(server.stall)
        return None

    def _start(self):
        server = self.server
        # HTTP requires that a weak tag never matches in If-Range.
        validators = [validator for validator in (server.tag, server.modified) if not validator.startswith("W/")]
        unchanged = "If-Range" in server.ignores or self.headers["If-Range"] in validators
        if self.headers["Range"] and "Range" not in server.ignores and unchanged:
            return int(self.headers["Range"].removeprefix("bytes=").removesuffix("-")) - server.shift
        return 0

    def log_request(self, code="-", size="-"):
        self.server.statuses.append(int(code))

    def log_message(self, *args):
        """Suppress the server's log of requests."""


@contextlib.contextmanager
def serve_body(body):
    with FileServer(body) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
