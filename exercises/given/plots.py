"""A grammar that generates small stories and checks whether a story is consistent.

The grammar is in `plots.txt`. A story uses one row for each slot of its plot, so that a name, a thing or a reason stays
the same from the first sentence to the last. The check is the reverse: a story is consistent if a plot, with one row
for each slot, explains every word of it.
"""

import itertools
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

PLOTS = Path(__file__).with_name("plots.txt")
TOKEN = re.compile(r"<\w+>|[A-Za-z]+|'s|[.,?“”:-]")
SLOT = re.compile(r"\{(\w+)(?:\.(\w+))?\}")
PEOPLE = "person"

Row = tuple[tuple[str, str], ...]  # (column, words) pairs
Bindings = dict[str, frozenset[int]]  # slot -> rows that still fit
Piece = str | tuple[str, str]  # a token, or a slot and a column


def tokens_of(text: str) -> list[str]:
    """Return the words and punctuation marks of a text."""
    return TOKEN.findall(text)


def text_of(tokens: Iterable[str]) -> str:
    """Return the text of tokens, with the usual spaces."""
    text = re.sub(r"\s+([.,?:”]|'s)", r"\1", " ".join(tokens))
    return text.replace("“ ", "“").replace(" - ", "-")


@dataclass(frozen=True)
class Plot:
    """One kind of story: its slots, and its steps, each with several ways to word it."""

    name: str
    slots: dict[str, str]  # slot -> name of its table
    steps: tuple[tuple[bool, tuple[tuple[Piece, ...], ...]], ...]  # (may be left out, ways)


@dataclass
class Grammar:
    """The tables and plots of a grammar file."""

    tables: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    plots: list[Plot] = field(default_factory=list)
    _capitals: frozenset[str] = frozenset()

    @property
    def capitals(self) -> frozenset[str]:
        """Return the tokens that always begin with a capital letter."""
        if not self._capitals:
            self._capitals = frozenset(token for token in self.vocabulary() if token[0].isupper())
        return self._capitals

    def tell(self, random_source: random.Random, plot: Plot | None = None) -> list[str]:
        """Return the tokens of one story."""
        plot = plot or random_source.choice(self.plots)
        rows: Bindings = {}
        for slot, table in plot.slots.items():
            free = [n for n in range(len(self.tables[table])) if self._may_be(plot, rows, slot, n)]
            rows[slot] = frozenset([random_source.choice(free)])
        story = []
        for is_optional, ways in plot.steps:
            if is_optional and random_source.random() < 0.5:
                continue
            for piece in random_source.choice(ways):
                if isinstance(piece, str):
                    story.append(piece)
                    continue
                slot, column = piece
                if slot in rows:
                    [row] = rows[slot]
                    table = plot.slots[slot]
                else:  # The rest of the story does not depend on this row.
                    table, row = slot, random_source.randrange(len(self.tables[slot]))
                story += self.words(table, row, column)
        return capitalized(story)

    def plot_of(self, story: list[str]) -> Plot | None:
        """Return the plot that explains every token of a story, or None if the story is not consistent."""
        lowered = [lowercased(token) for token in story]
        return next(
            (plot for plot in self.plots if story == capitalized(lowered) and self._explains(plot, lowered)), None
        )

    def words(self, table: str, row: int, column: str) -> tuple[str, ...]:
        """Return the tokens of one cell. The column `a`, or the prefix `a_`, adds the article; `s` is the plural."""
        return _cell(self.tables[table][row], column)

    def vocabulary(self) -> list[str]:
        """Return every token that a story can contain, sorted."""
        found, cells = set[str](), set[tuple[str, str]]()
        for plot in self.plots:
            for piece in itertools.chain.from_iterable(way for _, ways in plot.steps for way in ways):
                if isinstance(piece, str):
                    found.add(piece)
                else:
                    slot, column = piece
                    cells.add((plot.slots.get(slot, slot), column))
        for table, column in cells:
            for row in range(len(self.tables[table])):
                found |= {*self.words(table, row, column)}
        return sorted(found)

    def _may_be(self, plot: Plot, rows: Bindings, slot: str, row: int) -> bool:
        """Return whether a row can still be drawn for a slot: two slots never have the same words."""
        words = self.tables[plot.slots[slot]][row]
        name = next(iter(words.values()))
        return all(
            name != next(iter(self.tables[plot.slots[other]][n].values()))
            for other, taken in rows.items()
            for n in taken
        )

    def _explains(self, plot: Plot, story: list[str]) -> bool:
        states: list[tuple[int, Bindings]] = [
            (0, {s: frozenset(range(len(self.tables[t]))) for s, t in plot.slots.items()})
        ]
        for is_optional, ways in plot.steps:
            after = list(states) if is_optional else []
            for at, rows in states:
                for way in ways:
                    after += self._match(plot, way, story, at, rows)
            states = _distinct(after)
        return any(at == len(story) and self._are_apart(plot, rows) for at, rows in states)

    def _match(
        self, plot: Plot, way: tuple[Piece, ...], story: list[str], at: int, rows: Bindings
    ) -> Iterator[tuple[int, Bindings]]:
        """Yield (next position in the story, rows that still fit) for each match of one way to word a step."""
        if not way:
            yield at, rows
            return
        piece, rest = way[0], way[1:]
        if isinstance(piece, str):
            if story[at : at + 1] in ([piece], [piece.title()] if piece.title() in self.capitals else []):
                yield from self._match(plot, rest, story, at + 1, rows)
            return
        slot, column = piece
        table = plot.slots.get(slot, slot)
        fitting: dict[tuple[str, ...], list[int]] = {}
        for row in rows.get(slot, range(len(self.tables[table]))):
            words = self.words(table, row, column)
            if tuple(story[at : at + len(words)]) == words:
                fitting.setdefault(words, []).append(row)
        for words, left in fitting.items():
            narrowed = {**rows, slot: frozenset(left)} if slot in plot.slots else rows
            yield from self._match(plot, rest, story, at + len(words), narrowed)

    def _are_apart(self, plot: Plot, rows: Bindings) -> bool:
        names = [{next(iter(self.tables[plot.slots[slot]][n].values())) for n in left} for slot, left in rows.items()]
        single = [name for name in names if len(name) == 1]
        return len({next(iter(name)) for name in single}) == len(single)


