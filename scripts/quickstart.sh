#!/usr/bin/env bash
# From a bare machine to embeddings of real reads: installs what is missing, builds, embeds the bundled reads with the
# bundled model, and shows what came out.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_packages.sh
scripts/build.sh release -DGENOMAMBA_BUILD_TESTS=OFF >&2
genomamba=build/release/bin/genomamba
out=build/quickstart
mkdir -p "$out"

echo
echo "\$ genomamba embed data/sequences/klebsiella_nanopore.fastq.gz -o reads.npy"
"$genomamba" embed data/sequences/klebsiella_nanopore.fastq.gz -o "$out/reads.npy" --report "$out/run.json"

echo
echo "First rows of the row table (reads.rows.tsv.gz); the matrix is reads.npy, one row a read:"
zcat "$out/reads.rows.tsv.gz" | grep -v '^##' | cut -f 1,2,6,7,10 | sed -n '1,6p'

echo
echo "The same as a table, first numbers of each vector:"
"$genomamba" embed --quiet data/sequences/klebsiella_nanopore.fastq.gz -o "$out/reads.tsv"
grep -v '^##' "$out/reads.tsv" | cut -f 2,6,11-14 | sed -n '1,6p'

echo
ls -l "$out" | awk 'NR > 1 { print $5, $9 }'
echo "Next: build/release/bin/genomamba embed --help"
