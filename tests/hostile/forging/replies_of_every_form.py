# Tries to answer each request with another value that the wire can carry.
# chapter: qkv
# expect: project_qkv wrong 0


import itertools

wire = sys.modules["worker.wire"]
leaves = [
    None,
    True,
    7,
    -(2**63),
    1e308,
    float("nan"),
    1j,
    "x" * 5000,
    np.zeros((3, 0)),
    np.zeros(()),
    np.matrix([[1]]),
]
leaves += [
    wire.Opaque("T", "t"),
    torch.zeros(2, 3),
    torch.zeros(2, dtype=torch.bool),
    np.array(["a", None], dtype=object),
]
leaves += [np.zeros(2**24), {1: 2}, {}, [], (), wire.Described("module", {"parameters": {}, "training": False})]
forms = [lambda v: v, lambda v: [v] * 3, lambda v: (v,), lambda v: {"a": v}, lambda v: (v, v, v), lambda v: [[v], v]]
odd = itertools.cycle([form(leaf) for leaf in leaves for form in forms])


def project_qkv(x, Wq, Wk, Wv):
    return next(odd)
