# SPDX-License-Identifier: MIT
"""Training rate of a configuration on random bases: forward, backward and the sum of gradients, without the optimizer.

  python3 scripts/train/benchmark.py --config scripts/train/configs/causal.json [--layers 4] [--peak-gflops 206]

The share of peak counts the matrix products and the scan's multiplications and additions, forward and backward (three
times the forward pass); exponentials, recomputation, norms and gates are not counted.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch

from native import keep_heap
from objectives import OBJECTIVES
from parallel import make_pool, mean_gradient


class RandomBases:
    """Stands in for data.Sampler."""

    def __init__(self, seed):
        self.rng = np.random.Generator(np.random.PCG64(seed))

    def draw(self, length):
        return self.rng.integers(7, 11, length).astype(np.uint8)


def flops_per_base(model, objective):
    """Multiplications and additions of training one base."""
    streams = 2 if objective == "masked" else 1  # Caduceus-PS reads the sequence and its reverse complement
    matrices = sum(p.numel() for n, p in model.named_parameters() if p.dim() == 2 and not n.endswith("A_log"))
    states = sum(p.numel() for n, p in model.named_parameters() if n.endswith("A_log"))
    return streams * 3 * (2 * matrices + 6 * states)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", required=True)
    parser.add_argument("--layers", type=int, help="instead of the configuration's n_layer")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--peak-gflops", type=float, help="measured FMA peak of the threads used")
    args = parser.parse_args()
    keep_heap()
    config = json.loads(Path(args.config).read_text())
    if args.layers:
        config["model"]["n_layer"] = args.layers
    objective = OBJECTIVES[config["objective"]]
    torch.manual_seed(1)
    model = objective.make_model(config["model"])
    params = list(model.parameters())
    streams = [objective.make_stream(RandomBases(i), config["data"]) for i in range(config["data"]["microbatches"])]
    pool, rates = make_pool(args.threads), []
    for _ in range(args.steps):
        began = time.perf_counter()
        _, results = mean_gradient(pool, params, [objective.loss_function(model, s) for s in streams])
        rates.append(sum(n for _, n in results) / (time.perf_counter() - began))
    flops = flops_per_base(model, config["objective"])
    n_params = sum(p.numel() for p in params)
    print(f"{n_params} parameters, {args.threads} threads: median {np.median(rates):.0f}, best {max(rates):.0f} bases/s; "
          f"{flops / 1e6:.2f} MFLOP a base, {flops * max(rates) / 1e9:.1f} GFLOP/s at best", end="")
    print(f", {100 * flops * max(rates) / 1e9 / args.peak_gflops:.0f} % of peak" if args.peak_gflops else "")


if __name__ == "__main__":
    main()
