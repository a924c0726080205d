"""Builds the book: `attn book`."""

import logging
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.errors import InputError
from autograder.chapters.extras import require


class NoPlace(InputError):
    """A folder that is not the book's to empty."""


def build(folder):
    """Build the site into a folder, in which an older one is replaced; the first page's path.

    Raises
    ------
    NoPlace
        Where the folder holds anything else.
    """
    if folder.exists() and not (folder / "index.html").is_file() and any(folder.iterdir()):
        raise NoPlace(f"{folder} holds something that is no book, which would be lost: name a new folder")
    require("book", "The book")
    require("torch", "The book, whose pictures the chapters draw,")
    from mkdocs.commands.build import build as build_site  # noqa: PLC0415  (an extra, which may not be installed)
    from mkdocs.config import load_config  # noqa: PLC0415

    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    config = load_config(
        str(curriculum.ROOT / "book" / "mkdocs.yml"),
        hooks=[str(Path(__file__).with_name("hooks.py"))],
        site_dir=str(folder.resolve()),
        strict=True,
    )
    config.plugins.on_startup(command="build", dirty=False)
    try:
        build_site(config)
    finally:
        config.plugins.on_shutdown()
    return folder / "index.html"
