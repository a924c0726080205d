"""Mistakes seen in answers to Translator."""

# Learning -----------------------------------------------------------------------------------------------------------
reads_what_it_has_to_write = {"self(sources, inputs)": "self(sources, targets)"}
"""While it learns, the decoder reads the very words that it is to write, and learns to copy. The loss falls fast, which
looks good.

Translate with the trained model. What does the decoder read then?

While it learns, it should read the words before the one it writes: the targets, shifted to the right.
"""

gradients_add_up = {"self.zero_grad()": ""}
"""Each step still holds the gradients of all steps before it. The first step of a new model is right.

Print the gradient of one parameter after the first and the second `backward()`: does it set `.grad`, or add to it?

Each step should use its own gradients only, so they are emptied before `backward`.
"""

nothing_is_moved = {
    "parameter -= learning_rate * parameter.grad": "parameter = parameter - learning_rate * parameter.grad"
}
"""The losses of all steps are the same: the parameters stay what they were, as when only copies of them are changed.

Print one parameter before and after a step. What does `parameter = parameter - ...` change?

Each step should change the parameters themselves.
"""

uphill = {"parameter -=": "parameter +="}
"""The parameters move along their gradients, so the loss climbs.

Print the first losses.

The parameters should move against their gradients.
"""

learning_rate_not_used = {"learning_rate * parameter.grad": "parameter.grad"}
"""Every step goes as far as the gradient is long, whatever `learning_rate` says. With the default, 1, nothing shows.

Learn with `learning_rate=0`. Should the loss change?

A step should go `learning_rate` times the gradient.
"""

only_the_last_layer_learns = {"self.parameters()": "self.out.parameters()"}
"""Only the last layer changes. The loss may fall all the same.

Compare all parameters before and after a step: which have changed?

Every parameter of the model should learn.
"""

softmax_taken_twice = {
    "cross_entropy(scores.flatten(0, 1)": "cross_entropy(torch.softmax(scores, dim=-1).flatten(0, 1)"
}
"""The scores go through softmax before `cross_entropy`, which has a softmax of its own. It learns all the same, only
slowly, and the loss cannot come near 0.

What is the loss of a place at which the right word has probability 1?

`cross_entropy` should get the scores.
"""

loss_summed = {"targets.flatten())": 'targets.flatten(), reduction="sum")'}
"""The loss is the sum over all words, so more sentences mean longer steps. With a single word it is right.

Before any learning, which loss do you expect for 3 words that are equally likely?

The loss should be the mean over all words.
"""

loss_of_the_last_word = {"scores.flatten(0, 1), targets.flatten()": "scores[:, -1], targets[:, -1]"}
"""Only the last word of each sentence counts in the loss, so the others are never learned. With sentences of one word
it is right.

Print the shapes of what goes into `cross_entropy`.

Every word of every sentence should count in the loss.
"""

scores_reshaped = {
    "scores.flatten(0, 1), targets.flatten()": "scores.reshape(len(scores), scores.shape[2], scores.shape[1]), targets"
}
"""`cross_entropy` gets the shape it asks for, but not the numbers: scores of different words are mixed up. It runs, and
the loss may fall.

Fill the scores with 0, 1, 2, … and look at one word's scores after your line.

The scores of each word should stay together, in one row or along axis 1.
"""

the_last_loss_only = {"return losses": "return losses[-1]"}
"""Only the loss of the last step comes back.

What does the docstring say that `learn` returns?

The losses of all steps should come back, as a list.
"""

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
"""All words are written at once, by a decoder that has read nothing but start words. The first word is right.

What has the decoder read when it writes the second word?

Each word should be written after all words before it have been read.
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
"""The decoder reads one word at a time and begins anew each time, so it forgets the words before. The first word is
right.

What has its state read in the third round?

In each round the decoder should read all words written so far.
"""

always_the_first_position = {"scores[:, -1:]": "scores[:, :1]"}
"""Each round takes the scores after the first input, so the first word is written over and over.

Print the shape of the scores in the third round. Which place belongs to the next word?

The next word should be taken from the scores of the last place.
"""

the_least_likely_word = {"argmax": "argmin"}
"""The word with the lowest score is written.

Print the scores of one place beside the word that is written.

The word with the highest score should be written.
"""

start_word_returned = {"words[:, 1:]": "words"}
"""The start word is still in front of the translations, so they are one word too long.

Print the shape of the words for `length=3`.

Only the words that were written should come back.
"""

a_word_too_few = {
    "range(length)": "range(length - 1)",
    "words = torch.full((len(sources), 1), self.start)": """
        words = torch.full((len(sources), 1), self.start)
        scores, weights = self(sources, words)
    """,
}
"""One word too few is written.

Print the shape of the words for `length=3`. Is the start word one of them?

`length` words should be written, not counting the start word.
"""

starts_with_word_0 = {"torch.full((len(sources), 1), self.start)": "torch.zeros(len(sources), 1, dtype=torch.int64)"}
"""The first input is word 0, a word of the language. While it learned, the decoder began with something else.

Print what the decoder reads in the first round, here and in `learn`.

The first input should be the start word.
"""

weights_of_the_last_word = {"return words[:, 1:], weights": "return words[:, 1:], weights[:, -1]"}
"""Only the weights of the last word come back.

Print the shape of the weights for `length=3`.

There should be a row of weights for each word that was written.
"""

words_only = {"return words[:, 1:], weights": "return words[:, 1:]"}
"""Only the words come back. They are right; where the decoder looked, nobody can see.

How many results does the docstring name?

The words and the weights should come back.
"""

not_returned = {"return words[:, 1:], weights": ""}
"""`translate` gives back `None`. The words may have been written inside.

Print what the call gives back.

`translate` should return the words and the weights.
"""
