#!/usr/bin/env python3
"""Compares the columns that apps/docs/outputs.md names with those that the apps write.

usage: docs_columns.py SOURCE_DIR WORK_DIR BIN_DIR
"""
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE, WORK, BIN = (pathlib.Path(word).resolve() for word in sys.argv[1:])


def run(command):
    environment = dict(os.environ, PATH=f"{BIN}:{os.environ['PATH']}")
    result = subprocess.run(command, shell=True, cwd=WORK, env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{command}: exit status {result.returncode}\n{result.stderr}")
    return result.stdout


def header(text):
    return next(line for line in text.splitlines() if re.match("#[^#]", line))[1:].split("\t")


def documented(heading):
    """Names in the first column of each table under a heading, a list a table."""
    text = (SOURCE / "apps/docs/outputs.md").read_text()
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    tables = re.findall(r"\| (?:column|field) \|.*\n\|[-|]+\n((?:\|.*\n)+)", section)
    return [[name for row in table.splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])] for table in tables]


def require_equal(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: the page names {expected}, the app writes {found}")
    print(f"{what}: {len(found)} names")


def check_embed(fasta):
    columns = documented("embed")[0]
    table = header(run(f"genomamba embed -q -m tiny-random --pool none {fasta} -o tokens.npy; zcat tokens.rows.tsv.gz"))
    require_equal("embed, rows", table, [name for name in columns if not re.fullmatch(r"e\d", name)])
    table = header(run(f"genomamba embed -q -m tiny-random {fasta}"))
    require_equal("embed, table", table[:12], [name for name in columns if name != "offset"])


def check_score(fasta):
    table, rows = documented("score")
    found = header(run(f"genomamba score -q -m tiny-random -f {fasta} --score logp,entropy,probs --npy s.npy --tsv -"))
    require_equal("score, table", found, table)
    require_equal("score, rows", header(gzip.open(WORK / "s.rows.tsv.gz", "rt").read()), rows)


def check_variants(fasta):
    info, table = documented("variants")
    (WORK / "in.vcf").write_text("##fileformat=VCFv4.2\n##contig=<ID=lambda>\n"
                                 "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\nlambda\t200\t.\tA\tC\t.\t.\t.\n")
    out = run(f"genomamba variants -q -m tiny-random -f {fasta} --table v.tsv in.vcf")
    require_equal("variants, INFO", re.findall("##INFO=<ID=([^,]+)", out), info)
    require_equal("variants, table", header((WORK / "v.tsv").read_text()), table)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    fasta = WORK / "lambda.fa"
    fasta.write_text(">lambda\n" + "".join((SOURCE / "data/alignments/lambda_2kb.fa").read_text().split("\n")[1:8]) + "\n")
    check_embed(fasta)
    check_score(fasta)
    check_variants(fasta)
    golden = SOURCE / "tests/golden/data/hf-mamba"
    found = header(run(f"genomamba model verify {golden} --expected {golden}/expected.safetensors"))
    require_equal("model verify", found, documented("model verify")[0])
    run(f"genomamba embed -q -m tiny-random --report r.json -o r.tsv {fasta}")
    keys = list(json.loads((WORK / "r.json").read_text()))
    section = (SOURCE / "apps/docs/outputs.md").read_text().split("\n## --report\n")[1]
    always, sometimes = (re.findall(r"`(\w+)`", part) for part in section.split("Only where there are any:"))
    require_equal("--report", [key for key in keys if key not in sometimes], always)


if __name__ == "__main__":
    main()
