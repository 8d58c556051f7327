# SPDX-License-Identifier: MIT
"""Genomes as Caduceus token ids, and endless streams of training chunks cut from them."""

import csv
import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

CLS, SEP, BOS, MASK, PAD, RESERVED, UNK, A, C, G, T, N = range(12)
IGNORE = -100  # target that does not count: anything but A, C, G, T

TO_ID = np.full(256, UNK, np.uint8)
for _letter, _id in zip("ACGTN", (A, C, G, T, N)):
    TO_ID[ord(_letter)] = TO_ID[ord(_letter.lower())] = _id
COMPLEMENT = np.arange(16, dtype=np.uint8)
COMPLEMENT[[A, C, G, T]] = [T, G, C, A]

DATASETS = Path(__file__).resolve().parent / "datasets.tsv"
DATA_DIR = Path(__file__).resolve().parents[2].parent / "shared" / "data"


@dataclass
class Genome:
    name: str
    clade: str
    role: str
    records: list  # token ids of each sequence, whole


def read_fasta(path: Path) -> list:
    """Token ids of every record."""
    records, lines = [], []
    with gzip.open(path, "rb") as stream:
        for line in stream:
            if line.startswith(b">"):
                records.append(b"".join(lines))
                lines = []
            else:
                lines.append(line.strip())
    records.append(b"".join(lines))
    return [TO_ID[np.frombuffer(r, np.uint8)] for r in records if r]


def load_genomes(data_dir: Path, role: str) -> list:
    """The files of datasets.tsv with that role; a file whose checksum differs is refused."""
    genomes = []
    with open(DATASETS) as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            if row["role"] != role:
                continue
            path = Path(data_dir) / row["file"]
            digest = hashlib.md5(path.read_bytes()).hexdigest()
            if digest != row["md5"]:
                raise ValueError(f"{path}: md5 {digest}, expected {row['md5']}")
            genomes.append(Genome(path.name.removesuffix(".fa.gz"), row["clade"], role, read_fasta(path)))
    return genomes


def training_part(record):
    """All but the last tenth, which is kept for validation."""
    return record[: len(record) * 9 // 10]


def validation_part(record):
    return record[len(record) * 9 // 10:]


def reverse_complement(ids):
    return COMPLEMENT[ids[::-1]]


class Sampler:
    """Draws a genome (share of its clade, then by length ** power), a record by length, a position and a strand."""

    def __init__(self, genomes, clade_shares, length_power, rng):
        self.rng = rng
        self.records, shares = [], []
        for clade, share in clade_shares.items():
            members = [g for g in genomes if g.clade == clade]
            sizes = np.array([sum(map(len, g.records)) for g in members], float) ** length_power
            for genome, size in zip(members, sizes / sizes.sum()):
                parts = [training_part(r) for r in genome.records]
                total = sum(map(len, parts))
                for part in parts:
                    self.records.append(part)
                    shares.append(share * size * len(part) / total)
        self.shares = np.array(shares) / sum(shares)

    def draw(self, length):
        """Up to `length` consecutive bases of a random strand (fewer if the record is shorter)."""
        record = self.records[self.rng.choice(len(self.records), p=self.shares)]
        length = min(length, len(record))
        start = self.rng.integers(len(record) - length + 1)
        piece = record[start:start + length]
        return reverse_complement(piece) if self.rng.random() < 0.5 else piece.copy()


def corrupt(ids, rng, rate):
    """With probability `rate` put a run of N, or else one unknown letter, in place, so that both are known inputs."""
    if rng.random() >= rate:
        return
    position = rng.integers(len(ids))
    if rng.random() < 0.5:
        ids[position:position + int(2 ** rng.uniform(0, 7))] = N
    else:
        ids[position] = UNK


def targets_of(ids):
    """Cross-entropy targets: the four bases count, nothing else."""
    targets = ids.astype(np.int64)
    targets[(targets < A) | (targets > T)] = IGNORE
    return targets


class CausalStream:
    """Consecutive chunks of one stretch of genome, then of the next; the state is to be carried while `fresh` is false.

    A stretch starts with [BOS], as the tokenizer does for scores, but for a share without it, as embeddings are made.
    Its length is one chunk with probability `short_share`, else log-uniform up to `max_chunks` chunks.
    """

    def __init__(self, sampler, chunk, short_share, max_chunks, corrupt_rate, no_bos_share):
        self.sampler, self.chunk, self.no_bos_share = sampler, chunk, no_bos_share
        self.short_share, self.max_chunks, self.corrupt_rate = short_share, max_chunks, corrupt_rate
        self.stretch, self.position = np.empty(0, np.uint8), 0

    def next(self):
        """(inputs [chunk], targets [chunk], fresh)"""
        if self.position + self.chunk > len(self.stretch):
            rng = self.sampler.rng
            n_chunks = 1 if rng.random() < self.short_share else int(2 ** rng.uniform(1, np.log2(self.max_chunks)))
            start = [] if rng.random() < self.no_bos_share else [BOS]
            stretch = self.sampler.draw(n_chunks * self.chunk + 1 - len(start))
            for begin in range(0, len(stretch), self.chunk):
                corrupt(stretch[begin:begin + self.chunk], rng, self.corrupt_rate)
            self.stretch, self.position = np.concatenate([np.array(start, np.uint8), stretch]), 1
        p = self.position
        self.position += self.chunk
        return self.stretch[p - 1:p - 1 + self.chunk].astype(np.int64), targets_of(self.stretch[p:p + self.chunk]), p == 1


class MaskedStream:
    """Windows with 15 % of the positions chosen: 80 % of those become [MASK], 10 % a random base, 10 % stay."""

    def __init__(self, sampler, chunk, mask_share, corrupt_rate):
        self.sampler, self.chunk, self.mask_share, self.corrupt_rate = sampler, chunk, mask_share, corrupt_rate

    def next(self):
        """(inputs [chunk], targets [chunk]); records shorter than a chunk give shorter windows."""
        rng = self.sampler.rng
        ids = self.sampler.draw(self.chunk)
        corrupt(ids, rng, self.corrupt_rate)
        return mask(ids, self.mask_share, rng)


def mask(ids, share, rng, always=False):
    """Masked inputs and targets (IGNORE where not chosen); `always` uses [MASK] only, for evaluation."""
    chosen = rng.random(len(ids)) < share
    how = rng.random(len(ids))
    inputs = ids.astype(np.int64)
    inputs[chosen & ((how < 0.8) | always)] = MASK
    if not always:
        random = chosen & (how >= 0.8) & (how < 0.9)
        inputs[random] = rng.integers(A, T + 1, random.sum())
    return inputs, np.where(chosen, targets_of(ids), IGNORE)
