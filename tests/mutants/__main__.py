"""Lists the mutants that no suite distinguishes from right answers: ``make mutants NAME=softmax``, or all of them.

The exit code is 1 if the suites find fewer than 99.8 % of the mutants. Mutants that somebody has read and found to be
right (`mutants/accepted/`) do not count.
"""

import argparse
import collections
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from mutants import calls
from mutants.accepted import read_accepted, write_accepted
from mutants.judging import prepare, survivors
from mutants.making import right_answers

ENOUGH = 99.8  # per cent of the mutants that must be found


def main():
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="exercises or chapters; all where none is named")
    parser.add_argument("--calls", action="store_true", help="instead, what each suite asks that finds nothing more")
    parser.add_argument("--accept", metavar="REASON", help="put what survives on the list, and take off what does not")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    exercises = [
        exercise
        for name in curriculum.CHAPTERS
        for exercise in read_chapter(name).exercises
        if not options.names or {name, exercise.name} & set(options.names)
    ]
    if options.calls:
        return calls.show(exercises)
    return show_survivors(exercises, options.jobs, not options.names, options.accept)


def show_survivors(exercises, jobs, is_whole, reason):
    """Print each exercise, each survivor and the share of mutants found. Return the exit code."""
    started, total = time.perf_counter(), collections.Counter()
    run, idle = set(), set()
    tasks = {exercise.name: [] for exercise in exercises}
    with ProcessPoolExecutor(jobs, initializer=prepare) as pool:
        for exercise in exercises:
            for right in right_answers(exercise):
                tasks[exercise.name].append(pool.submit(survivors, exercise, right.name))
        try:
            for exercise in exercises:
                results = [task.result() for task in tasks[exercise.name]]
                total += _show(exercise, results, reason)
                run.update(*(result.run for result in results))
                idle.update(*(result.idle for result in results))
        except RuntimeError:
            pool.shutdown(wait=False, cancel_futures=True)  # Do not wait for the remaining mutants.
            raise
    share = 100 * (1 - total["survived"] / max(total["made"] - total["equivalent"], 1))
    print(f"{_told(total)}: {share:.2f} % found, in {time.perf_counter() - started:.0f} seconds")
    for chapter, name, line in sorted(idle - run) if is_whole else ():
        print(f"No suite runs the statement in line {line} of {name} ({chapter}).")
    return int(share < ENOUGH)


def _show(exercise, results, reason):
    """Print the result of one exercise, accept its survivors if a reason is given, and return the counts."""
    survivors = [str(mutant) for result in results for mutant in result.survivors]
    accepted = read_accepted(exercise.chapter)
    known = accepted.get(exercise.name, {})
    new = [mutant for mutant in survivors if mutant not in known]
    count = collections.Counter(made=sum(result.made for result in results), survived=0 if reason else len(new))
    count["equivalent"] = len(survivors) - count["survived"]
    print(f"{exercise.chapter}: {exercise.name}: {_told(count)}", *new, sep="\n  ", flush=True)
    if reason:
        write_accepted(
            exercise.chapter, accepted | {exercise.name: {mutant: known.get(mutant, reason) for mutant in survivors}}
        )
    elif gone := sorted(known.keys() - set(survivors)):
        print("  No survivors any more, take them off the list:", *gone, sep="\n    ", flush=True)
    return count


def _told(count):
    found = count["made"] - count["equivalent"] - count["survived"]
    return f"{count['made']} mutants, {found} found, {count['equivalent']} equivalent, {count['survived']} not found"


if __name__ == "__main__":
    sys.exit(main())
