"""Builds the book: `python -m autograder.book [FOLDER]`, into `build/book` unless another folder is named."""

import logging
import sys
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.errors import ChapterError


def build(folder=curriculum.ROOT / "build" / "book"):
    """Build the site into a folder, which is emptied before; anything out of order ends it with a sentence."""
    try:
        from mkdocs.commands.build import build as build_site  # noqa: PLC0415  (an extra, which may not be installed)
        from mkdocs.config import load_config  # noqa: PLC0415
    except ImportError:
        sys.exit("The book needs MkDocs Material: .venv/bin/pip install -c constraints.txt -e '.[book]'")
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    config = load_config(str(curriculum.ROOT / "book" / "mkdocs.yml"), site_dir=str(folder), strict=True)
    config.plugins.on_startup(command="build", dirty=False)
    try:
        build_site(config)
    except ChapterError as error:
        sys.exit(str(error))
    finally:
        config.plugins.on_shutdown()
    print(f"The book is built. Open {Path(folder) / 'index.html'} in a browser.")


if __name__ == "__main__":
    build(*map(Path, sys.argv[1:2]))
