# Tries to replace torch's comparisons.
# chapter: qkv
# expect: project_qkv wrong 0
# says: returned


torch.allclose = torch.equal = torch.isclose = lambda *a, **k: True
torch.testing.assert_close = lambda *a, **k: None


def project_qkv(x, Wq, Wk, Wv):
    return torch.zeros(1), torch.zeros(1), torch.zeros(1)
