# SPDX-License-Identifier: MIT
"""How well a masked model guesses hidden bases of held-out genomes, and what cheaper masking changes; by the shipped app.

Seeded stretches of each held-out genome are scored with --mask-spacing 0 (one hidden base at a time), with 8 (every 8th
hidden together, the default) and with --method unmasked (the base is seen). Accuracy: the base has the largest of the four
probabilities. Bits: mean of -log2 P(base). Difference: of ln P from spacing 0, mean of its size.

  python3 scripts/evaluate/masked_accuracy.py --model data/models/NAME --score "build/bin/genomamba score" --out masked.tsv
"""

import argparse
import csv
import shlex
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from annotated import LETTERS, read_records

DATA_DIR = Path(__file__).resolve().parents[2].parent / "shared" / "data"
DATASETS = Path(__file__).resolve().parents[1] / "train" / "datasets.tsv"
METHODS = {"spacing 0": ["--method", "masked", "--mask-spacing", "0"],
           "spacing 8": ["--method", "masked", "--mask-spacing", "8"],
           "unmasked": ["--method", "unmasked"]}


def score(command, model, fasta, bed, options, work):
    """(letters, probabilities [n, 4]) of the regions' positions."""
    out = work / "scores.tsv"
    subprocess.run([*shlex.split(command), "-m", str(model), "-f", str(fasta), "-R", str(bed), "--score", "probs",
                    "--precision", "6", *options, "--tsv", str(out)], check=True)
    rows = [line.rstrip("\n").split("\t") for line in out.read_text().splitlines() if not line.startswith("#")]
    rows = [r for r in rows if r[3] in LETTERS]
    return np.array([LETTERS.index(r[3]) for r in rows]), np.array([[float(x) for x in r[-4:]] for r in rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--score", default="genomamba score", help="the scoring command")
    parser.add_argument("--data-dir", default=DATA_DIR, type=Path)
    parser.add_argument("--stretches", type=int, default=20, help="of each genome")
    parser.add_argument("--length", type=int, default=100, help="of a stretch")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    with open(DATASETS) as stream:
        files = [r["file"] for r in csv.DictReader(stream, delimiter="\t") if r["role"] == "heldout"]
    rng = np.random.default_rng(20260401)
    with open(args.out, "w") as out, tempfile.TemporaryDirectory() as folder:
        print("genome", "method", "bases", "accuracy", "bits", "difference", sep="\t", file=out)
        for file in files:
            work = Path(folder)
            records = [(n, s) for n, s in read_records(args.data_dir / file) if len(s) > 5000]
            sizes = np.array([len(s) for _, s in records], float)
            (work / "reference.fa").write_text("".join(f">{n}\n{s}\n" for n, s in records))
            picks = [records[i] for i in rng.choice(len(records), size=args.stretches, p=sizes / sizes.sum())]
            starts = [int(rng.integers(1000, len(s) - 1000 - args.length)) for _, s in picks]
            (work / "regions.bed").write_text("".join(f"{n}\t{b}\t{b + args.length}\n" for (n, _), b in zip(picks, starts)))
            exact = None
            for name, options in METHODS.items():
                letters, p = score(args.score, args.model, work / "reference.fa", work / "regions.bed", options, work)
                own = np.log(np.maximum(p[np.arange(len(letters)), letters], 1e-9))
                exact = own if exact is None else exact
                row = [Path(file).name.removesuffix(".fa.gz"), name, len(letters), f"{(p.argmax(1) == letters).mean():.4f}",
                       f"{-own.mean() / np.log(2):.4f}", f"{np.abs(own - exact).mean():.4f}"]
                print(*row, sep="\t", file=out, flush=True)
                print(*row, flush=True)


if __name__ == "__main__":
    main()
