# SPDX-License-Identifier: MIT
"""The native kernels against plain PyTorch autograd in float64: python3 -m pytest scripts/train/test_gradients.py"""

import itertools

import pytest
import torch
import torch.nn.functional as F

from ops import add_rms_norm, mamba_inner

# float64 differs only by summation order; float32 is judged against float64 relative to the largest gradient.
TOLERANCE = {torch.float64: 1e-11, torch.float32: 2e-5}


def plain_inner(xz, conv_weight, conv_bias, x_proj, dt_proj, dt_bias, A_log, D, carry, reverse):
    """The equations of the Mamba-1 mixer, one token at a time."""
    if reverse:
        xz = xz.flip(1)
    d_inner, d_state = A_log.shape
    batch, seqlen, _ = xz.shape
    x, z = xz.split(d_inner, -1)
    before = xz.new_zeros(batch, 3, d_inner) if carry is None else carry[0]
    padded = torch.cat([before, x], 1).transpose(1, 2)
    x = F.silu(F.conv1d(padded, conv_weight, conv_bias, groups=d_inner)).transpose(1, 2)
    dt, B, C = (x @ x_proj.t()).split([dt_proj.shape[1], d_state, d_state], -1)
    delta = F.softplus(dt @ dt_proj.t() + dt_bias)
    A = -torch.exp(A_log)
    h = xz.new_zeros(batch, d_inner, d_state)
    rows = []
    for t in range(seqlen):
        h = torch.exp(delta[:, t, :, None] * A) * h + (delta[:, t] * x[:, t])[:, :, None] * B[:, t, None, :]
        rows.append((h * C[:, t, None, :]).sum(-1) + D * x[:, t])
    out = torch.stack(rows, 1) * F.silu(z)
    return out.flip(1) if reverse else out


def inner_inputs(seqlen, d_inner=32, d_state=16, dt_rank=3, batch=2, scale=1.0):
    g = torch.Generator().manual_seed(seqlen)

    def rand(*shape, s=1.0):
        return (torch.randn(*shape, generator=g, dtype=torch.float64) * s).requires_grad_()

    A_log = torch.log(torch.arange(1, d_state + 1, dtype=torch.float64)).repeat(d_inner, 1)
    A_log = (A_log + 0.1 * torch.randn(A_log.shape, generator=g, dtype=torch.float64)).requires_grad_()
    return [rand(batch, seqlen, 2 * d_inner, s=scale), rand(d_inner, 1, 4, s=0.5), rand(d_inner, s=0.1),
            rand(dt_rank + 2 * d_state, d_inner, s=d_inner ** -0.5), rand(d_inner, dt_rank), rand(d_inner), A_log,
            rand(d_inner)]


def gradients(function, inputs, dtype, weights):
    """Outputs and input gradients of function(*inputs), computed in `dtype`, returned in float64."""
    cast = [x.detach().to(dtype).requires_grad_() for x in inputs]
    outputs = function(*cast)
    sum((o * w.to(dtype)).sum() for o, w in zip(outputs, weights)).backward()
    return [o.detach().double() for o in outputs], [x.grad.double() for x in cast]


def assert_close(got, want, tolerance):
    for i, (a, b) in enumerate(zip(got, want)):
        error = (a - b).abs().max() / b.abs().max().clamp_min(1e-30)
        assert error < tolerance, f"item {i}: relative error {error:.2e}"


@pytest.mark.parametrize("dtype,seqlen,reverse", itertools.product(TOLERANCE, [1, 2, 31, 32, 33, 70], [False, True]))
def test_inner(dtype, seqlen, reverse):
    inputs = inner_inputs(seqlen)
    weights = [torch.randn(2, seqlen, 32, generator=torch.Generator().manual_seed(1), dtype=torch.float64)]
    want = gradients(lambda *x: [plain_inner(*x, None, reverse)], inputs, torch.float64, weights)
    got = gradients(lambda *x: [mamba_inner(*x, None, reverse)[0]], inputs, dtype, weights)
    for a, b in zip(got, want):
        assert_close(a, b, TOLERANCE[dtype])


@pytest.mark.parametrize("d_state,scale", [(8, 1.0), (16, 8.0)])
def test_inner_other_shapes(d_state, scale):
    """Another d_state; large activations, where the sigmoids saturate and softplus passes 20: torch returns x itself
    there, which is 2e-9 below log(1 + exp(x)), hence the wider bound."""
    inputs = inner_inputs(40, d_inner=16, d_state=d_state, scale=scale)
    weights = [torch.randn(2, 40, 16, generator=torch.Generator().manual_seed(2), dtype=torch.float64)]
    want = gradients(lambda *x: [plain_inner(*x, None, False)], inputs, torch.float64, weights)
    for dtype, tolerance in TOLERANCE.items():
        got = gradients(lambda *x: [mamba_inner(*x, None, False)[0]], inputs, dtype, weights)
        for a, b in zip(got, want):
            assert_close(a, b, max(tolerance * scale, 1e-9))


def test_carry_equals_one_pass():
    """Two pieces with carried conv and scan state give the output of the whole; lengths not a multiple of the chunk."""
    inputs = [x.detach() for x in inner_inputs(77)]
    whole = mamba_inner(*inputs, None, False)[0]
    xz, rest = inputs[0], inputs[1:]
    first, conv, ssm = mamba_inner(xz[:, :2].contiguous(), *rest, None, False)
    second, conv, ssm = mamba_inner(xz[:, 2:41].contiguous(), *rest, (conv, ssm), False)
    third, _, _ = mamba_inner(xz[:, 41:].contiguous(), *rest, (conv, ssm), False)
    assert_close([torch.cat([first, second, third], 1)], [whole], 1e-12)


def test_carry_gradients():
    inputs = inner_inputs(20)
    g = torch.Generator().manual_seed(3)
    conv = torch.randn(2, 3, 32, generator=g, dtype=torch.float64)
    weights = [torch.randn(2, 20, 32, generator=g, dtype=torch.float64)]
    want = gradients(lambda *x: [plain_inner(*x, (conv,), False)], inputs, torch.float64, weights)
    zeros = torch.zeros(2, 32 * 16, dtype=torch.float64)
    got = gradients(lambda *x: [mamba_inner(*x, (conv, zeros), False)[0]], inputs, torch.float64, weights)
    for a, b in zip(got, want):
        assert_close(a, b, 1e-11)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("with_residual", [False, True])
def test_add_rms_norm(dtype, with_residual):
    g = torch.Generator().manual_seed(4)
    inputs = [torch.randn(2, 5, 24, generator=g, dtype=torch.float64) for _ in range(2 if with_residual else 1)]
    inputs.append(torch.randn(24, generator=g, dtype=torch.float64))
    weights = [torch.randn(2, 5, 24, generator=g, dtype=torch.float64) for _ in range(2)]

    def plain(*x):
        r = x[0] + x[1] if with_residual else x[0]
        return [r * torch.rsqrt(r.pow(2).mean(-1, keepdim=True) + 1e-5) * x[-1], r]

    want = gradients(plain, inputs, torch.float64, weights)
    got = gradients(lambda *x: add_rms_norm(x[0], x[1] if with_residual else None, x[-1], 1e-5), inputs, dtype, weights)
    for a, b in zip(got, want):
        assert_close(a, b, TOLERANCE[dtype])
