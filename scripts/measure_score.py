#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`genomamba score` over a whole genome, in turns with `genomamba bench` of the same model: the ratio of their rates, the
peak memory, and whether the three tracks of one run hold the same numbers.

usage: scripts/measure_score.py GENOME.fa[.gz] [--model NAME] [--threads N] [--pairs N] [--work-dir DIR]
Needs build/release, pysam and pyBigWig. Fails above 400 MB, or where TSV, bedGraph and bigWig differ.
"""

import argparse
import gzip
import json
import math
import shutil
import statistics
import struct
import subprocess
import sys
from pathlib import Path

import pyBigWig
import pysam

LIMIT_MB = 400
ROOT = Path(__file__).resolve().parent.parent


def plain_copy(genome, work):
    """The genome as plain FASTA: a gzip that is not BGZF cannot be indexed."""
    path = work / "genome.fa"
    opened = gzip.open(genome, "rb") if genome.suffix == ".gz" else open(genome, "rb")
    with opened as source, open(path, "wb") as out:
        shutil.copyfileobj(source, out)
    return path


def bench_rate(app, args):
    """Tokens a second of one long sequence, at args.threads."""
    done = subprocess.run([app, "bench", "-m", args.model, "-@", str(args.threads), "--runs", "1", "--json"], check=True,
                          capture_output=True, text=True)
    long_ones = [r for r in json.loads(done.stdout)["end_to_end"] if r["reads"] == 1 and r["threads"] == args.threads]
    return long_ones[0]["tokens_per_second"]


def score(app, args, genome, work):
    report = work / "report.json"
    subprocess.run([app, "score", "--quiet", "-m", args.model, "-f", genome, "--context", "whole", "-@", str(args.threads),
                    "-o", work / "s.tsv.gz", "--bedgraph", work / "s.bedgraph.gz", "--bigwig", work / "s.bw",
                    "--report", report], check=True)
    return json.loads(report.read_text())


def rounded(text):
    """A decimal of the text outputs as the float32 that a bigWig holds."""
    return struct.unpack("f", struct.pack("f", float(text)))[0]


def compare(work):
    """Positions of which TSV (by tabix), bedGraph (by tabix) and bigWig (by pyBigWig) say the same."""
    tsv, graph = pysam.TabixFile(str(work / "s.tsv.gz")), pysam.TabixFile(str(work / "s.bedgraph.gz"))
    wig = pyBigWig.open(str(work / "s.bw"))
    same = 0
    for contig, length in wig.chroms().items():
        for begin in range(0, length, 1 << 17):
            end = min(length, begin + (1 << 17))
            from_tsv, from_graph = [math.nan] * (end - begin), [math.nan] * (end - begin)
            if contig in tsv.contigs:
                for row in tsv.fetch(contig, begin, end):
                    fields = row.split("\t")
                    if fields[5] != ".":
                        from_tsv[int(fields[1]) - begin] = rounded(fields[5])
            if contig in graph.contigs:
                for row in graph.fetch(contig, begin, end):
                    _, first, last, value = row.split("\t")
                    for i in range(max(begin, int(first)), min(end, int(last))):
                        from_graph[i - begin] = rounded(value)
            for i, values in enumerate(zip(from_tsv, from_graph, wig.values(contig, begin, end))):
                if not (values[0] == values[1] == values[2] or all(map(math.isnan, values))):
                    sys.exit(f"{contig}:{begin + i + 1}: TSV, bedGraph and bigWig say {values}")
                same += not math.isnan(values[0])
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("genome", type=Path)
    parser.add_argument("--model", default="microbe-causal")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--work-dir", type=Path, default=ROOT / "build" / "measure_score")
    args = parser.parse_args()
    args.work_dir.mkdir(parents=True, exist_ok=True)
    app = ROOT / "build" / "release" / "bin" / "genomamba"
    genome = plain_copy(args.genome, args.work_dir)

    ratios, peaks = [], []
    print("pair\tbench tokens/s\tscore bases/s\tratio\tpeak RSS MB")
    for pair in range(args.pairs):
        before = bench_rate(app, args)
        report = score(app, args, genome, args.work_dir)
        bench = (before + bench_rate(app, args)) / 2  # the machine's own drift falls out
        ratios.append(report["bases_per_second"] / bench)
        peaks.append(report["peak_rss_bytes"] / 2**20)
        print(f"{pair + 1}\t{bench:.0f}\t{report['bases_per_second']:.0f}\t{ratios[-1]:.3f}\t{peaks[-1]:.0f}", flush=True)
    print(f"median ratio {statistics.median(ratios):.3f}, best {max(ratios):.3f}; peak RSS {max(peaks):.0f} MB")
    print(f"TSV, bedGraph and bigWig agree at {compare(args.work_dir)} positions")
    sys.exit(max(peaks) > LIMIT_MB)


if __name__ == "__main__":
    main()
