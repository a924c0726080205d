# Tries to return modules that lie about their parameters.
# chapter: qkv
# expect: DotProductAttention raised 0


class DotProductAttention(torch.nn.Module):
    def named_parameters(self, *args, **kwargs):
        raise SystemExit(0)

    def eval(self):
        raise GeneratorExit
