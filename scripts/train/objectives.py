# SPDX-License-Identifier: MIT
"""What a training objective needs: a model, a data stream, a loss and a score."""

import torch
import torch.nn.functional as F

import quick_eval
from caduceus import CaduceusPS, hub_config, hub_tensors
from data import IGNORE, CausalStream, MaskedStream
from mamba import MambaLM


class Causal:
    """Next base, truncated backpropagation: a chunk starts from the state its stretch had before."""

    make_model = MambaLM
    bits = staticmethod(quick_eval.causal_bits)

    @staticmethod
    def make_stream(sampler, data):
        return CausalStream(sampler, data["chunk"], data["short_share"], data["max_chunks"], data["corrupt_rate"],
                            data["no_bos_share"])

    @staticmethod
    def tensors(model):
        return dict(model.named_parameters())

    @staticmethod
    def hub_config(config):
        return config

    @staticmethod
    def loss_function(model, stream):
        """The chunk is drawn now (in order, whatever the threads do); the work happens when the result is called."""
        inputs, targets, fresh = stream.next()
        carry = None if fresh else getattr(stream, "carry", None)

        def loss():
            logits, stream.carry = model(torch.from_numpy(inputs)[None], carry)
            wanted = torch.from_numpy(targets)
            return F.cross_entropy(logits[0], wanted, ignore_index=IGNORE), len(targets)

        return loss


class Masked:
    """Bases hidden at random, read from both sides."""

    make_model = CaduceusPS
    bits = staticmethod(quick_eval.masked_bits)
    tensors = staticmethod(hub_tensors)
    hub_config = staticmethod(hub_config)

    @staticmethod
    def make_stream(sampler, data):
        return MaskedStream(sampler, data["chunk"], data["mask_share"], data["corrupt_rate"])

    @staticmethod
    def loss_function(model, stream):
        inputs, targets = stream.next()

        def loss():
            logits = model(torch.from_numpy(inputs)[None])
            return F.cross_entropy(logits[0], torch.from_numpy(targets), ignore_index=IGNORE), len(targets)

        return loss


OBJECTIVES = {"causal": Causal, "masked": Masked}
