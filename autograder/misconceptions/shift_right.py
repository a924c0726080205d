"""Mistakes seen in answers to shift_right."""

not_shifted = {"torch.cat([first, targets[..., :-1]], dim=-1)": "targets.clone()"}
"""The decoder reads the very words that it is to write, so it learns to copy, and the loss is soon far too good.

What does the decoder read at the place where it is to write word 1?

Word t should be read at place t + 1, after the start word.
"""

shifted_to_the_left = {"[first, targets[..., :-1]]": "[targets[..., 1:], first]"}
"""The words have moved to the left, so the decoder reads what it has still to write.

Print the targets and your result below each other. What does it read before it writes the first word?

The words should move to the right, with the start word in front.
"""

turned_round = {"torch.cat([first, targets[..., :-1]], dim=-1)": "torch.roll(targets, 1, dims=-1)"}
"""The last word has come round to the front, as `torch.roll` does it. All other places are right.

Which column is still wrong? What has the decoder read before it writes the first word?

The start word should stand in front, and the last word be left out.
"""

first_word_replaced = {"targets[..., :-1]": "targets[..., 1:]"}
"""The start word stands in the place of the first word, and all others have stayed where they were.

Print the targets and your result below each other. What does it read at place 1?

All words should move one place on.
"""

changes_the_targets = {
    "first = torch.full_like(targets[..., :1], start)\nreturn torch.cat([first, targets[..., :-1]], dim=-1)": """
        targets[..., 1:] = targets[..., :-1].clone()
        targets[..., 0] = start
        return targets
    """
}
"""The result is right, but after the call the targets are overwritten, and the loss still needs them.

Print the targets before and after the call.

The call should leave its arguments as they are.
"""

one_word_too_many = {"targets[..., :-1]": "targets"}
"""The start word has come in, and the last word has stayed: the result is one word too long.

Print the shapes of the targets and of your result.

The result should be as long as the targets: nothing is written after the last word.
"""

start_word_left_out = {"torch.cat([first, targets[..., :-1]], dim=-1)": "targets[..., :-1]"}
"""The last word is gone, and no start word has come in: the result is one word too short.

Print the shapes of the targets and of your result. What does the decoder read before it writes the first word?

The start word should stand in front.
"""

sentences_shifted = {
    "targets[..., :1], start": "targets[:1], start",
    "torch.cat([first, targets[..., :-1]], dim=-1)": "torch.cat([first, targets[:-1]])",
}
"""Whole sentences have moved down by one, not the words in them.

Print the targets and your result below each other, for two sentences.

The words of each sentence should move, along the last axis.
"""

last_word_replaced = {"[first, targets[..., :-1]]": "[targets[..., :-1], first]"}
"""The start word stands at the end, and nothing has moved.

Print the targets and your result below each other. What does it read before it writes the first word?

The start word should stand in front, and all words move one place on.
"""


def copied_from_what_was_copied(targets, start):
    """After the start word every place holds the first word of the sentence, as when each word is copied from a
    neighbour that was just overwritten.

    Follow your code by hand for `[7, 8, 9]`. What does place 2 copy, and when was that written?

    Each place should read the word that the targets had one place before.
    """
    result = targets.clone()
    for t in range(1, result.shape[-1]):
        result[..., t] = result[..., t - 1]
    result[..., 0] = start
    return result


batches_of_one_axis_only = {
    "torch.full_like(targets[..., :1], start)": "torch.full((targets.shape[0], 1), start)",
    "[first, targets[..., :-1]]": "[first, targets[:, :-1]]",
}
"""A single sentence, or two batch axes, raise an error or come out wrong. For rows of sentences it is right.

Call it with a tensor of shape (4,), and with one of shape (2, 3, 4).

Any number of batch axes should do: the words are along the last axis.
"""

zero_for_the_start_word = {":1], start": ":1], 0"}
"""The start word is 0, whatever is given, and 0 may be a word of the language.

Call it with `start=9`.

The start word should be the `start` that is given.
"""

not_returned = {"return torch": "torch"}
