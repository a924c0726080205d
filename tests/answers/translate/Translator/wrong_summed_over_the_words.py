# expect: Translator wrong loss_summed_over_the_words
# like: wrong_gradients_pile_up_without_no_grad.py
"""A loss for each place in a sentence, added up."""
# edit: loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten()) -> loss = sum(
# +     nn.functional.cross_entropy(scores[:, t], targets[:, t]) for t in range(targets.shape[1])
# + )
# + self.zero_grad()
