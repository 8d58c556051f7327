# SPDX-License-Identifier: MIT
"""The causal language model: Mamba-1 in the mamba_ssm layout (same module and tensor names as MambaLMHeadModel)."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from ops import add_rms_norm, mamba_inner

EPS = 1e-5


class Mixer(nn.Module):
    """Parameters of one Mamba-1 mixer, initialised as mamba_ssm does."""

    def __init__(self, d_model, n_residual_layers, d_state=16, d_conv=4, expand=2, dt_rank="auto"):
        super().__init__()
        d_inner = expand * d_model
        dt_rank = math.ceil(d_model / 16) if dt_rank == "auto" else dt_rank
        self.in_proj = nn.Linear(d_model, 2 * d_inner, bias=False)
        self.conv1d = nn.Conv1d(d_inner, d_inner, d_conv, groups=d_inner, padding=d_conv - 1)
        self.x_proj = nn.Linear(d_inner, dt_rank + 2 * d_state, bias=False)
        self.dt_proj = nn.Linear(dt_rank, d_inner)
        self.A_log = nn.Parameter(torch.log(torch.arange(1, d_state + 1, dtype=torch.float32)).repeat(d_inner, 1))
        self.D = nn.Parameter(torch.ones(d_inner))
        self.out_proj = nn.Linear(d_inner, d_model, bias=False)
        nn.init.uniform_(self.dt_proj.weight, -(dt_rank ** -0.5), dt_rank ** -0.5)
        dt = torch.exp(torch.rand(d_inner) * (math.log(0.1) - math.log(0.001)) + math.log(0.001)).clamp_min(1e-4)
        with torch.no_grad():
            self.dt_proj.bias.copy_(dt + torch.log(-torch.expm1(-dt)))  # softplus(bias) = dt
            self.out_proj.weight.div_(math.sqrt(n_residual_layers))

    def inner(self, xz, carry=None, reverse=False):
        return mamba_inner(xz, self.conv1d.weight, self.conv1d.bias, self.x_proj.weight, self.dt_proj.weight,
                           self.dt_proj.bias, self.A_log, self.D, carry, reverse)

    def forward(self, u, carry=None):
        y, *carry = self.inner(F.linear(u, self.in_proj.weight), carry)
        return F.linear(y, self.out_proj.weight), carry


class RMSNorm(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, hidden, residual):
        return add_rms_norm(hidden, residual, self.weight, EPS)


class Block(nn.Module):
    def __init__(self, d_model, n_layer, ssm_cfg):
        super().__init__()
        self.mixer = Mixer(d_model, n_layer, **ssm_cfg)
        self.norm = RMSNorm(d_model)

    def forward(self, hidden, residual, carry):
        normed, residual = self.norm(hidden, residual)
        hidden, carry = self.mixer(normed, carry)
        return hidden, residual, carry


class Backbone(nn.Module):
    def __init__(self, d_model, n_layer, vocab_size, ssm_cfg):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.embedding.weight, std=0.02)
        self.layers = nn.ModuleList(Block(d_model, n_layer, ssm_cfg) for _ in range(n_layer))
        self.norm_f = RMSNorm(d_model)


class MambaLM(nn.Module):
    """ids [batch, seqlen] -> logits [batch, seqlen, vocab]; `carry` is a list by layer, None at a sequence start."""

    def __init__(self, config):
        super().__init__()
        multiple = config.get("pad_vocab_size_multiple", 8)
        vocab = -(-config["vocab_size"] // multiple) * multiple
        self.config = config
        self.backbone = Backbone(config["d_model"], config["n_layer"], vocab, config.get("ssm_cfg", {}))

    def forward(self, ids, carry=None):
        hidden, residual, after = F.embedding(ids, self.backbone.embedding.weight), None, []
        for i, layer in enumerate(self.backbone.layers):
            hidden, residual, state = layer(hidden, residual, carry[i] if carry else None)
            after.append(state)
        normed, _ = self.backbone.norm_f(hidden, residual)
        return F.linear(normed, self.backbone.embedding.weight), after
