# expect: ConcatMultiHeadAttention raised first_and_last_axis_swapped
# like: ../wrong_masks.py
# edit: inp @ self.wq @ (inp @ self.wk) -> torch.matmul(inp @ self.wq, torch.transpose(inp @ self.wk
# edit: .transpose(0, -1) / self.wk -> , 0, -1)) / self.wk
"""The same as in `wrong_masks.py`, with functions in place of methods and of `@`."""
