# SPDX-License-Identifier: MIT
"""Annotated starts against other ATGs in bacteria (../shared/data/benchmarks/bacteria_start_codon_120.csv.gz).

Features of the model: the mean embedding of the window and that of its last base, from the shipped app. Logistic
regression, its strength chosen on the `valid` rows; the test rows are Haemophilus. The same classifier gets the bases
one-hot by position, and 4-mer frequencies.

  python3 scripts/evaluate/start_codons.py --model data/models/NAME --embed "build/bin/genomamba embed" --out starts.tsv
"""

import argparse
import csv
import gzip
import shlex
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from annotated import LETTERS, kmer_counts

DATA_DIR = Path(__file__).resolve().parents[2].parent / "shared" / "data"
STRENGTHS = (0.001, 0.01, 0.1, 1.0)


def read_rows(path):
    with gzip.open(path, "rt") as stream:
        rows = list(csv.DictReader(stream))
    return {s: [r for r in rows if r["split"] == s] for s in ("train", "valid", "test")}


def embed(command, model, sequences):
    """[n, 2 width]: mean over the window, and the last base."""
    parts = []
    with tempfile.TemporaryDirectory() as folder:
        fasta = Path(folder) / "windows.fa"
        fasta.write_text("".join(f">w{i}\n{s}\n" for i, s in enumerate(sequences)))
        for pool in ("mean", "last"):
            out = Path(folder) / f"{pool}.npy"
            subprocess.run([*shlex.split(command), "-m", str(model), "--pool", pool, "-o", str(out), str(fasta)], check=True)
            parts.append(np.load(out).astype(np.float32))
    return np.concatenate(parts, 1)


def one_hot(sequences):
    codes = np.array([[LETTERS.find(c) for c in s] for s in sequences])
    return (codes[:, :, None] == np.arange(4)).reshape(len(sequences), -1).astype(np.float32)


def classify(features, labels):
    """(accuracy, AUC) on test with the strength that is best on valid; features and labels by split."""
    best = None
    for strength in STRENGTHS:
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000, C=strength))
        model.fit(features["train"], labels["train"])
        score = model.score(features["valid"], labels["valid"])
        if best is None or score > best[0]:
            best = (score, model)
    model = best[1]
    probabilities = model.predict_proba(features["test"])[:, 1]
    return model.score(features["test"], labels["test"]), roc_auc_score(labels["test"], probabilities)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--embed", default="genomamba embed", help="the embedding command")
    parser.add_argument("--data-dir", default=DATA_DIR, type=Path)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    rows = read_rows(args.data_dir / "benchmarks" / "bacteria_start_codon_120.csv.gz")
    sequences = {s: [r["sequence"] for r in part] for s, part in rows.items()}
    labels = {s: np.array([r["label"] == "start" for r in part]) for s, part in rows.items()}
    everything = [s for part in sequences.values() for s in part]
    methods = {"model": embed(args.embed, args.model, everything), "positions one-hot": one_hot(everything),
               "4-mers": kmer_counts(everything)}
    borders = np.cumsum([0, *(len(part) for part in sequences.values())])
    with open(args.out, "w") as out:
        print("method", "test_windows", "accuracy", "auc", sep="\t", file=out)
        for name, matrix in methods.items():
            features = {s: matrix[a:b] for s, a, b in zip(sequences, borders, borders[1:])}
            accuracy, auc = classify(features, labels)
            row = [name, len(labels["test"]), f"{accuracy:.4f}", f"{auc:.4f}"]
            print(*row, sep="\t", file=out)
            print(*row, flush=True)


if __name__ == "__main__":
    main()
