# expect: Translator wrong
# like: wrong_stopping.py
"""A step for each sentence, where all of them make one."""


class Translator(T):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        out = []
        for _ in steps:
            ls = []
            for s, t in zip(sources.split(1), targets.split(1), strict=False):
                ls += super().learn(s, t, range(1), learning_rate)
            out.append(sum(ls) / len(ls))
        return out
