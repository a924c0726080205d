"""The files that a wheel holds besides its folders: an exported autograder needs them."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = ("requirements.txt", "LICENSE")


class Files(BuildHookInterface):
    """Not for an editable install, which would leave half a package among the libraries."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            build_data["force_include"] |= {name: f"autograder/content/{name}" for name in FILES}
