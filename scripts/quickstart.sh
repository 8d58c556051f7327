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

# What the model knows: phage lambda was not trained on. The same contig with 1,000 bases (16,001-17,000) put in random
# order has the same letters there, and lower scores.
echo
echo "Phage lambda, and the same with bases 16,001-17,000 scrambled: mean log-probability of each base, by kilobase"
gzip -dc data/sequences/lambda.fa.gz | awk -v from=16000 -v n=1000 '
  /^>/ { next } { sequence = sequence toupper($0) }
  END {
    for (i = 1; i <= n; ++i) letter[i] = substr(sequence, from + i, 1)
    for (i = n; i > 1; --i) { seed = (seed * 1103515245 + 12345) % 2147483648; j = int(seed / 2147483648 * i) + 1
      t = letter[i]; letter[i] = letter[j]; letter[j] = t; }
    for (i = 1; i <= n; ++i) shuffled = shuffled letter[i]
    print ">lambda"; print sequence
    print ">scrambled"; print substr(sequence, 1, from) shuffled substr(sequence, from + n + 1)
  }' >"$out/lambda.fa"
"$genomamba" score --quiet -f "$out/lambda.fa" -r lambda:12001-21000 -r scrambled:12001-21000 -o "$out/lambda.tsv"
awk -F '\t' '!/^#/ && $6 != "." { k = int($2 / 1000); sum[$1, k] += $6; ++count[$1, k] }
  END { print "kilobase\tlambda\tscrambled"
    for (k = 12; k < 21; ++k) printf "%d-%d\t%.3f\t%.3f%s\n", k * 1000 + 1, (k + 1) * 1000,
      sum["lambda", k] / count["lambda", k], sum["scrambled", k] / count["scrambled", k], k == 16 ? "  <- scrambled" : "" }' "$out/lambda.tsv"

echo "\$ genomamba report --smooth 501 -o report.html reads.npy lambda.tsv run.json"
"$genomamba" report --quiet --smooth 501 -o "$out/report.html" "$out/reads.npy" "$out/lambda.tsv" "$out/run.json"
echo
ls -l "$out" | awk 'NR > 1 { print $5, $9 }'
echo "Open $out/report.html in a browser. Next: build/release/bin/genomamba embed --help"
