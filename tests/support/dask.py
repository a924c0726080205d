"""What tests and benchmarks of a Dask cluster share."""

import contextlib
import socket
import subprocess
import threading
from pathlib import Path


class Numbered:
    """Stands for an answer."""

    def __init__(self, number):
        self.path = str(number)

    def loaded(self):
        return self


def nothing(piece):
    """Stands for grading it."""
    return {"path": piece.path, "exercises": []}


def certificates(folder, name="ours"):
    """An authority and one certificate of it for everybody, as docs/security.md makes them; what Dask has to know."""
    ca, cert, key, asked = (str(Path(folder, f"{name}-{what}.pem")) for what in ("ca", "cert", "key", "asked"))
    new = ["req", "-newkey", "rsa:2048", "-nodes"]
    for words in (
        [*new, "-x509", "-days", "2", "-subj", f"/CN={name} authority", "-keyout", f"{ca}.key", "-out", ca],
        [*new, "-subj", f"/CN={name} machines", "-keyout", key, "-out", asked],
        ["x509", "-req", "-days", "2", "-in", asked, "-CA", ca, "-CAkey", f"{ca}.key", "-CAcreateserial", "-out", cert],
    ):
        subprocess.run(["openssl", *words], check=True, capture_output=True)
    variables = {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": ca}
    for who in ("SCHEDULER", "WORKER", "CLIENT"):
        variables[f"DASK_DISTRIBUTED__COMM__TLS__{who}__CERT"] = cert
        variables[f"DASK_DISTRIBUTED__COMM__TLS__{who}__KEY"] = key
    return variables


class Relay:
    """Stands between two of a network, and keeps what it hears."""

    def __init__(self, port):
        self.port, self.heard = port, bytearray()
        self.server = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.server.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        with contextlib.suppress(OSError):  # closed
            while True:
                one, other = self.server.accept()[0], socket.create_connection(("127.0.0.1", self.port))
                for ends in ((one, other), (other, one)):
                    threading.Thread(target=self._pass, args=ends, daemon=True).start()

    def _pass(self, source, target):
        with contextlib.suppress(OSError), source:
            while data := source.recv(1 << 16):
                self.heard += data
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def close(self):
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()
