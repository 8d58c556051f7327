# SPDX-License-Identifier: MIT
"""Bits per base on small slices, for the training log and for choosing weights. The published scores come from the
apps; these slices are only a compass."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from data import BOS, IGNORE, mask, targets_of, validation_part

CHUNK = 4096


def slices(genomes, role, bases):
    """name -> token ids; validation: from the held-back tenths of a training genome; else from inside the genome."""
    chosen = {}
    for g in genomes:
        parts = [validation_part(r) for r in g.records] if role == "train" else g.records
        part = max(parts, key=len)
        start = 0 if role == "train" else max(0, len(part) // 3 - bases // 2)
        chosen[g.name] = part[start:start + bases]
    return chosen


@torch.no_grad()
def causal_bits(model, ids):
    """Mean bits per base of one sequence read from [BOS] with carried state."""
    targets = torch.from_numpy(targets_of(ids))
    inputs = torch.cat([torch.tensor([BOS]), torch.from_numpy(ids.astype("int64"))[:-1]])
    total, carry = 0.0, None
    for i in range(0, len(ids), CHUNK):
        logits, carry = model(inputs[None, i:i + CHUNK], carry)
        total += float(F.cross_entropy(logits[0], targets[i:i + CHUNK], ignore_index=IGNORE, reduction="sum"))
    return total / int((targets != IGNORE).sum()) / math.log(2)


@torch.no_grad()
def masked_bits(model, ids, window=1024):
    """Mean bits per masked base, 15 % masked at fixed random places, in windows of their own."""
    rng = np.random.Generator(np.random.PCG64(len(ids)))
    total = count = 0
    for i in range(0, len(ids) - window + 1, window):
        inputs, targets = (torch.from_numpy(x) for x in mask(ids[i:i + window], 0.15, rng, always=True))
        logits = model(inputs[None])
        total += float(F.cross_entropy(logits[0], targets, ignore_index=IGNORE, reduction="sum"))
        count += int((targets != IGNORE).sum())
    return total / count / math.log(2)


def evaluate(pool, bits, model, chosen):
    return dict(zip(chosen, pool.map(lambda ids: bits(model, ids), chosen.values())))
