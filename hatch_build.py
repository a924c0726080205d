"""What a wheel takes along besides its folders: the files that an exported autograder needs."""

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = ("constraints.txt", "LICENSE")


class Files(BuildHookInterface):
    """Not for an editable install, which would leave half a package among the libraries."""

    def initialize(self, version, build_data):
        if version == "standard":
            build_data["force_include"] |= {name: f"autograder/content/{name}" for name in FILES}
