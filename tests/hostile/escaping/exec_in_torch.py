# Tries to compile and run native code with torch's own tools.
# chapter: qkv
# expect: project_qkv wrong 0
# says: returned


def project_qkv(x, Wq, Wk, Wv):
    from torch.utils import cpp_extension

    refused(cpp_extension.load_inline, "attn_hostile", "int f() { return 1; }", functions=["f"])
    refused(torch.save, x, "ROOT/attn_hostile.pt")
    return x, x, x
