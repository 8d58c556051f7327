# SPDX-License-Identifier: MIT
"""caduceus.py (two streams, no flips) against the literal form of the published code, in float64."""

import torch
import torch.nn.functional as F

from caduceus import CaduceusPS, hub_tensors, start_from_causal
from mamba import MambaLM
from test_gradients import assert_close, plain_inner

CONFIG = {"d_model": 16, "n_layer": 4, "vocab_size": 12, "pad_vocab_size_multiple": 8}


def small_model():
    torch.manual_seed(5)
    model = CaduceusPS(CONFIG).double()
    with torch.no_grad():
        for p in model.parameters():
            p.add_(0.1 * torch.randn_like(p))
        model.embedding.weight.normal_()
    return model


def flip_lc(x):
    return x.flip(1, 2)


def rms_norm(x, weight):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * weight


def plain_mixer(mixer, w_in, w_out, u):
    y = plain_inner(u @ w_in.t(), mixer.conv1d.weight, mixer.conv1d.bias, mixer.x_proj.weight, mixer.dt_proj.weight,
                    mixer.dt_proj.bias, mixer.A_log, mixer.D, None, False)
    return y @ w_out.t()


def literal_logits(model, ids):
    """RCPSMambaBlock with fused_add_norm: the forward slot gets the second half, the reverse slot the flipped first."""
    complement, d_model = model.complement, CONFIG["d_model"]
    embed = model.embedding.weight
    a, b = embed[ids], flip_lc(embed[complement[ids.flip(1)]])
    ra = rb = None
    for layer in model.layers:
        w_in, w_out = layer.mamba_fwd.in_proj.weight, layer.mamba_fwd.out_proj.weight

        def bimamba(u):
            return (plain_mixer(layer.mamba_fwd, w_in, w_out, u)
                    + plain_mixer(layer.mamba_rev, w_in, w_out, u.flip(1)).flip(1))

        def add_norm(hidden, residual):
            total = hidden if residual is None else hidden + residual
            return rms_norm(total, layer.norm.weight), total

        new_a, new_ra = add_norm(b, rb)
        new_b, new_rb = add_norm(flip_lc(a), None if ra is None else flip_lc(ra))
        new_b, rb = flip_lc(new_b), flip_lc(new_rb)
        ra = new_ra
        a, b = bimamba(new_a), flip_lc(bimamba(flip_lc(new_b)))
    first = rms_norm(a + ra, model.norm_f.weight)
    second = flip_lc(rms_norm(flip_lc(b + rb), model.norm_f.weight))
    assert first.shape[-1] == d_model
    return F.linear(first, embed) + F.linear(second.flip(-1), embed[complement])


def test_literal_form():
    model = small_model()
    ids = torch.randint(0, 12, (2, 37), generator=torch.Generator().manual_seed(6))
    assert_close([model(ids)], [literal_logits(model, ids)], 1e-11)


def test_literal_gradients():
    model = small_model()
    ids = torch.randint(0, 12, (1, 19), generator=torch.Generator().manual_seed(7))
    params = list(model.parameters())
    got = torch.autograd.grad(F.cross_entropy(model(ids)[0], ids[0]), params)
    want = torch.autograd.grad(F.cross_entropy(literal_logits(model, ids)[0], ids[0]), params)
    assert_close(got, want, 1e-10)


def test_equivariance():
    model = small_model()
    ids = torch.randint(7, 11, (1, 50), generator=torch.Generator().manual_seed(8))
    turned = model(model.complement[ids.flip(1)])
    assert_close([turned.flip(1)[:, :, model.complement]], [model(ids)], 1e-12)


def test_tensor_count():
    """4 + 17 n_layer as in the published files, of which the tied head is left out."""
    assert len(hub_tensors(small_model())) == 4 + 17 * CONFIG["n_layer"]


def test_start_from_causal():
    """One direction alone of the masked model then computes what the causal model computes."""
    torch.manual_seed(9)
    causal, model = MambaLM(CONFIG).double(), CaduceusPS(CONFIG).double()
    start_from_causal(model, causal)
    for layer in model.layers:  # without the other direction, and with the halving undone
        layer.mamba_fwd.out_proj.weight.data.mul_(2)
    ids = torch.randint(7, 11, (1, 23), generator=torch.Generator().manual_seed(10))
    hidden, residual = causal.backbone.embedding.weight[ids], None
    for i, layer in enumerate(model.layers):
        turn = i % 2 == 0
        w_in, w_out, norm = layer.mamba_fwd.in_proj.weight, layer.mamba_fwd.out_proj.weight, layer.norm.weight
        if turn:
            w_in, w_out, norm = w_in.flip(1), w_out.flip(0), norm.flip(0)
        residual = hidden if residual is None else hidden + residual
        mixer = layer.mamba_rev if turn else layer.mamba_fwd
        hidden = plain_mixer(mixer, w_in, w_out, rms_norm(residual, norm))
    logits = F.linear(rms_norm(hidden + residual, model.norm_f.weight), model.embedding.weight)
    assert_close([logits], [causal(ids)[0]], 1e-11)
