"""Questions on embeddings."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "Into which words is the sentence split?",
        given="words = tokenize(\"don't stop - it's fun!\")",
        options={
            "don't, stop, -, it's, fun!": (
                'words == ["don\'t", "stop", "-", "it\'s", "fun!"]',
                "tokenize.punctuation_stays",
            ),
            "don, t, stop, it, s, fun": (
                'words == ["don", "t", "stop", "it", "s", "fun"]',
                "tokenize.punctuation_replaced_by_a_space",
            ),
            "dont, stop, its, fun": ('words == ["dont", "stop", "its", "fun"]', ""),
            "dont, stop, an empty word, its, fun": (
                'words == ["dont", "stop", "", "its", "fun"]',
                "tokenize.empty_words_left_by_dashes",
            ),
        },
        because=(
            "Punctuation is deleted first, without replacing it by anything. Then the text is split at white space."
        ),
    ),
    Question(
        "The dictionary has four words, each with five numbers. What is the shape of the embedded sentence?",
        given='table = dict(zip(["one", "is", "two", "three"], np.eye(5)))\nrows = sentence_embed("one is one", table)',
        right="rows.shape",
        misconceptions=(
            "sentence_embed.each_word_once",
            "sentence_embed.one_column_for_each_word",
            "sentence_embed.all_embeddings_returned",
            "sentence_embed.one_vector_for_the_sentence",
        ),
        because="One row for each word, in the order of the sentence. A word that occurs twice has two rows.",
    ),
    Question(
        "What does the last row sum to?",
        given=(
            'table = {"the": [1, 2], "steak": [3, 1]}\nrows = get_glove_embeddings(["The", "steak", "xyzzy"], table, 2)'
        ),
        right="rows[2].sum()",
        misconceptions=(
            "get_glove_embeddings.unknown_words_are_ones",
            "get_glove_embeddings.unknown_words_repeat_the_last_one",
        ),
        because="An unknown word gets a row of zeros, so that row i still belongs to word i.",
    ),
    Question(
        "The dictionary contains both spellings. What is the first number of the row for Apple?",
        given='table = {"apple": [1, 2], "Apple": [3, 4]}\nrows = get_glove_embeddings(["Apple"], table, 2)',
        right="rows[0, 0]",
        misconceptions=("get_glove_embeddings.always_lower_cased",),
        because="The exact word is tried first, and lower case only if it is missing: a company is not a fruit.",
    ),
    Question(
        "The dictionary does not contain the word purple. What is the shape of the embedded sentence?",
        given=(
            'table = {"i": [1, 2], "eat": [3, 4], "steak": [5, 6]}\n'
            'embedded, words = embed_sentence("I eat purple steak", table)'
        ),
        right="embedded.shape",
        misconceptions=("embed_sentence.unknown_words_are_zeros", "embed_sentence.no_batch_axis"),
        because="The unknown word is skipped, in the labels as well, and there is a batch axis for this one sentence.",
    ),
)

# Asked at the end of the unit.
TRANSFER = (
    Question(
        "A search for recipes compares vectors by their dot products. One recipe fits the query well. The "
        "other fits only half as well, but its vector is three times as long. Which comes first?",
        given=(
            "query = np.array([1.0, 0.0])\n"
            "good = np.array([0.9, 0.44])  # cosine 0.9\n"
            "long = 3 * np.array([0.5, 0.87])  # cosine 0.5"
        ),
        options={
            "The one that fits well.": (
                "query @ good > query @ long",
                "It would by the cosine. The dot product also counts the lengths.",
            ),
            "The long one.": ("query @ long > query @ good", ""),
            "They are equal.": (
                "np.isclose(query @ long, query @ good)",
                "The two vectors differ in direction and in length: work out the two products.",
            ),
        },
        because="3 times 0.5 is more than 0.9. Divide by the lengths if only the direction should count.",
    ),
    Question(
        "The dictionary contains berlin and nothing else. How many rows does the embedded sentence have?",
        given='rows, words = embed_sentence("Berlin calling: BERLIN, Berliners!", {"berlin": [1.0, 2.0]})',
        right="rows.shape[1]",
        slips={
            "4": "Words that are not in the dictionary get no row.",
            "1": "A word has a row each time it occurs in the sentence, and lower case is tried for any spelling.",
            "3": "Berliners is another word: endings are not removed.",
        },
        because=(
            "Berlin and BERLIN are found in lower case. A model that splits words into pieces could handle "
            "Berliners as well."
        ),
    ),
    Question(
        "Four readers look at six books, and a heat map shows how much each reader looks at each book. What "
        "do all its numbers sum to?",
        given=(
            "exponentials = np.exp(np.random.default_rng(0).normal(size=(4, 6)))\n"
            "weights = exponentials / exponentials.sum(axis=1, keepdims=True)  # readers down, books across"
        ),
        right="weights.sum()",
        slips={
            "1": "That would be one softmax over everything. But the weights of each *reader* sum to 1.",
            "6": "Then each book would get 1. A book may get nothing, or more than 1.",
            "24": "Then every number would be 1.",
        },
        because="Each row sums to 1, and there are four rows. You can check any attention map this way.",
    ),
)
