"""Build hook that adds single files to the wheel, which an exported autograder needs."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = ("requirements.txt", "LICENSE")


class Files(BuildHookInterface):
    """Adds the files to a wheel, but not to an editable install, which needs none."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            build_data["force_include"] |= {name: f"autograder/content/{name}" for name in FILES}
