# SPDX-License-Identifier: MIT
"""Synonymous against non-synonymous substitutions in genes of a held-out genome, by the shipped app.

Single-base changes at random places of annotated genes (CDS of one part, ATG to stop, genetic code 11), half of them
synonymous, stops left out. AUC of GM_LLR: does the model give the change that keeps the protein the higher score, never
having been told gene or frame? Beside it, what is known when gene and frame are known: the codon table alone (synonymous or
not, AUC 1 by definition), the log ratio of codon usage in training genes, Blosum62; and a baseline that knows neither, the
order-0 log ratio of the two letters (transitions and composition).

  python3 scripts/evaluate/snv_scores.py --model data/models/NAME --variants "build/bin/genomamba variants" --out snv.tsv
"""

import argparse
import shlex
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
from Bio.Align import substitution_matrices
from Bio.Data.CodonTable import unambiguous_dna_by_id
from sklearn.metrics import roc_auc_score

from annotated import LETTERS, open_text, read_records, reverse_complement

DATA_DIR = Path(__file__).resolve().parents[2].parent / "shared" / "data"
HELDOUT = "heldout_bacteria/Haemophilus_influenzae_Rd_KW20"
TRAINING = "train_bacteria/Escherichia_coli_K12_MG1655"
TABLE = unambiguous_dna_by_id[11]


def genes(fasta, gff):
    """(contig, start 0-based, strand, sequence as read) of each CDS of one part that is a whole open reading frame."""
    records = dict(read_records(fasta))
    spans = Counter()
    with open_text(gff) as stream:
        for line in stream:
            if line.startswith("##FASTA"):
                break
            f = line.rstrip("\n").split("\t")
            if len(f) >= 8 and f[2] == "CDS" and f[0] in records:
                spans[f[0], int(f[3]) - 1, int(f[4]), f[6]] += 1
    for contig, start, end, strand in spans:
        sequence = records[contig][start:end]
        sequence = reverse_complement(sequence) if strand == "-" else sequence
        codons = [sequence[i:i + 3] for i in range(0, len(sequence), 3)]
        whole = len(sequence) % 3 == 0 and len(codons) > 50 and codons[-1] in TABLE.stop_codons
        if whole and all(c in TABLE.forward_table for c in codons[:-1]):
            yield contig, start, strand, sequence


def sample(all_genes, per_class, rng):
    """[(contig, position 0-based, ref, alt, codon before, codon after)], letters of the forward strand."""
    wanted, chosen, seen = {True: per_class, False: per_class}, [], set()
    lengths = np.array([len(g[3]) for g in all_genes], float)
    while any(wanted.values()):
        contig, start, strand, sequence = all_genes[rng.choice(len(all_genes), p=lengths / lengths.sum())]
        at = int(rng.integers(3, len(sequence) - 3))
        before = sequence[at // 3 * 3:at // 3 * 3 + 3]
        letter = str(rng.choice([c for c in LETTERS if c != sequence[at]]))
        after = before[:at % 3] + letter + before[at % 3 + 1:]
        position = start + (at if strand == "+" else len(sequence) - 1 - at)
        if after in TABLE.stop_codons or (contig, position) in seen:
            continue
        synonymous = TABLE.forward_table[before] == TABLE.forward_table[after]
        if not wanted[synonymous]:
            continue
        wanted[synonymous] -= 1
        seen.add((contig, position))
        ref, alt = (sequence[at], letter) if strand == "+" else map(reverse_complement, (sequence[at], letter))
        chosen.append((contig, position, ref, alt, before, after))
    return sorted(chosen)


def llr_of(command, model, fasta, snvs):
    with tempfile.TemporaryDirectory() as folder:
        reference, vcf, out = (Path(folder) / name for name in ("reference.fa", "snvs.vcf", "scored.vcf"))
        reference.write_text("".join(f">{n}\n{s}\n" for n, s in read_records(fasta)))
        contigs = "".join(f"##contig=<ID={name}>\n" for name, _ in read_records(fasta))
        lines = "".join(f"{c}\t{p + 1}\t.\t{r}\t{a}\t.\t.\t.\n" for c, p, r, a, *_ in snvs)
        vcf.write_text(f"##fileformat=VCFv4.2\n{contigs}#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n{lines}")
        subprocess.run([*shlex.split(command), "-m", str(model), "-f", str(reference), "-O", "v", "-o", str(out), str(vcf)],
                       check=True)
        rows = [line.split("\t") for line in out.read_text().splitlines() if not line.startswith("#")]
    info = [dict(field.split("=", 1) for field in row[7].split(";") if "=" in field) for row in rows]
    return np.array([float(i["GM_LLR"]) for i in info])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--variants", default="genomamba variants", help="the scoring command, with options if any")
    parser.add_argument("--data-dir", default=DATA_DIR, type=Path)
    parser.add_argument("--per-class", type=int, default=1000)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    rng = np.random.default_rng(20260301)
    fasta, gff = (args.data_dir / f"{HELDOUT}.{end}" for end in ("fa.gz", "gff.gz"))
    snvs = sample(list(genes(fasta, gff)), args.per_class, rng)
    protein = TABLE.forward_table
    synonymous = np.array([protein[b] == protein[a] for *_, b, a in snvs])
    usage = Counter(g[3][i:i + 3] for g in genes(*(args.data_dir / f"{TRAINING}.{end}" for end in ("fa.gz", "gff.gz")))
                    for i in range(0, len(g[3]), 3))
    letters = Counter("".join(g[3] for g in genes(fasta, gff)))
    blosum = substitution_matrices.load("BLOSUM62")
    methods = {
        "model": llr_of(args.variants, args.model, fasta, snvs),
        "letters": np.array([np.log(letters[a] / letters[r]) for _, _, r, a, *_ in snvs]),
        "codon usage (knows the frame)": np.array([np.log((usage[a] + 1) / (usage[b] + 1)) for *_, b, a in snvs]),
        "Blosum62 (knows the frame)": np.array([blosum[protein[b]][protein[a]] for *_, b, a in snvs]),
        "codon table (knows the frame)": synonymous.astype(float),
    }
    with open(args.out, "w") as out:
        print("method", "substitutions", "auc", "low", "high", sep="\t", file=out)
        for name, scores in methods.items():
            draws = [rng.integers(len(snvs), size=len(snvs)) for _ in range(1000)]
            low, high = np.percentile([roc_auc_score(synonymous[d], scores[d]) for d in draws], [2.5, 97.5])
            print(name, len(snvs), f"{roc_auc_score(synonymous, scores):.4f}", f"{low:.4f}", f"{high:.4f}", sep="\t", file=out)
    print(Path(args.out).read_text(), end="")


if __name__ == "__main__":
    main()
