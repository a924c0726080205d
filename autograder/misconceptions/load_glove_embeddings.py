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
"""`line.split()` takes the first field for the word and the rest for numbers: some words contain spaces.

What is certain in every line is its end. Which fields are the vector if you count from there?
"""

first_field_is_the_word = {"embeddings[word]": 'embeddings[word.split(" ")[0]]'}
"""The numbers are right, but only the first field became the word: all fields before the numbers belong to it."""

words_lose_their_spaces = {"embeddings[word]": 'embeddings[word.replace(" ", "")]'}
"""The pieces of a word are joined without their spaces: ". . ." is another token than "..."."""

split_at_any_white_space = {
    r'word, *values = line.rstrip("\n").rsplit(" ", width)': """
        values = line.split()
        word, values = " ".join(values[:-width]), values[-width:]
    """,
    "0 < width == len(vector)": "0 < width < len(line.split())",
}
"""`split()` without an argument splits at the no-break space too, and some words consist of it: name the space."""

line_stripped = {'line.rstrip("\\n")': "line.strip()"}
"""`strip()` takes unusual white space from the start of the line, which may be the word: take the line end only."""

lines_split_by_splitlines = {"enumerate(file, start=1)": "enumerate(file.read().splitlines(), start=1)"}
"""`splitlines()` also breaks lines at rare signs which some words contain: go through the open file."""

width_written_as_a_number = {'width = width or line.count(" ")': "width = 50"}
"""The number of fields is written into the code: the first line of each file tells it."""

first_line_skipped = {"embeddings[word] = vector": "if number > 1:\n    embeddings[word] = vector"}
"""The first line is missing: word2vec's files begin with a heading, GloVe's begin with a word."""

words_in_lower_case = {"embeddings[word]": "embeddings[word.lower()]"}
"""Words are put in lower case, so that "The" overwrites "the": keep each as the file spells it."""

numbers_are_still_text = {"embeddings[word] = vector": "embeddings[word] = values"}
"""The vectors hold pieces of text, not numbers: convert them to float32."""

half_precision = {"np.float32": "np.float16"}
"""The numbers keep about three digits only: use float32, not float16."""

rounded = {"embeddings[word] = vector": "embeddings[word] = np.round(vector, 6)"}
"""The numbers are rounded, and very small ones become 0: keep them as the file has them."""

read_as_latin_1 = {"utf-8": "latin-1"}
"""The file is read in an encoding of single bytes, so that "é" falls into two odd letters: it is UTF-8."""

unknown_letters_ignored = {'encoding="utf-8"': 'encoding="ascii", errors="ignore"'}
"""Letters beyond a to z are dropped while reading, so that "café" becomes "caf": read the file as UTF-8."""

only_strings_are_paths = {
    "embeddings, width = {}, 0": """
        if not glove_file.endswith(".txt"):
            raise ValueError("not a text file")
        embeddings, width = {}, 0
    """
}
"""The path is used like a string: a `pathlib.Path` names a file as well, and `open` takes both."""

missing_numbers_unnoticed = {
    """
        if not 0 < width == len(vector):
            raise ValueError(f"line {number} of {glove_file} does not hold a word and {width} numbers")
    """: ""
}
"""A line with too few numbers goes through unnoticed: count them."""

wrong_lines_skipped = {
    'raise ValueError(f"line {number} of {glove_file}: {error}") from None': "continue",
    'raise ValueError(f"line {number} of {glove_file} does not hold a word and {width} numbers")': "continue",
}
"""Wrong lines are passed over in silence, and their words will be missing: raise a ValueError with the number."""

wrong_numbers_become_nan = {
    'raise ValueError(f"line {number} of {glove_file}: {error}") from None': """
        vector = np.genfromtxt(values, dtype=np.float32).reshape(-1)
    """
}
"""A field that is no number becomes NaN in silence, and will spoil every score it meets: raise a ValueError."""

error_without_the_line = {
    'raise ValueError(f"line {number} of {glove_file}: {error}") from None': """
        raise ValueError(f"{glove_file}: {error}") from None
    """,
    'raise ValueError(f"line {number} of {glove_file} does not hold a word and {width} numbers")': """
        raise ValueError("wrong number of values")
    """,
}
"""The error does not say which line is wrong: in a file with two million of them, its number is what one needs."""

lines_counted_from_zero = {"start=1": "start=0"}
"""Lines are counted from 0 in the message: an editor, and `enumerate` with `start=1`, count from 1."""
