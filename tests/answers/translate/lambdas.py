# expect: all passed
# like: by_hand.py
"""Functions as lambdas and partials, a loss of log-probabilities, a tuple of losses, recursion."""

import functools

softmax = functools.partial(torch.softmax, dim=-1)
turned = functools.partial(torch.transpose, dim0=-2, dim1=-1)

shift_right = lambda words, begin: torch.cat([begin + 0 * words[..., :1], words[..., :-1]], dim=-1)  # noqa: E731

_weigh = lambda q, k: softmax(q @ turned(k) / math.sqrt(k.shape[-1]))  # noqa: E731
cross_attention = lambda q, k, v: (_weigh(q, k) @ v, _weigh(q, k))  # noqa: E731


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        def step():
            scores = self(sources, shift_right(targets, self.start))[0]
            probable = torch.log_softmax(scores, dim=-1).gather(-1, targets[..., None])
            loss = -probable.mean()
            loss.backward()
            for parameter in self.parameters():
                parameter.data.sub_(learning_rate * parameter.grad)
                parameter.grad.zero_()
            return loss.item()

        return tuple(step() for _ in steps)

    def translate(self, sources, length, words=None):
        words = torch.full((len(sources), 1), self.start) if words is None else words
        with torch.no_grad():
            scores, weights = self(sources, words)
        if words.shape[1] > length:
            return words[:, 1:], weights[:, :-1]
        return self.translate(sources, length, torch.cat([words, scores[:, -1:].argmax(-1)], 1))
