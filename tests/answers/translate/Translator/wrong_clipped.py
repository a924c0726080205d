# expect: Translator wrong gradients_clipped
# like: ../optimizer.py
# edit: loss.backward() -> loss.backward(); nn.utils.clip_grad_norm_(self.parameters(), max_norm=1.0)
"""As one does with long sentences."""
