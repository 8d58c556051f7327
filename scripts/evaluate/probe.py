# SPDX-License-Identifier: MIT
"""Linear probe on frozen mean embeddings: is a window coding or not, and which clade is it from?

Windows are cut from annotated genomes (seeded), embedded by the shipped app, and classified by logistic regression; the same
classifier gets 4-mer frequencies. The rule "one of six frames is open" needs no training. Differences come with a
paired bootstrap interval.

  python3 scripts/evaluate/probe.py --model data/models/NAME --embed "build/bin/genomamba embed" --out probe.tsv
"""

import argparse
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from annotated import has_open_frame, kmer_counts, read_annotated, sample_windows

DATA_DIR = Path(__file__).resolve().parents[2].parent / "shared" / "data"
SEED = 7
CODING_TRAIN = {
    "haemophilus": [f"train_bacteria/{n}" for n in ("Escherichia_coli_K12_MG1655", "Mycobacterium_tuberculosis_H37Rv",
                                                    "Streptococcus_pyogenes_M1_GAS", "Neisseria_meningitidis_MC58",
                                                    "Brucella_melitensis_16M")],
    "yeast": ["train_yeast/Saccharomyces_cerevisiae_S288C_R64_train"],
}
CODING_TEST = {"haemophilus": "heldout_bacteria/Haemophilus_influenzae_Rd_KW20",
               "yeast": "heldout_yeast_phage/Saccharomyces_cerevisiae_S288C_R64_chrIII_X"}
CLADES = {"bacteria": (CODING_TRAIN["haemophilus"], [CODING_TEST["haemophilus"], "heldout_bacteria/Paracoccus_sp_SCN_68-21_draft"]),
          "yeast": (CODING_TRAIN["yeast"], [CODING_TEST["yeast"]]),
          "phage": (["train_phage/phages14"], ["heldout_yeast_phage/Enterobacteria_phage_lambda"])}


def embed(command, model, sequences):
    """Mean embeddings [n, width] of the shipped app, in order."""
    with tempfile.TemporaryDirectory() as folder:
        fasta, out = Path(folder) / "windows.fa", Path(folder) / "windows.npy"
        fasta.write_text("".join(f">w{i}\n{s}\n" for i, s in enumerate(sequences)))
        subprocess.run([*shlex.split(command), "-m", str(model), "--pool", "mean", "-o", str(out), str(fasta)], check=True)
        vectors = np.load(out)
    if len(vectors) != len(sequences):
        raise ValueError(f"{len(vectors)} rows for {len(sequences)} windows")
    return vectors.astype(np.float32)


def load(data_dir, name):
    gff = data_dir / f"{name}.gff.gz"
    return read_annotated(data_dir / f"{name}.fa.gz", gff if gff.exists() else "/dev/null")


def fit_predict(train_x, train_y, test_x):
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000, C=0.1))
    return model.fit(train_x, train_y).predict(test_x)


def paired_interval(right_a, right_b, rng, n=2000):
    """95 % bootstrap interval of the difference in accuracy on the same windows."""
    difference = right_a.astype(float) - right_b
    means = [difference[rng.integers(len(difference), size=len(difference))].mean() for _ in range(n)]
    return np.percentile(means, [2.5, 97.5])


def report(rows, task, truth, predictions):
    """One row a method: accuracy, and the model's advantage over it with its interval."""
    rng = np.random.default_rng(SEED)
    right = {name: np.asarray(p) == truth for name, p in predictions.items()}
    for name, r in right.items():
        low, high = paired_interval(right["model"], r, rng) if name != "model" else ("", "")
        row = [task, name, len(r), f"{r.mean():.4f}", *(f"{x:.4f}" if x != "" else "" for x in (low, high))]
        rows.append(row)
        print(*row, flush=True)


def coding_task(args, task, rows):
    rng = np.random.default_rng(SEED)
    train = [w for name in CODING_TRAIN[task]
             for w in sample_windows(load(args.data_dir, name), args.length, args.per_class, rng)]
    test = sample_windows(load(args.data_dir, CODING_TEST[task]), args.length, 2 * args.per_class, rng)
    (train_s, train_y), (test_s, test_y) = (map(np.array, zip(*w)) for w in (train, test))
    report(rows, f"coding_{task}", test_y, {
        "model": fit_predict(embed(args.embed, args.model, train_s), train_y, embed(args.embed, args.model, test_s)),
        "4-mers": fit_predict(kmer_counts(train_s), train_y, kmer_counts(test_s)),
        "open_frame": [has_open_frame(s) for s in test_s]})


def any_windows(records, length, n, rng):
    """n windows from anywhere."""
    sizes = np.array([max(0, len(r.sequence) - length) for r in records], float)
    picks = rng.choice(len(records), size=n, p=sizes / sizes.sum())
    starts = [int(rng.integers(len(records[i].sequence) - length)) for i in picks]
    return [records[i].sequence[s:s + length] for i, s in zip(picks, starts)]


def clade_task(args, rows):
    rng = np.random.default_rng(SEED)
    sets = ([], [])
    for clade, files in CLADES.items():
        for part, names in zip(sets, files):
            for name in names:
                share = args.per_class // len(names)
                part += [(s, clade) for s in any_windows(load(args.data_dir, name), args.length, share, rng)
                         if not set(s) - set("ACGT")]
    (train_s, train_y), (test_s, test_y) = (map(np.array, zip(*part)) for part in sets)
    report(rows, "clade", test_y, {
        "model": fit_predict(embed(args.embed, args.model, train_s), train_y, embed(args.embed, args.model, test_s)),
        "4-mers": fit_predict(kmer_counts(train_s), train_y, kmer_counts(test_s))})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--embed", default="genomamba embed", help="the embedding command")
    parser.add_argument("--out", required=True)
    parser.add_argument("--data-dir", default=DATA_DIR, type=Path)
    parser.add_argument("--length", type=int, default=300)
    parser.add_argument("--per-class", type=int, default=1500, help="windows of each class from each training genome")
    args = parser.parse_args()
    rows = []
    coding_task(args, "haemophilus", rows)
    coding_task(args, "yeast", rows)
    clade_task(args, rows)
    with open(args.out, "w") as out:
        print("task", "method", "windows", "accuracy", "advantage_low", "advantage_high", sep="\t", file=out)
        for row in rows:
            print(*row, sep="\t", file=out)


if __name__ == "__main__":
    sys.exit(main())
