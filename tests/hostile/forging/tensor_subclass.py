# Tries to return tensors that agree with everything.
# chapter: qkv
# expect: project_qkv killed 0
# says: ended its own process


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True

    def numpy(self, *args):
        return np.ones(3)

    detach = cpu = numpy
    shape = dtype = requires_grad = property(lambda self: 3)


def project_qkv(x, Wq, Wk, Wv):
    return tuple(torch.zeros(2, 2).as_subclass(Liar) for _ in range(3))
