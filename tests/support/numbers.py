"""Random tensors, and tensors compared."""

import torch


def numbers(rng, *shape, dtype=torch.float64):
    """Random numbers; the tensor is laid out in memory as it comes, or backwards."""
    found = torch.from_numpy(rng.normal(size=shape[::-1])).to(dtype).permute(*reversed(range(len(shape))))
    return found if rng.random() < 0.5 else found.contiguous()


def assert_close(got, expected, tolerance):
    assert len(got) == len(expected)
    for ours, theirs in zip(got, expected, strict=True):
        theirs = torch.as_tensor(theirs, dtype=ours.dtype)
        torch.testing.assert_close(ours, theirs, rtol=tolerance, atol=tolerance * (1e-3 + float(theirs.abs().max())))
