# SPDX-License-Identifier: MIT
"""Bits per base of held-out genomes under order-k Markov models and an adaptive mixture of orders 1 to 12.

Both are trained on what the language models are trained on: both strands of all but the last tenth of every training
sequence. Results go to a TSV: genome, model, bits per base, bases scored.

  python3 scripts/evaluate/markov_baseline.py --out baselines.tsv
"""

import argparse
import ctypes
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "train"))

from data import DATA_DIR, load_genomes, training_part, validation_part  # noqa: E402

MAX_ORDER = 12
ALPHA = 1.0  # pseudo-count of every base in an order-k model
OTHER_ALPHAS = (0.2, 4.0, 16.0)  # tried too, for the strongest order-k model in hindsight


class Counts:
    """counts[k] [4^k, 4] for k = 0..12, and the pointer array the library wants."""

    def __init__(self):
        self.arrays = [np.zeros(4 ** (k + 1), np.uint32) for k in range(MAX_ORDER + 1)]
        self.pointers = (ctypes.c_void_p * (MAX_ORDER + 1))(*(a.ctypes.data for a in self.arrays))

    def clear(self):
        for a in self.arrays:
            a.fill(0)


def build_library():
    folder = tempfile.mkdtemp()
    path = Path(folder) / "markov.so"
    subprocess.run(["g++", "-std=c++20", "-O3", "-march=native", "-fPIC", "-shared", str(HERE / "markov.cpp"), "-o",
                    str(path)], check=True)
    library = ctypes.CDLL(str(path))
    library.markov_bits.restype = library.mixture_bits.restype = ctypes.c_double
    return library


def as_bases(ids):
    """Token ids -> 0..3, 255 for anything that is not A, C, G or T."""
    bases = ids.astype(np.int16) - 7
    return np.where((bases >= 0) & (bases < 4), bases, 255).astype(np.uint8)


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data), ctypes.c_int64(len(array))


def markov_scores(library, trained, records, alpha=ALPHA):
    """Bits per base for k = 1..12 and the number of bases."""
    scores = []
    for order in range(1, MAX_ORDER + 1):
        scored = ctypes.c_int64(0)
        bits = sum(library.markov_bits(*pointer(r), trained.pointers, order, ctypes.c_double(alpha), ctypes.byref(scored))
                   for r in records)
        scores.append(bits / scored.value)
    return scores, scored.value


def mixture_score(library, trained, own, records, rate, weights):
    """The mixture adapts along the records of one genome; its weights start from `weights` (not changed)."""
    own.clear()
    weights, scored = weights.copy(), ctypes.c_int64(0)
    bits = sum(library.mixture_bits(*pointer(r), trained.pointers, own.pointers, ctypes.c_double(rate),
                                    ctypes.c_void_p(weights.ctypes.data), ctypes.byref(scored)) for r in records)
    return bits / scored.value, weights


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", default=DATA_DIR, type=Path)
    parser.add_argument("--out", required=True)
    parser.add_argument("--rate", type=float, default=0.002, help="learning rate of the mixture weights")
    args = parser.parse_args()
    library, trained, own = build_library(), Counts(), Counts()
    training = load_genomes(args.data_dir, "train")
    for genome in training:
        for record in genome.records:
            library.markov_count(*pointer(as_bases(training_part(record))), trained.pointers, MAX_ORDER)
    # The mixture weights are warmed up on the held-back tenths, a neutral place to learn them.
    weights = np.full((MAX_ORDER + 2, 2 * MAX_ORDER), 0.15)
    for genome in training:
        tenths = [as_bases(validation_part(r)) for r in genome.records]
        _, weights = mixture_score(library, trained, own, tenths, args.rate, weights)
    with open(args.out, "w") as out:
        out.write("genome\tmodel\tbits_per_base\tbases\n")
        for genome in load_genomes(args.data_dir, "heldout"):
            records = [as_bases(r) for r in genome.records]
            scores, bases = markov_scores(library, trained, records)
            rows = [(f"markov_{k}", s) for k, s in enumerate(scores, 1)]
            rows.append(("best_markov", min(scores)))
            others = [markov_scores(library, trained, records, alpha)[0] for alpha in OTHER_ALPHAS]
            rows.append(("best_markov_any_alpha", min(min(s) for s in [scores, *others])))
            rows.append(("adaptive_mixture", mixture_score(library, trained, own, records, args.rate, weights)[0]))
            for model, score in rows:
                out.write(f"{genome.name}\t{model}\t{score:.4f}\t{bases}\n")
            out.flush()
            print(f"{genome.name}: best order {1 + int(np.argmin(scores))} {min(scores):.4f}, "
                  f"mixture {rows[-1][1]:.4f}", flush=True)


if __name__ == "__main__":
    main()
