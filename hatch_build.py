"""Build hook that adds to the wheel the files that an exported autograder needs."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = ("requirements.txt", "LICENSE")


class Files(BuildHookInterface):
    """A hook that adds `FILES` to a wheel. An editable install does not need them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            build_data["force_include"] |= {name: f"autograder/content/{name}" for name in FILES}
