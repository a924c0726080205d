"""A class of 200 in which every known attack sits among honest answers, through every command that meets it.

    python tests/benchmarks/attacked.py [STUDENTS] [--without-workers]

Prints seconds, the memory of the largest of the grader's own processes, and the points of the honest. Attacks that hang
take their deadlines, so all of it is a matter of minutes.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import nbformat  # noqa: E402
from hostile.test_hostile import ATTACKS, honest  # noqa: E402

from support import attacked, hostile_files  # noqa: E402
from support.attacked import CHAPTER, FORMS, PLACE, UNIT  # noqa: E402
from support.course import new, points_of, solved  # noqa: E402

POINTS = sum(points_of(CHAPTER).values())


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("students", nargs="?", type=int, default=200)
    arguments.add_argument("--without-workers", action="store_true", help="without the attacks on a worker")
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        course, workers = new(folder / "course"), {} if asked.without_workers else on_workers(folder)
        grade_files(folder / "files", workers, asked.students)
        members = class_of(course, workers, asked.students)
        for form in FORMS:
            copy = course.copied_to(folder / form.__name__)
            collect(copy, form, members, folder / f"{form.__name__}-place")
            if form is not FORMS[0]:
                shutil.rmtree(copy.folder)
        grade(folder / FORMS[0].__name__)


def on_workers(folder):
    """Name -> source of the attacks on a worker."""
    names = {"ROOT": str(ROOT), "SECRET": str(folder / "course" / "secret"), "PID": str(os.getpid()), "PORT": "9"}
    names |= {"SOLVED": str(ROOT / "solutions"), "HANDED": str(ROOT / "exercises")}
    names |= {"DEEP_SUM": " + ".join(["0"] * 2000), "LONG_CHAIN": "if False:\n    pass\n" + "elif 0:\n    pass\n" * 900}
    return {
        f"w-{name.replace('/', '-')}": each.source(names) for name, each in ATTACKS.items() if each.chapter == CHAPTER
    }


def class_of(course, workers, students):
    """Learner -> what he hands in."""
    members = attacked.files() | attacked.oddities(course)
    members |= {name: {f"{CHAPTER}.py": text.encode()} for name, text in workers.items()}
    right = nbformat.writes(solved(course.release(CHAPTER))).encode()
    return {f"honest-{number}": {PLACE: right} for number in range(max(20, students - len(members)))} | members


def grade_files(folder, workers, students):
    folder.mkdir()
    (folder / "solution.ipynb").write_text("{}")
    paths = hostile_files.write_files(folder) + hostile_files.write_oddities(folder, folder / "solution.ipynb")
    for name, text in workers.items():
        paths.append(folder / f"{name}.py")
        paths[-1].write_text(text)
    fair = [folder / f"honest-{number}.py" for number in range(max(20, students - len(paths)))]
    for path in fair:
        path.write_text(honest(CHAPTER))
    order = [*fair[::2], *paths, *fair[1::2]]
    measured("attn grade", folder, "grade", *order, "--chapter", CHAPTER, "--record", "record.jsonl", "--jobs", "2")
    lines = {line["answer"]: line for line in map(json.loads, (folder / "record.jsonl").read_text().splitlines())}
    full = sum(lines[str(path)]["points"] == lines[str(path)]["max_points"] for path in fair)
    faults = sum(each["outcome"] == "fault" for line in lines.values() for each in line["exercises"])
    print(
        f"  {full} of {len(fair)} honest ones have all points, {faults} faults; {len(lines)} of {len(order)} recorded"
    )


def collect(course, form, members, place):
    place.mkdir()
    if form is attacked.exchange:
        place.chmod(0o777)
        run(course.folder, "course", "release", UNIT, "--exchange", place).communicate()
    option, ids = form(members, place)
    measured(f"attn course collect, {form.__name__}", course.folder, "course", "collect", UNIT, *option)
    there = [course.folder / "submitted" / ids[name] / UNIT / PLACE for name in members if name.startswith("honest")]
    whole = sum(path.read_bytes() == members["honest-0"][PLACE] for path in there)
    print(f"  {whole} of {len(there)} honest ones as they were handed in")


def grade(folder):
    measured("attn course grade", folder, "course", "grade", "--jobs", "2")
    records = [json.loads(path.read_text()) for path in folder.glob(f"verdicts/*/{UNIT}/{CHAPTER}.json")]
    fair = [record["points"] for record in records if record["student"].startswith("honest")]
    print(f"  {fair.count(POINTS)} of {len(fair)} honest ones have all points; {len(records)} are graded")
    measured("attn course feedback", folder, "course", "feedback", "--jobs", "2")


def run(folder, *words):
    command = [sys.executable, "-W", "ignore", "-m", "autograder.cli.main", *map(str, words)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def measured(name, folder, *words):
    """Run a command, and print what it took."""
    started, process, most = time.monotonic(), run(folder, *words), 0
    while process.poll() is None:
        most = max(most, *map(memory, graders(process.pid)))
        time.sleep(0.1)
        if time.monotonic() - started > 3600:
            process.kill()
    output = process.communicate()[0]
    print(f"{name}: {time.monotonic() - started:.0f} s, exit code {process.returncode}, {most} MB", flush=True)
    if process.returncode not in (0, 1, 2):
        print(output.decode(errors="replace")[-2000:])


def graders(number):
    """The process and those of its pool, not the workers that run answers."""
    children = Path(f"/proc/{number}/task/{number}/children")
    found = [number]
    for child in children.read_text().split() if children.exists() else ():
        words = Path(f"/proc/{child}/cmdline")
        if words.exists() and b"--multiprocessing-fork" in words.read_bytes():
            found.append(int(child))
    return found


def memory(number):
    """Megabytes that a process has held at most."""
    try:
        status = Path(f"/proc/{number}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) >> 10
    except (OSError, IndexError):
        return 0


if __name__ == "__main__":
    main()
