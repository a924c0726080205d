# expect: Translator wrong loss_after_the_step
# like: ../by_hand.py
# edit: losses += [loss.item()] -> later = self(sources, shift_right(targets, self.start))[0].log_softmax(-1)
# + losses += [-(wanted * later).sum().item() / targets.numel()]
"""Measured anew."""
