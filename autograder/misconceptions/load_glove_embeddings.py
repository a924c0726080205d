"""Mistakes seen in answers to load_glove_embeddings."""

split_at_every_space = {
    r"""
        width = width or line.count(" ")
        word, *values = line.rstrip("\n").rsplit(" ", width)
        try:
            vector = np.array(values, dtype=np.float32)
        except ValueError as error:
            raise ValueError(f"line {number} of {glove_file}: {error}") from None
        if not 0 < width == len(vector):
            raise ValueError(f"line {number} of {glove_file} does not hold a word and {width} numbers")
        embeddings[word] = vector
    """: 'word, *values = line.split()\nembeddings[word] = np.asarray(values, dtype="float32")'
}
"""The first field is taken for the word and all the rest for numbers, but some words contain spaces. In most lines it
is right.

Try the line `. . . 0.25 2`. Where does the word end, if you read from the right?

The last d fields should be the numbers, and all before them the word, spaces included.
"""

first_field_is_the_word = {"embeddings[word]": 'embeddings[word.split(" ")[0]]'}
"""Of a word with spaces only the first piece is kept, which may be another word of the file.

Try the line `. . . 0.25 2`, and print the key.

All that stands before the last d fields should be the word.
"""

words_lose_their_spaces = {"embeddings[word]": 'embeddings[word.replace(" ", "")]'}
"""Words with spaces come out without them. In a file without such words nothing shows.

Try the lines `. . . 0.25 2` and `... 1 3`. How many words should the table have?

A word should keep its spaces: ". . ." is another token than "...".
"""

split_at_any_white_space = {
    r'word, *values = line.rstrip("\n").rsplit(" ", width)': """
        values = line.split()
        word, values = " ".join(values[:-width]), values[-width:]
    """,
    "0 < width == len(vector)": "0 < width < len(line.split())",
}
"""Lines are split at every kind of white space, but some words consist of the no-break space. For nearly all lines it
is right.

The no-break space is `chr(0xa0)`. Does `split()` split there? Does `split(" ")`?

Fields should be split at the plain space and at nothing else.
"""

line_stripped = {'line.rstrip("\\n")': "line.strip()"}
"""White space at the start of a line is taken away, but it may be the word. For nearly all lines it is right.

Try a line that begins with a no-break space as its word.

Only the line end should be taken away.
"""

lines_split_by_splitlines = {"enumerate(file, start=1)": "enumerate(file.read().splitlines(), start=1)"}
"""Lines are broken at rare signs, too, which some words contain, as `splitlines` does. For nearly all files it is
right.

Try `splitlines` on a text with `chr(0x85)` in its middle. How many lines come out?

Lines should end where the open file ends them.
"""

width_written_as_a_number = {'width = width or line.count(" ")': "width = 50"}
"""The number of fields is the same for every file. For vectors of that width it is right.

Try a file with vectors of two numbers.

The first line of each file should tell how wide its vectors are.
"""

first_line_skipped = {"embeddings[word] = vector": "if number > 1:\n    embeddings[word] = vector"}
"""The first line of the file is not in the table. Files of word2vec begin with a heading, which would explain it.

Try a file of one line.

Every line should be a word, the first as well.
"""

words_in_lower_case = {"embeddings[word]": "embeddings[word.lower()]"}
"""Words come out in lower case, so "The" and "the" share one entry, and the later line wins.

Try a file with a line for "The" and one for "the".

Words should be spelt as in the file.
"""

numbers_are_still_text = {"embeddings[word] = vector": "embeddings[word] = values"}
"""The vectors hold pieces of text, not numbers. Printed, they look nearly alike.

Print the type of the first number of a vector.

The vectors should hold float32 numbers.
"""

half_precision = {"np.float32": "np.float16"}
"""The numbers keep about three digits, as float16 does. At a glance they look right.

Print the `dtype` of a vector, and a number with six digits.

The vectors should be float32.
"""

rounded = {"embeddings[word] = vector": "embeddings[word] = np.round(vector, 6)"}
"""The numbers are rounded, so very small ones become 0. At a glance they look right.

Try a line with the number `1e-9`.

The numbers should be those of the file, as exact as float32 has them.
"""

read_as_latin_1 = {"utf-8": "latin-1"}
"""The file is read in an encoding of single bytes, so "é" becomes two odd letters. In words of plain letters from a to
z nothing shows.

Try a line for "café", and print the length of the word.

The file should be read as UTF-8.
"""

encoding_left_to_the_computer = {', encoding="utf-8"': ""}
"""The file is read in the encoding that the computer prefers. Where that is UTF-8, it works; elsewhere "é" raises an
error or becomes other letters.

Print `open(path).encoding`. Would every computer say the same?

The file should be read as UTF-8 on every computer.
"""

unknown_letters_ignored = {'encoding="utf-8"': 'encoding="ascii", errors="ignore"'}
"""Letters beyond plain English are dropped while the file is read, so "café" becomes "caf".

Try a line for "café", and print the words of the table.

The file should be read as UTF-8, with all its letters.
"""

only_strings_are_paths = {
    "embeddings, width = {}, 0": """
        if not glove_file.endswith(".txt"):
            raise ValueError("not a text file")
        embeddings, width = {}, 0
    """
}
"""A `pathlib.Path` raises an error. With a string it works.

Call it with `pathlib.Path("glove.txt")`.

Whatever `open` takes should do: strings and paths.
"""

missing_numbers_unnoticed = {
    """
        if not 0 < width == len(vector):
            raise ValueError(f"line {number} of {glove_file} does not hold a word and {width} numbers")
    """: ""
}
"""A line with too few numbers goes through unnoticed. In a sound file nothing shows.

Try a file whose second line has one number less than the first.

Such a line should raise a `ValueError` with its number.
"""

wrong_lines_skipped = {
    'raise ValueError(f"line {number} of {glove_file}: {error}") from None': "continue",
    'raise ValueError(f"line {number} of {glove_file} does not hold a word and {width} numbers")': "continue",
}
"""Wrong lines are passed over without an error, and their words will not be found. In a sound file nothing shows.

Try a file in which one field is not a number.

A wrong line should raise a `ValueError` with its number.
"""

wrong_numbers_become_nan = {
    'raise ValueError(f"line {number} of {glove_file}: {error}") from None': """
        vector = np.genfromtxt(values, dtype=np.float32).reshape(-1)
    """
}
"""A field that is no number becomes NaN, without an error, which spoils every score it meets later. In a sound file
nothing shows.

Try a file in which one field is not a number.

A wrong line should raise a `ValueError` with its number.
"""

error_without_the_line = {
    'raise ValueError(f"line {number} of {glove_file}: {error}") from None': """
        raise ValueError(f"{glove_file}: {error}") from None
    """,
    'raise ValueError(f"line {number} of {glove_file} does not hold a word and {width} numbers")': """
        raise ValueError("wrong number of values")
    """,
}
"""A wrong line raises a `ValueError`, but it does not say which line that is.

Read the message as somebody with a file of two million lines.

The message should contain the number of the line, counted from 1.
"""

lines_counted_from_zero = {"start=1": "start=0"}
"""The message counts lines from 0, so it names the line above the wrong one.

Try a file whose second line is wrong. Which number does the message have, and which does an editor show?

Lines should be counted from 1.
"""
