"""A scheduler on another machine is used with TLS, or because somebody said so."""

import distributed
import pytest

from autograder.chapters.errors import InputError, NoSandbox
from autograder.grading.cluster import cluster, work_on
from support.dask import Numbered, nothing


@pytest.fixture
def asked(monkeypatch):
    """Addresses that a client was made for; nobody answers there."""
    found = []

    def client(address, **options):
        found.append(address)
        raise OSError("nobody answers")

    monkeypatch.setattr(distributed, "Client", client)
    return found


@pytest.mark.parametrize("address", ["tcp://192.0.2.1:8786", "tcp://grader.example.org:8786", "tcp://0.0.0.0:8786"])
def test_without_tls_another_machine_is_refused(asked, address):
    with pytest.raises(InputError, match=r"is another machine.*--insecure"):
        cluster(address)
    assert not asked
    with pytest.raises(InputError, match="no Dask scheduler answers"):
        cluster(address, insecure=True)
    assert asked == [address]


@pytest.mark.parametrize(
    "address", ["tls://192.0.2.1:8786", "tcp://127.0.0.1:8786", "tcp://localhost:8786", "tcp://[::1]:8786"]
)
def test_tls_and_this_machine_are_used(asked, address):
    with pytest.raises(InputError, match="no Dask scheduler answers"):
        cluster(address)
    assert asked == [address]


@pytest.mark.parametrize("address", ["nowhere", "udp://127.0.0.1:1", "tcp://127.0.0.1:port", ""])
def test_an_address_that_is_none(address):
    with pytest.raises(InputError, match=r"^--scheduler needs an address such as tcp://127\.0\.0\.1:8786: [^\n]+$"):
        cluster(address)


def test_a_worker_that_cannot_shut_answers_in_grades_none(no_sandbox):
    with pytest.raises(NoSandbox, match=r"^on \S+, a worker of Dask's: bubblewrap is missing"):
        work_on(nothing, Numbered(1), no_sandbox=False)
