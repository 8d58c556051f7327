# SPDX-License-Identifier: MIT
"""The masked language model: Caduceus-PS (RC-equivariant, bidirectional, tied in_proj and out_proj, strategy "add").

The published code (fused_add_norm = true) swaps the strand halves in every block. That equals two separate streams, the
sequence and its reverse complement, through plain bidirectional blocks, where blocks of even index use reversed channels
and the two directions exchanged; test_caduceus.py compares this with the literal form.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

from data import COMPLEMENT
from mamba import EPS, Mixer, RMSNorm
from ops import add_rms_norm


class BiBlock(nn.Module):
    def __init__(self, d_model, n_layer, ssm_cfg):
        super().__init__()
        self.mamba_fwd = Mixer(d_model, n_layer, **ssm_cfg)
        self.mamba_rev = Mixer(d_model, n_layer, **ssm_cfg)
        self.mamba_rev.in_proj = self.mamba_rev.out_proj = None  # tied to mamba_fwd
        self.norm = RMSNorm(d_model)

    def forward(self, hidden, residual, reversed_channels):
        norm, w_in, w_out = self.norm.weight, self.mamba_fwd.in_proj.weight, self.mamba_fwd.out_proj.weight
        right, left = self.mamba_fwd, self.mamba_rev  # the mixers that read rightwards and leftwards
        if reversed_channels:
            norm, w_in, w_out = norm.flip(0), w_in.flip(1), w_out.flip(0)
            right, left = left, right
        normed, residual = add_rms_norm(hidden, residual, norm, EPS)
        xz = F.linear(normed, w_in)
        y = right.inner(xz)[0] + left.inner(xz, reverse=True)[0]
        return F.linear(y, w_out), residual


class CaduceusPS(nn.Module):
    """ids [batch, seqlen] -> logits [batch, seqlen, vocab]."""

    def __init__(self, config):
        super().__init__()
        multiple = config.get("pad_vocab_size_multiple", 8)
        vocab = -(-config["vocab_size"] // multiple) * multiple
        d_model, n_layer = config["d_model"], config["n_layer"]
        if n_layer % 2:
            raise ValueError("n_layer must be even: the final norm would see reversed channels")
        self.embedding = nn.Embedding(vocab, d_model)
        nn.init.normal_(self.embedding.weight, std=0.02)
        self.layers = nn.ModuleList(BiBlock(d_model, n_layer, config.get("ssm_cfg", {})) for _ in range(n_layer))
        self.norm_f = RMSNorm(d_model)
        self.register_buffer("complement", torch.from_numpy(COMPLEMENT[:vocab].astype("int64")), persistent=False)

    def forward(self, ids):
        both = torch.cat([ids, self.complement[ids.flip(1)]])
        hidden, residual = F.embedding(both, self.embedding.weight), None
        for i, layer in enumerate(self.layers):
            hidden, residual = layer(hidden, residual, i % 2 == 0)
        normed, _ = self.norm_f(hidden, residual)
        logits = F.linear(normed, self.embedding.weight)
        batch = len(ids)
        return logits[:batch] + logits[batch:].flip(1)[:, :, self.complement]


@torch.no_grad()
def start_from_causal(model, causal):
    """Begin with a causal model of the same sizes: both directions get its mixers, each half of the sum.

    The weights of even blocks are stored with reversed channels, as forward() reads them.
    """
    model.embedding.weight.copy_(causal.backbone.embedding.weight)
    model.norm_f.weight.copy_(causal.backbone.norm_f.weight)
    for i, (block, source) in enumerate(zip(model.layers, causal.backbone.layers, strict=True)):
        turn = (lambda w, *dims: w.flip(dims)) if i % 2 == 0 else (lambda w, *dims: w)
        given = dict(source.mixer.named_parameters())
        for mixer in (block.mamba_fwd, block.mamba_rev):
            for name, p in mixer.named_parameters():
                p.copy_(given[name])
        block.mamba_fwd.in_proj.weight.copy_(turn(given["in_proj.weight"], 1))
        block.mamba_fwd.out_proj.weight.copy_(turn(given["out_proj.weight"], 0) / 2)
        block.norm.weight.copy_(turn(source.norm.weight, 0))


def hub_tensors(model):
    """Names and tensors of a published Caduceus-PS safetensors file: tied tensors once."""
    prefix = "caduceus.backbone."
    tensors = {f"{prefix}embeddings.word_embeddings.embedding.weight": model.embedding.weight,
               f"{prefix}embeddings.word_embeddings.complement_map": model.complement.clone(),
               f"{prefix}norm_f.weight": model.norm_f.weight,
               "lm_head.complement_map": model.complement.clone()}
    for name, tensor in model.named_parameters():
        if name.startswith("layers."):
            _, index, rest = name.split(".", 2)
            rest = rest if rest.startswith("norm.") else f"mixer.submodule.{rest}"
            tensors[f"{prefix}layers.{index}.{rest}"] = tensor
    return tensors


def hub_config(config):
    """config.json as kuleshov-group/caduceus-ps writes it."""
    vocab = -(-config["vocab_size"] // config["pad_vocab_size_multiple"]) * config["pad_vocab_size_multiple"]
    return dict(config, model_type="caduceus", architectures=["CaduceusForMaskedLM"], norm_epsilon=EPS,
                bidirectional=True, bidirectional_strategy="add", bidirectional_weight_tie=True, rcps=True,
                complement_map={str(i): int(COMPLEMENT[i]) for i in range(vocab)}, pad_token_id=4)
