"""A server of the book in a thread, like that of `attn book`, for a test's folder."""

import asyncio
import json
import re
import shutil
import threading
from contextlib import contextmanager, suppress
from queue import Queue
from urllib.parse import urlsplit

from tornado.httpclient import HTTPRequest
from tornado.simple_httpclient import SimpleAsyncHTTPClient
from tornado.web import Application
from tornado.websocket import WebSocketClosedError, WebSocketHandler, websocket_connect

from autograder.chapters import curriculum
from autograder.serve.server import _serve
from autograder.study.folder import Folder

SECONDS = 60


def answers(parent):
    shutil.copytree(curriculum.EXERCISES, parent / "exercises", ignore=shutil.ignore_patterns("given", ".attn"))
    return parent / "exercises"


@contextmanager
def serve_folder(folder, pages):
    message, ends = Queue(), Queue()

    async def serve():
        work = asyncio.ensure_future(_serve(Folder(folder), pages, message.put, False))
        ends.put((asyncio.get_running_loop(), work))
        with suppress(asyncio.CancelledError):
            await work

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    loop, work = ends.get(timeout=SECONDS)
    try:
        yield re.search(r"http://\S+", message.get(timeout=SECONDS))[0]
    finally:
        loop.call_soon_threadsafe(work.cancel)
        thread.join(SECONDS)


@contextmanager
def serve_stranger(port):
    """Serve the book's port with a server that claims to be the book, and yield a queue of what pages send to it."""
    heard, ends = Queue(), Queue()

    class StrangerHandler(WebSocketHandler):
        def open(self):
            heard.put("open")
            sentence = {"version": 9, "folder": "", "sheets": {}, "done": {"chapters": {}, "exercises": []}}
            self.write_message({"page": sentence, "word": "guessed"})

        def on_message(self, message):
            heard.put(message)

    async def serve():
        stop = asyncio.Event()
        server = Application([(".*", StrangerHandler)]).listen(port, "127.0.0.1")
        ends.put((asyncio.get_running_loop(), stop))
        await stop.wait()
        server.stop()
        await server.close_all_connections()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    loop, stop = ends.get(timeout=SECONDS)
    try:
        yield heard
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(SECONDS)


class BookVisitor:
    def __init__(self, address, **headers):
        self.address, self.headers = address, headers
        self.origin = f"http://{urlsplit(address).netloc}"
        self.path = ""

    def come_in(self):
        reply = self.get(urlsplit(self.address).path)
        if reply.code == 200:
            self.headers["Cookie"] = reply.headers["Set-Cookie"].partition(";")[0]
            self.path = re.search(r"/attn-[\w-]+/", reply.body.decode())[0]
        return reply

    def get(self, path, method="GET", **headers):
        async def ask():
            client = SimpleAsyncHTTPClient(force_instance=True)
            sent = self.headers | headers
            try:
                request = HTTPRequest(f"{self.origin}{path}", method, headers=sent, allow_nonstandard_methods=True)
                return await client.fetch(request, raise_error=False)
            finally:
                client.close()

        return asyncio.run(ask())

    def talk(self, chapter, *requests, **headers):
        async def speak():
            address = f"ws{self.origin[4:]}{self.path}live/{chapter}"
            socket = await websocket_connect(HTTPRequest(address, headers=self.headers | headers))
            replies, text = [], ""
            for number, request in enumerate(requests):
                with suppress(WebSocketClosedError, ConnectionError):
                    await socket.write_message(json.dumps(request | {"id": number}))
                while (text := await asyncio.wait_for(socket.read_message(), SECONDS)) is not None:
                    if (data := json.loads(text)).get("id") == number:
                        replies.append(data)
                        break
            socket.close()
            while text is not None:
                text = await socket.read_message()
            return replies

        return asyncio.run(speak())