def _distinct(states: list[tuple[int, Bindings]]) -> list[tuple[int, Bindings]]:
    return list(
        {
            (at, tuple(sorted((s, tuple(sorted(r))) for s, r in rows.items()))): (at, rows) for at, rows in states
        }.values()
    )


@cache
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(tokens_of(text))


def _cell(row: dict[str, str], column: str) -> tuple[str, ...]:
    first = next(iter(row.values()))
    if column in row:
        return _tokens(row[column])
    if not column:
        return _tokens(first)
    if column == "s":
        return _tokens(plural(first))
    words = first if column == "a" else row[column.removeprefix("a_")]
    return _tokens(f"{article(words)} {words}")


def article(words: str) -> str:
    """Return the indefinite article for these words."""
    return "an" if words[0] in "aeiou" else "a"


def plural(word: str) -> str:
    """Return the plural of a noun of the grammar."""
    if word == "sheep":
        return word
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}s"


SPEAKING = ("asked", "said", "cried", "whispered", "shouted", "called")


def capitalized(story: list[str]) -> list[str]:
    """Return the tokens with a capital letter at the beginning of each sentence."""
    result: list[str] = []
    for n, token in enumerate(story):
        before = story[n - 1] if n else "."
        starts = before in (".", "?", "“")
        if before == "”":  # No sentence begins after “Where?” in: “Where?” asked Tom. “Where?” he asked.
            speaks = story[n] in SPEAKING or (story[n + 1 : n + 2] and story[n + 1] in SPEAKING)
            starts = story[n - 2] == "." or (story[n - 2] == "?" and not speaks)
        result.append(token[0].upper() + token[1:] if starts else token)
    return result


def lowercased(token: str) -> str:
    """Return a token as the grammar writes it inside a sentence."""
    return token if token in read_grammar().capitals else token[0].lower() + token[1:]


@cache
def read_grammar(path: Path = PLOTS) -> Grammar:
    """Return the grammar in a file."""
    return _Reader(path.read_text(encoding="utf-8")).grammar


class _Reader:
    """A reader of grammar files. The top of `plots.txt` describes their form."""

    def __init__(self, text: str) -> None:
        self.grammar, self.pools, self.blocks = Grammar(), {}, re.split(r"\n\n+", text)
        for kind in ("list", "table", "union", "pool", "plot"):  # Plots use all other kinds.
            for block in self.blocks:
                for head, *lines in self._entries(block, kind):
                    getattr(self, f"_{kind}")(head, lines)

    def _entries(self, block: str, kind: str) -> Iterator[list[str]]:
        entry: list[str] = []
        for line in [*block.splitlines(), ""]:
            if entry and (not line or re.match(r"(list|table|union|pool|plot) ", line)):
                yield entry
                entry = []
            if line.startswith(f"{kind} "):
                entry = [line.removeprefix(f"{kind} ")]
            elif entry:
                entry.append(line)

    def _list(self, head: str, lines: list[str]) -> None:
        name, words = head.split(": ")
        self.grammar.tables[name] = [{"": word} for word in words.split(", ")]

    def _table(self, head: str, lines: list[str]) -> None:
        name, columns = head.split(": ")
        rows = [line.split(" | ") for line in lines]
        rows = [[first, *rest] for firsts, *rest in rows for first in firsts.split(", ")]
        self.grammar.tables[name] = [dict(zip(columns.split(", "), row, strict=True)) for row in rows]

    def _union(self, head: str, lines: list[str]) -> None:
        name, tables = head.split(": ")
        self.grammar.tables[name] = [row for table in tables.split(", ") for row in self.grammar.tables[table]]

    def _pool(self, head: str, lines: list[str]) -> None:
        self.pools[head] = lines[0].removeprefix("- ").split(" | ")

    def _plot(self, head: str, lines: list[str]) -> None:
        name, _, slots = head.removesuffix(")").partition(" (")
        tables = dict(slot.split(": ") for slot in slots.split(", "))
        for slot, table in tables.items():
            if table.startswith('"'):
                tables[slot] = f"{name} {slot}"
                self.grammar.tables[tables[slot]] = [{"": table.strip('"')}]
        steps = [(line[0] == "?", tuple(self._pieces(way) for way in self._ways(line[2:]))) for line in lines]
        self.grammar.plots.append(Plot(name, tables, tuple(steps)))

    def _ways(self, step: str) -> Iterator[str]:
        for way in step.split(" | "):
            if pool := re.search(r"<([\w ]+)>", way):
                yield from (way.replace(pool[0], filled) for filled in self.pools[pool[1]])
            else:
                yield way

    def _pieces(self, way: str) -> tuple[Piece, ...]:
        pieces: list[Piece] = []
        parts = re.sub(r'"([^"]*)"', r"“\1”", way)
        for part in re.split(r"(\{[^}]*\})", parts):
            if slot := SLOT.fullmatch(part):
                pieces.append((slot[1], slot[2] or ""))
            else:
                pieces += tokens_of(part)
        return tuple(pieces)
