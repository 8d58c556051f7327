#!/usr/bin/env bash
# The Snakemake wrappers and workflow: format, lint, a test of each wrapper, and the workflow on its test data, compared
# with single runs of the apps byte by byte. Snakemake comes from PyPI into build/snakemake-venv.
#
# usage: scripts/check_snakemake.sh [BIN_DIR]      (default: build/release/bin)
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(realpath "${1:-build/release/bin}")
venv=$PWD/build/snakemake-venv
if [[ ! -x $venv/bin/snakefmt || ! -e $venv/complete ]]; then
  mkdir -p build
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet 'snakemake>=9,<10' snakemake-executor-plugin-slurm 'snakefmt>=2,<3'
  touch "$venv/complete"
fi
export PATH="$bin:$venv/bin:$PATH"

snakefmt --check --compact-diff scripts/snakemake
snakemake --lint --snakefile scripts/snakemake/workflow/Snakefile --directory scripts/snakemake/.test
rm -rf scripts/snakemake/.test/.snakemake
python3 tests/packaging/snakemake_runs.py scripts/snakemake "$PWD/build/snakemake"
