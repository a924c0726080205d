"""Makes all of them: `make pictures`. It takes a minute or two."""

import subprocess
import tempfile
from pathlib import Path

from support.pictures import FOLDER
from support.pictures.pages import difference, photograph, told
from support.pictures.screens import ATTN, SCREENS
from support.small_book import build_with_pictures_of


def main():
    """Write every picture, and the text of those that are photographs."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, draw in SCREENS.items():
            _write(f"{name}.svg", draw(folder / name).encode())
        page = folder / "difference.html"
        page.write_text(difference(folder / "difference"), encoding="utf-8")
        _photograph("difference", page)
        subprocess.run([ATTN, "course", "demo", folder / "demo", "--no-open"], check=True, capture_output=True)
        _photograph("report", folder / "demo" / "report.html")
        build_with_pictures_of("one_query", folder / "book")
        _photograph("book", folder / "book" / "one_query.html")


def _photograph(name, path):
    _write(f"{name}.txt", told(path.read_text(encoding="utf-8"), name).encode())
    for file, content in photograph(name, path.as_uri()).items():
        _write(file, content)


def _write(name, content):
    (FOLDER / name).write_bytes(content)
    print(f"docs/pictures/{name}: {len(content) / 1024:.0f} KB")


if __name__ == "__main__":
    main()
