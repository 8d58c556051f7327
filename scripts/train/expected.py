# SPDX-License-Identifier: MIT
"""What PyTorch computes with a bundled model's published weights: a file for `genomamba model verify --expected`.

  python3 scripts/train/expected.py --model data/models/NAME --out tests/golden/bundled/NAME.safetensors

Cases: 600 bases of phage lambda, and the same with N, masks and other tokens strewn in; from [BOS] for a causal model.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

from data import BOS, read_fasta
from export import published_model

LAMBDA = Path(__file__).resolve().parents[2] / "data" / "sequences" / "lambda.fa.gz"
BASES = slice(16000, 16600)  # in gene J


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    args = parser.parse_args()
    model, objective = published_model(args.model)
    ids = read_fasta(LAMBDA)[0][BASES].astype("int64")
    strewn = ids.copy()
    places = np.random.default_rng(1).choice(len(ids), 60, replace=False)
    strewn[places] = np.arange(60) % 12
    tensors = {}
    for name, case in (("lambda", ids), ("strewn", strewn)):
        case = torch.from_numpy(np.concatenate([[BOS], case]) if objective == "causal" else case)
        logits = model(case[None])
        tensors[f"{name}.input_ids"] = case.to(torch.int32)
        tensors[f"{name}.logits"] = (logits[0] if objective == "causal" else logits)[0].contiguous()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors, args.out)
    args.out.chmod(0o644)


if __name__ == "__main__":
    main()
