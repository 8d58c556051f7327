# SPDX-License-Identifier: MIT
"""Genomes with annotation: windows inside genes and outside, and the baselines that need no model."""

import gzip
import itertools
from dataclasses import dataclass

import numpy as np

LETTERS = "ACGT"
COMPLEMENT = str.maketrans("ACGTN", "TGCAN")
STOPS = {4: ("TAA", "TAG"), 1: ("TAA", "TAG", "TGA")}  # by genetic code; 4 is Mycoplasma
# What makes a stretch neither clearly coding nor clearly intergenic.
GENIC = {"CDS", "gene", "rRNA", "tRNA", "tmRNA", "ncRNA", "pseudogene", "mobile_genetic_element", "exon", "region_of_repeat",
         "long_terminal_repeat", "snRNA", "snoRNA", "transposable_element", "telomere"}


@dataclass
class AnnotatedRecord:
    name: str
    sequence: str
    coding: np.ndarray  # bool, inside a CDS
    genic: np.ndarray   # bool, inside any feature of GENIC


def open_text(path):
    return gzip.open(path, "rt") if str(path).endswith(".gz") else open(path)


def read_records(path):
    """(name, upper-case sequence) of every record."""
    name, lines = None, []
    with open_text(path) as stream:
        for line in itertools.chain(stream, [">"]):
            if line.startswith(">"):
                if name:
                    yield name, "".join(lines).upper()
                name, lines = line[1:].split()[0] if line[1:].strip() else None, []
            else:
                lines.append(line.strip())


def read_annotated(fasta, gff):
    records = {n: AnnotatedRecord(n, s, np.zeros(len(s), bool), np.zeros(len(s), bool)) for n, s in read_records(fasta)}
    with open_text(gff) as stream:
        for line in stream:
            if line.startswith("##FASTA"):
                break
            fields = line.rstrip("\n").split("\t")
            if len(fields) < 8 or fields[0] not in records or fields[2] not in GENIC:
                continue
            record, span = records[fields[0]], slice(int(fields[3]) - 1, int(fields[4]))
            record.genic[span] = True
            if fields[2] == "CDS":
                record.coding[span] = True
    return list(records.values())


def reverse_complement(sequence):
    return sequence.translate(COMPLEMENT)[::-1]


def sample_windows(records, length, per_class, rng):
    """[(sequence, is_coding)] on random strands: wholly inside CDS, or without any annotated base; only A, C, G, T."""
    wanted = {True: per_class, False: per_class}
    windows = []
    weights = np.array([max(0, len(r.sequence) - length) for r in records], float)
    for _ in range(400 * per_class):
        record = records[rng.choice(len(records), p=weights / weights.sum())]
        start = int(rng.integers(len(record.sequence) - length))
        span = slice(start, start + length)
        coding = bool(record.coding[span].all())
        if (not coding and record.genic[span].any()) or not wanted[coding]:
            continue
        sequence = record.sequence[span]
        if set(sequence) - set(LETTERS):
            continue
        wanted[coding] -= 1
        windows.append((reverse_complement(sequence) if rng.random() < 0.5 else sequence, coding))
        if not any(wanted.values()):
            break
    return windows


def kmer_counts(sequences, k=4):
    """Relative frequencies of all k-mers [n, 4^k], one strand as given."""
    index = {"".join(kmer): i for i, kmer in enumerate(itertools.product(LETTERS, repeat=k))}
    counts = np.zeros((len(sequences), len(index)), np.float32)
    for row, sequence in zip(counts, sequences):
        for i in range(len(sequence) - k + 1):
            row[index[sequence[i:i + k]]] += 1
        row /= row.sum()
    return counts


def has_open_frame(sequence, genetic_code=1):
    """Whether one of the six frames has no stop codon: the rule to beat for coding or not."""
    for strand in (sequence, reverse_complement(sequence)):
        for frame in range(3):
            if not any(strand[i:i + 3] in STOPS[genetic_code] for i in range(frame, len(strand) - 2, 3)):
                return True
    return False
