"""Mistakes seen in answers to Translator."""

# Learning -----------------------------------------------------------------------------------------------------------
reads_what_it_has_to_write = {"self(sources, inputs)": "self(sources, targets)"}
"""While it learns, the decoder reads the words that it is to write, and learns to copy: shift them to the right.

The loss falls faster than it should. What will the decoder read when it translates?
"""

gradients_add_up = {"self.zero_grad()": ""}
"""Each step still holds the gradients of all steps before it: `backward` adds to `.grad`, so empty that first."""

nothing_is_moved = {
    "parameter -= learning_rate * parameter.grad": "parameter = parameter - learning_rate * parameter.grad"
}
"""The losses of all steps are the same: the parameters are not changed, or only copies of them are.

`parameter = parameter - ...` gives a new tensor that name, and the model keeps the old one.
"""

uphill = {"parameter -=": "parameter +="}
"""The parameters are moved along their gradients, and the loss climbs: it falls against them, so subtract."""

learning_rate_not_used = {"learning_rate * parameter.grad": "parameter.grad"}
"""Every step goes as far as the gradient is long, whatever `learning_rate` says: multiply by it.

With a learning rate of 1 nothing is to be seen of it.
"""

only_the_last_layer_learns = {"self.parameters()": "self.out.parameters()"}
"""Only the last layer is moved: words, encoder, decoder and attention have parameters that have to learn, too."""

softmax_taken_twice = {
    "cross_entropy(scores.flatten(0, 1)": "cross_entropy(torch.softmax(scores, dim=-1).flatten(0, 1)"
}
"""The scores pass through softmax before `cross_entropy`, which has a softmax of its own: give it the scores.

It learns all the same, only slowly, and the loss cannot come near 0.
"""

loss_summed = {"targets.flatten())": 'targets.flatten(), reduction="sum")'}
"""The loss is the sum over all words, so that more sentences mean longer steps: take the mean."""

loss_of_the_last_word = {"scores.flatten(0, 1), targets.flatten()": "scores[:, -1], targets[:, -1]"}
"""Only the last word of each sentence counts in the loss, so that the others are never learned: all words count."""

scores_reshaped = {
    "scores.flatten(0, 1), targets.flatten()": "scores.reshape(len(scores), scores.shape[2], scores.shape[1]), targets"
}
"""`reshape` to `(b, words, n)` shuffles the scores: `cross_entropy` would take them turned, or all in one row.

The shape is what it asks for, and the numbers are of other words. Use `flatten(0, 1)`, or `transpose`.
"""

the_last_loss_only = {"return losses": "return losses[-1]"}
"""Only the loss of the last step comes back: return a list with the loss of each step."""

# Translating --------------------------------------------------------------------------------------------------------
never_reads_its_own_words = {
    "words = torch.full((len(sources), 1), self.start)": "words = torch.full((len(sources), length), self.start)",
    """
        for _ in range(length):
            scores, weights = self(sources, words)
            words = torch.cat([words, scores[:, -1:].argmax(dim=-1)], dim=-1)
    """: "scores, weights = self(sources, words)",
    "return words[:, 1:], weights": "return scores.argmax(dim=-1), weights",
}
"""All words are written at once, by a decoder that has read nothing but start words: each has to be read in turn.

What stands in `words` when the second word is to be written?
"""

reads_the_last_word_only = {
    "words = torch.full": """
        words, looks = [], []
        word = torch.full
    """,
    """
        scores, weights = self(sources, words)
        words = torch.cat([words, scores[:, -1:].argmax(dim=-1)], dim=-1)
    """: """
        scores, weights = self(sources, word)
        word = scores.argmax(dim=-1)
        words.append(word)
        looks.append(weights)
    """,
    "return words[:, 1:], weights": "return torch.cat(words, dim=1), torch.cat(looks, dim=1)",
}
"""The decoder reads one word at a time and starts from zeros each time, so it forgets the rest: give it all words.

The weights of all rounds were kept here, as they should be. What does the state know in the third round?
"""

always_the_first_position = {"scores[:, -1:]": "scores[:, :1]"}
"""Each round takes the scores after the first input, so the first word is written over and over: take the last."""

the_least_likely_word = {"argmax": "argmin"}
"""The word with the lowest score is written: the best one has the highest."""

start_word_returned = {"words[:, 1:]": "words"}
"""The start word is still in front of the translations: it was there to be read, and belongs to no language."""

a_word_too_few = {
    "range(length)": "range(length - 1)",
    "words = torch.full((len(sources), 1), self.start)": """
        words = torch.full((len(sources), 1), self.start)
        scores, weights = self(sources, words)
    """,
}
"""One round is missing: the start word is not one of the `length` words that are to be written."""

starts_with_word_0 = {"torch.full((len(sources), 1), self.start)": "torch.zeros(len(sources), 1, dtype=torch.int64)"}
"""The first input is word 0, a word of the language: the decoder learned to begin after the start word."""

weights_of_the_last_word = {"return words[:, 1:], weights": "return words[:, 1:], weights[:, -1]"}
"""Only the weights of the last word come back: return a row for each word that was written."""

words_only = {"return words[:, 1:], weights": "return words[:, 1:]"}
"""Only the words come back: return the weights as well, as `words, weights`."""

not_returned = {"return words[:, 1:], weights": ""}
"""The words may have been written, but `translate` does not hand them back: it needs a `return`."""
