"""What a wheel takes along besides its folders: the files that an exported autograder needs, and the book, built."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = ("constraints.txt", "LICENSE")
BOOK = "build/book"


class Files(BuildHookInterface):
    """Not for an editable install, which would leave half a package among the libraries."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            build_data["force_include"] |= {name: f"autograder/content/{name}" for name in FILES}
            if (Path(self.root) / BOOK / "index.html").is_file():  # `make wheel` builds it first
                build_data["force_include"][BOOK] = "autograder/content/site"
