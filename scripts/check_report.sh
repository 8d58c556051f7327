#!/usr/bin/env bash
# Makes a report of bundled data and opens it in headless Chromium (scripts/check_report.py says what is checked).
#
# usage: scripts/check_report.sh [BIN_DIR [SHOTS_DIR]]
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(realpath "${1:-build/release/bin}")
shots=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

data=$PWD/data/sequences
export PATH=$bin:$PATH
# Timing models suffice: the page is checked, not the biology.
genomamba embed -q -m small-random "$data/klebsiella_nanopore.fastq.gz" "$data/ecoli_illumina_1.fastq.gz" \
  -o "$work/reads.npy" --report "$work/embed.json"
gzip -dc "$work/reads.rows.tsv.gz" | awk -F '\t' 'BEGIN { print "id\tspecies" }
  !/^#/ { print $2 "\t" ($2 ~ /^SRR/ ? "Klebsiella pneumoniae" : "Escherichia coli") }' >"$work/labels.tsv"
gzip -dc "$data/lambda.fa.gz" >"$work/lambda.fa"
genomamba score -q -m tiny-random -f "$work/lambda.fa" -r NC_001416.1:1-20000 --score logp,entropy \
  -o "$work/lambda.tsv.gz" --bigwig "$work/lambda.{score}.bw" --report "$work/score.json"
awk 'BEGIN { OFS = "\t"
  print "##fileformat=VCFv4.2"; print "##contig=<ID=NC_001416.1,length=48502>"
  print "##INFO=<ID=GM_LLR,Number=A,Type=Float,Description=\"ln P(alt) - ln P(ref)\">"
  print "##INFO=<ID=GM_SKIP,Number=A,Type=String,Description=\"why there is none\">"
  print "#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO"
  for (i = 1; i <= 300; ++i) {
    alt = i % 7 == 0 ? "AT" : i % 11 == 0 ? "<DEL>" : "G"
    info = alt == "<DEL>" ? "GM_SKIP=symbolic" : "GM_LLR=" (i * 37 % 100) / 20 - 4
    print "NC_001416.1", 100 + i * 60, "v" i "<b>&", "A", alt, ".", ".", info } }' >"$work/variants.vcf"
(cd "$work" && genomamba report -q -o report.html --labels labels.tsv -f lambda.fa reads.npy lambda.tsv.gz \
  lambda.logp.bw variants.vcf embed.json score.json)
python3 scripts/check_report.py "$work/report.html" ${shots:+--shots "$shots"}
