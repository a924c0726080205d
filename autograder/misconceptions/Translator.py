"""Mistakes seen in answers to Translator."""

import math

import torch
from torch import nn


def _shift_right(targets, start):
    return torch.cat([torch.full_like(targets[..., :1], start), targets[..., :-1]], dim=-1)


class _EncoderDecoder(nn.Module):
    """The chapter's, with attention written out."""

    def __init__(self, source_size, target_size, d_model=32):
        super().__init__()
        self.start = target_size
        self.source_words = nn.Embedding(source_size, d_model)
        self.target_words = nn.Embedding(target_size + 1, d_model)
        self.encoder = nn.GRU(d_model, d_model, batch_first=True)
        self.decoder = nn.GRU(d_model, d_model, batch_first=True)
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.join = nn.Linear(2 * d_model, d_model)
        self.out = nn.Linear(d_model, target_size)

    def forward(self, sources, inputs):
        words = self.source_words(sources)
        annotations, _ = self.encoder(words)
        states, _ = self.decoder(self.target_words(inputs))
        keys = self.Wk(annotations)
        weights = torch.softmax(self.Wq(states) @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1]), dim=-1)
        joined = torch.tanh(self.join(torch.cat([weights @ words, states], dim=-1)))
        return self.out(joined), weights


class _Translator(_EncoderDecoder):
    """Learns and translates as it should; each mistake below does one of the two."""

    def learn(self, sources, targets, steps, learning_rate=1.0):
        inputs, losses = _shift_right(targets, self.start), []
        for _ in steps:
            scores, _ = self(sources, inputs)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter -= learning_rate * parameter.grad
            losses.append(loss.item())
        return losses

    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        with torch.no_grad():
            for _ in range(length):
                scores, weights = self(sources, words)
                words = torch.cat([words, scores[:, -1:].argmax(dim=-1)], dim=-1)
        return words[:, 1:], weights


# Learning -----------------------------------------------------------------------------------------------------------


class reads_what_it_has_to_write(_Translator):
    """While it learns, the decoder reads the words that it is to write, and learns to copy: shift them to the right.

    The loss falls faster than it should. What will the decoder read when it translates?
    """

    def learn(self, sources, targets, steps, learning_rate=1.0):
        losses = []
        for _ in steps:
            scores, _ = self(sources, targets)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter -= learning_rate * parameter.grad
            losses.append(loss.item())
        return losses


class gradients_add_up(_Translator):
    """Each step still holds the gradients of all steps before it: `backward` adds to `.grad`, so empty that first."""

    def learn(self, sources, targets, steps, learning_rate=1.0):
        inputs, losses = _shift_right(targets, self.start), []
        for _ in steps:
            scores, _ = self(sources, inputs)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter -= learning_rate * parameter.grad
            losses.append(loss.item())
        return losses


class nothing_is_moved(_Translator):
    """The losses of all steps are the same: the parameters are not changed, or only copies of them are.

    `parameter = parameter - ...` gives a new tensor that name, and the model keeps the old one.
    """

    def learn(self, sources, targets, steps, learning_rate=1.0):
        inputs, losses = _shift_right(targets, self.start), []
        for _ in steps:
            scores, _ = self(sources, inputs)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            self.zero_grad()
            loss.backward()
            for parameter in self.parameters():
                parameter = parameter - learning_rate * parameter.grad
            losses.append(loss.item())
        return losses


class uphill(_Translator):
    """The parameters are moved along their gradients, and the loss climbs: it falls against them, so subtract."""

    def learn(self, sources, targets, steps, learning_rate=1.0):
        inputs, losses = _shift_right(targets, self.start), []
        for _ in steps:
            scores, _ = self(sources, inputs)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter += learning_rate * parameter.grad
            losses.append(loss.item())
        return losses


class learning_rate_not_used(_Translator):
    """Every step goes as far as the gradient is long, whatever `learning_rate` says: multiply by it.

    With a learning rate of 1 nothing is to be seen of it.
    """

    def learn(self, sources, targets, steps, learning_rate=1.0):
        inputs, losses = _shift_right(targets, self.start), []
        for _ in steps:
            scores, _ = self(sources, inputs)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter -= parameter.grad
            losses.append(loss.item())
        return losses


class only_the_last_layer_learns(_Translator):
    """Only the last layer is moved: words, encoder, decoder and attention have parameters that have to learn, too."""

    def learn(self, sources, targets, steps, learning_rate=1.0):
        inputs, losses = _shift_right(targets, self.start), []
        for _ in steps:
            scores, _ = self(sources, inputs)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in self.out.parameters():
                    parameter -= learning_rate * parameter.grad
            losses.append(loss.item())
        return losses


class softmax_taken_twice(_Translator):
    """The scores pass through softmax before `cross_entropy`, which has a softmax of its own: give it the scores.

    It learns all the same, only slowly, and the loss cannot come near 0.
    """

    def learn(self, sources, targets, steps, learning_rate=1.0):
        inputs, losses = _shift_right(targets, self.start), []
        for _ in steps:
            scores, _ = self(sources, inputs)
            probabilities = torch.softmax(scores, dim=-1)
            loss = nn.functional.cross_entropy(probabilities.flatten(0, 1), targets.flatten())
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter -= learning_rate * parameter.grad
            losses.append(loss.item())
        return losses


