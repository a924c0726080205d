"""Hostile files, each of which tries to block, deceive or exhaust its reader."""

import json
import os

GOOD = (
    "import numpy as np\n\n\ndef softmax(scores):\n"
    "    e = np.exp(np.asarray(scores, dtype=float) - np.max(scores))\n    return e / e.sum()\n"
)


def notebook(*sources, **more):
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
        for source in sources
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})


def _metadata(**metadata):
    cell = {"cell_type": "code", "source": GOOD, **metadata}
    return json.dumps({"cells": [cell], "metadata": metadata.get("metadata", {}), "nbformat": 4})


def build_contents() -> dict[str, bytes]:
    """Return file name -> content, built on demand because it is large; "_good" in a name means a correct softmax."""
    texts = {
        "marker_percents_good.py": "# %%" + "%" * 60_000 + "[\n" + GOOD,
        "marker_options_good.py": "# %% " + "a=[ " * 400_000 + "\n" + GOOD,
        "marker_kind_good.py": "# %% " + "[a" * 40_000 + "\n" + GOOD,
        "punycode.py": b"# coding: punycode\n-" + b"a" * 2_000_000,
        "utf7_good.py": b"# coding: utf-7\nx = '+2AA-'\n" + GOOD.replace("+", "+-").encode(),
        "surrogate_good.ipynb": notebook(GOOD, "x='\ud800'"),
        "one_huge_cell.ipynb": notebook("a='!'\n" * 3_300_000),
        "thousands_of_magics_good.ipynb": notebook(*["%a"] * 3_000, GOOD),
        "many_cells.ipynb": notebook(*["x=1"] * 100_000, GOOD),
        "many_lists.ipynb": '{"cells":[' + "[]," * 5_000_000 + '[]],"nbformat":4}',
        "deep_json.ipynb": "[" * 100_000,
        "deep_signs_good.py": GOOD + "\n# %%\nx = " + "-" * 99_000 + "1\n",
        "deep_attributes_good.py": GOOD + "\n# %%\nx = lambda: a" + ".b" * 49_000 + "\n",
        "deep_calls_good.py": GOOD + "\n# %%\nx = lambda: a" + "()" * 49_000 + "\n",
        "long_sum_good.py": GOOD + "\n# %%\nx = 1" + "+1" * 49_000 + "\n",
        "long_number_good.py": GOOD + "\n# %%\nx = " + "9" * 90_000 + "\n",
        "many_names_good.py": "".join(f"softmax{i}=0\n" for i in range(6_000)) + "\n# %%\n" + GOOD,
        "long_names_good.py": "".join(f"softma{'x' * 900}{i}=0\n" for i in range(90)) + "\n# %%\n" + GOOD,
        "long_header.py": "# ---\n" * 100_000 + GOOD,
        "old_line_ends_good.py": GOOD.replace("\n", "\r") + "\x0c",
        "odd_sources.ipynb": json.dumps({"cells": [{"cell_type": "code", "source": [["a"], 1, None]}], "nbformat": 4}),
        "nan_version.ipynb": '{"nbformat":NaN,"cells":[]}',
        "text_version.ipynb": '{"nbformat":"4","cells":[]}',
        "long_version.ipynb": '{"nbformat":' + "9" * 5_000 + ',"cells":[]}',
        "metadata_list.ipynb": _metadata(metadata=[]),
        "metadata_text.ipynb": _metadata(metadata={"nbgrader": "x"}),
        "all_locked.ipynb": _metadata(metadata={"nbgrader": {"locked": True}}),
        "blank_lines.py": "\n" * 900_000 + GOOD,
        "too_much_code.py": GOOD + "# " + "x" * 3_000_000,
        "too_large.py": b"#" * (20 << 20),
        "no_text.py": b"\xff\xfe\x00",
    }
    return {
        name: text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass") for name, text in texts.items()
    }


def write_files(folder):
    paths = {folder / name: content for name, content in build_contents().items()}
    for path, content in paths.items():
        path.write_bytes(content)
    return [*paths]


def write_oddities(folder, target):
    """Create links, a pipe, a folder and an undecodable file name, all named like answers. Return the paths."""
    os.mkfifo(folder / "pipe.py")
    (folder / "folder.ipynb").mkdir()
    (folder / "link.ipynb").symlink_to(target)
    (folder / "dangling.py").symlink_to(folder / "nowhere")
    (folder / "device.py").symlink_to("/dev/zero")
    odd = os.fsencode(folder) + b"/\xff_good.py"
    with open(odd, "wb") as file:
        file.write(GOOD.encode())
    return [folder / name for name in ("pipe.py", "folder.ipynb", "link.ipynb", "dangling.py", "device.py")] + [
        folder / os.fsdecode(b"\xff_good.py")
    ]
