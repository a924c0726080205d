# expect: SelfAttention wrong
# like: unit_matrices.py
# edit: for _ in range(3)) -> for _ in range(3))
# + self.form = (self.wq @ self.wk.transpose(0, 1)).detach() / d_k**0.5
# edit: q, k, v = inp @ self.wq, inp @ self.wk, inp @ self.wv -> v = inp @ self.wv
# edit: q @ k.mT / k.shape[-1] ** 0.5 -> inp @ self.form.to(inp.dtype) @ inp.mT
