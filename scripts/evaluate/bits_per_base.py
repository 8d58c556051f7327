# SPDX-License-Identifier: MIT
"""Bits per base of the held-out genomes by the shipped app, whole contigs, beside the Markov baselines.

With --paf, also without the positions that minimap2 aligned to training data:
  minimap2 -x asm20 -c --secondary=no training.fa heldout.fa > aligned.paf      (query = held-out sequence)

  python3 scripts/evaluate/bits_per_base.py --model data/models/NAME --score "build/bin/genomamba score" \\
      --baselines data/models/NAME/baselines.tsv --out bits.tsv
"""

import argparse
import csv
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "train"))

from annotated import read_records  # noqa: E402

DATA_DIR = HERE.parents[1].parent / "shared" / "data"
DATASETS = HERE.parent / "train" / "datasets.tsv"


def heldout_files():
    with open(DATASETS) as stream:
        return [r["file"] for r in csv.DictReader(stream, delimiter="\t") if r["role"] == "heldout"]


def scores_of(command, model, fasta, work):
    """contig -> natural log-probabilities, NaN where not scored."""
    tsv, plain = work / "scores.tsv", work / "genome.fa"  # the app wants BGZF or plain; the genomes are gzip
    plain.write_text("".join(f">{name}\n{sequence}\n" for name, sequence in read_records(fasta)))
    subprocess.run([*shlex.split(command), "-m", str(model), "-f", str(plain), "--score", "logp", "--precision", "6",
                    "--tsv", str(tsv)], check=True)
    scores = {name: np.full(len(sequence), np.nan) for name, sequence in read_records(fasta)}
    with open(tsv) as stream:
        for line in stream:
            if line.startswith("#"):
                continue
            contig, start, _, _, _, logp = line.rstrip("\n").split("\t")[:6]
            if logp != ".":
                scores[contig][int(start)] = float(logp)
    return scores


def aligned_positions(paf, scores):
    """contig -> bool, covered by an alignment."""
    covered = {name: np.zeros(len(s), bool) for name, s in scores.items()}
    with open(paf) as stream:
        for line in stream:
            fields = line.split("\t")
            if fields[0] in covered:
                covered[fields[0]][int(fields[2]):int(fields[3])] = True
    return covered


def mean_bits(scores, excluded=None):
    kept = [s if excluded is None else s[~excluded[name]] for name, s in scores.items()]
    values = np.concatenate(kept)
    values = values[~np.isnan(values)]
    return -values.mean() / np.log(2), len(values)


def read_baselines(path):
    if not path:
        return {}
    with open(path) as stream:
        return {(r["genome"], r["model"]): float(r["bits_per_base"]) for r in csv.DictReader(stream, delimiter="\t")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--score", default="genomamba score", help="the scoring command")
    parser.add_argument("--baselines", help="output of markov_baseline.py")
    parser.add_argument("--paf", type=Path, help="alignments of all held-out sequences to the training data")
    parser.add_argument("--data-dir", default=DATA_DIR, type=Path)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    baselines = read_baselines(args.baselines)
    with open(args.out, "w") as out:
        print("genome", "bases", "bits", "best_markov", "adaptive_mixture", "bases_unaligned", "bits_unaligned", sep="\t", file=out)
        for file in heldout_files():
            genome = Path(file).name.removesuffix(".fa.gz")
            with tempfile.TemporaryDirectory() as work:
                scores = scores_of(args.score, args.model, args.data_dir / file, Path(work))
            bits, bases = mean_bits(scores)
            unaligned = mean_bits(scores, aligned_positions(args.paf, scores)) if args.paf else ("", "")
            row = [genome, bases, f"{bits:.4f}", *(baselines.get((genome, m), "") for m in ("best_markov", "adaptive_mixture")),
                   unaligned[1], f"{unaligned[0]:.4f}" if args.paf else ""]
            print(*row, sep="\t", file=out, flush=True)
            print(*row, flush=True)


if __name__ == "__main__":
    main()