class loss_summed(_Translator):
    """The loss is the sum over all words, so that more sentences mean longer steps: take the mean."""

    def learn(self, sources, targets, steps, learning_rate=1.0):
        inputs, losses = _shift_right(targets, self.start), []
        for _ in steps:
            scores, _ = self(sources, inputs)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten(), reduction="sum")
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter -= learning_rate * parameter.grad
            losses.append(loss.item())
        return losses


class loss_of_the_last_word(_Translator):
    """Only the last word of each sentence counts in the loss, so that the others are never learned: all words count."""

    def learn(self, sources, targets, steps, learning_rate=1.0):
        inputs, losses = _shift_right(targets, self.start), []
        for _ in steps:
            scores, _ = self(sources, inputs)
            loss = nn.functional.cross_entropy(scores[:, -1], targets[:, -1])
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter -= learning_rate * parameter.grad
            losses.append(loss.item())
        return losses


class scores_reshaped(_Translator):
    """`reshape` to `(b, words, n)` shuffles the scores: `cross_entropy` would take them turned, or all in one row.

    The shape is what it asks for, and the numbers are of other words. Use `flatten(0, 1)`, or `transpose`.
    """

    def learn(self, sources, targets, steps, learning_rate=1.0):
        inputs, losses = _shift_right(targets, self.start), []
        for _ in steps:
            scores, _ = self(sources, inputs)
            b, n, size = scores.shape
            loss = nn.functional.cross_entropy(scores.reshape(b, size, n), targets)
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter -= learning_rate * parameter.grad
            losses.append(loss.item())
        return losses


class the_last_loss_only(_Translator):
    """Only the loss of the last step comes back: return a list with the loss of each step."""

    def learn(self, sources, targets, steps, learning_rate=1.0):
        inputs = _shift_right(targets, self.start)
        for _ in steps:
            scores, _ = self(sources, inputs)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter -= learning_rate * parameter.grad
        return loss.item()


# Translating --------------------------------------------------------------------------------------------------------


class never_reads_its_own_words(_Translator):
    """All words are written at once, by a decoder that has read nothing but start words: each has to be read in turn.

    What stands in `words` when the second word is to be written?
    """

    def translate(self, sources, length):
        with torch.no_grad():
            scores, weights = self(sources, torch.full((len(sources), length), self.start))
        return scores.argmax(dim=-1), weights


class reads_the_last_word_only(_Translator):
    """The decoder reads one word at a time and starts from zeros each time, so it forgets the rest: give it all words.

    The weights of all rounds were kept here, as they should be. What does the state know in the third round?
    """

    def translate(self, sources, length):
        word, words, looks = torch.full((len(sources), 1), self.start), [], []
        with torch.no_grad():
            for _ in range(length):
                scores, weights = self(sources, word)
                word = scores.argmax(dim=-1)
                words.append(word)
                looks.append(weights)
        return torch.cat(words, dim=1), torch.cat(looks, dim=1)


class always_the_first_position(_Translator):
    """Each round takes the scores after the first input, so the first word is written over and over: take the last."""

    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        with torch.no_grad():
            for _ in range(length):
                scores, weights = self(sources, words)
                words = torch.cat([words, scores[:, :1].argmax(dim=-1)], dim=-1)
        return words[:, 1:], weights


class the_least_likely_word(_Translator):
    """The word with the lowest score is written: the best one has the highest."""

    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        with torch.no_grad():
            for _ in range(length):
                scores, weights = self(sources, words)
                words = torch.cat([words, scores[:, -1:].argmin(dim=-1)], dim=-1)
        return words[:, 1:], weights


class start_word_returned(_Translator):
    """The start word is still in front of the translations: it was there to be read, and belongs to no language."""

    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        with torch.no_grad():
            for _ in range(length):
                scores, weights = self(sources, words)
                words = torch.cat([words, scores[:, -1:].argmax(dim=-1)], dim=-1)
        return words, weights


class a_word_too_few(_Translator):
    """One round is missing: the start word is not one of the `length` words that are to be written."""

    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        scores, weights = self(sources, words)
        with torch.no_grad():
            for _ in range(length - 1):
                scores, weights = self(sources, words)
                words = torch.cat([words, scores[:, -1:].argmax(dim=-1)], dim=-1)
        return words[:, 1:], weights


class starts_with_word_0(_Translator):
    """The first input is word 0, a word of the language: the decoder learned to begin after the start word."""

    def translate(self, sources, length):
        words = torch.zeros(len(sources), 1, dtype=torch.int64)
        with torch.no_grad():
            for _ in range(length):
                scores, weights = self(sources, words)
                words = torch.cat([words, scores[:, -1:].argmax(dim=-1)], dim=-1)
        return words[:, 1:], weights


class weights_of_the_last_word(_Translator):
    """Only the weights of the last word come back: return a row for each word that was written."""

    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        with torch.no_grad():
            for _ in range(length):
                scores, weights = self(sources, words)
                words = torch.cat([words, scores[:, -1:].argmax(dim=-1)], dim=-1)
        return words[:, 1:], weights[:, -1]


class words_only(_Translator):
    """Only the words come back: return the weights as well, as `words, weights`."""

    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        with torch.no_grad():
            for _ in range(length):
                scores, _ = self(sources, words)
                words = torch.cat([words, scores[:, -1:].argmax(dim=-1)], dim=-1)
        return words[:, 1:]


class not_returned(_Translator):
    """The words may have been written, but `translate` does not hand them back: it needs a `return`."""

    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        with torch.no_grad():
            for _ in range(length):
                scores, _ = self(sources, words)
                words = torch.cat([words, scores[:, -1:].argmax(dim=-1)], dim=-1)
