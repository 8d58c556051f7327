# SPDX-License-Identifier: MIT
"""A training checkpoint against order-k Markov models on the same evenly spaced pieces of every held-out genome.

A quick look in PyTorch while training goes on; each piece is read from [BOS] without the bases before it. The published
scores are of whole genomes and come from the apps.

  python3 scripts/evaluate/compare_pieces.py --checkpoint DIR/best.pt --out pieces.tsv [--pieces 8 --bases 16384]
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "train"))

from data import DATA_DIR, load_genomes, training_part  # noqa: E402
from export import averaged_model  # noqa: E402
from markov_baseline import MAX_ORDER, Counts, as_bases, build_library, markov_scores, pointer  # noqa: E402
from native import keep_heap  # noqa: E402
from objectives import OBJECTIVES  # noqa: E402
from parallel import make_pool  # noqa: E402


def pieces_of(records, n, bases):
    """n evenly spaced pieces of the records laid end to end, none across a border (there it is shorter)."""
    total, pieces = sum(map(len, records)), []
    for start in np.linspace(0, max(0, total - bases), n).astype(int):
        for record in records:
            if start < len(record):
                pieces.append(record[start:start + bases])
                break
            start -= len(record)
    return pieces


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--data-dir", default=DATA_DIR, type=Path)
    parser.add_argument("--pieces", type=int, default=8)
    parser.add_argument("--bases", type=int, default=16384)
    args = parser.parse_args()
    keep_heap()
    model, state = averaged_model(args.checkpoint)
    bits = OBJECTIVES[state["config"]["objective"]].bits
    pool, library, trained = make_pool(os.cpu_count()), build_library(), Counts()
    for genome in load_genomes(args.data_dir, "train"):
        for record in genome.records:
            library.markov_count(*pointer(as_bases(training_part(record))), trained.pointers, MAX_ORDER)
    with open(args.out, "w") as out:
        out.write("genome\tbases\tbits\tmarkov_bits\tmarkov_order\tgain\n")
        for genome in load_genomes(args.data_dir, "heldout"):
            pieces = pieces_of(genome.records, args.pieces, args.bases)
            lengths = np.array([len(p) for p in pieces])
            mean = float(np.dot(list(pool.map(lambda p: bits(model, p), pieces)), lengths) / lengths.sum())
            scores, _ = markov_scores(library, trained, [as_bases(p) for p in pieces])
            best = min(scores)
            row = [genome.name, lengths.sum(), f"{mean:.4f}", f"{best:.4f}", 1 + scores.index(best), f"{best - mean:.4f}"]
            out.write("\t".join(map(str, row)) + "\n")
            out.flush()
            print(*row, flush=True)


if __name__ == "__main__":
    main()
