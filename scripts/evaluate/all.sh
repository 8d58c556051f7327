#!/usr/bin/env bash
# Every score of a bundled model's card, by the apps of build/release; about 10 minutes on 2 cores for a causal model.
#
# usage: scripts/evaluate/all.sh data/models/NAME CONFIG      (CONFIG: scripts/train/configs/causal.json or masked.json)
# Needs ../shared/data, numpy, scikit-learn, biopython. Writes the tables into the model directory, then its README.md.
set -euo pipefail
cd "$(dirname "$0")/../.."
model=$1 config=$2
bin=$PWD/build/release/bin/genomamba
run() { python3 "scripts/evaluate/$1.py" --model "$model" "${@:2}"; }

if grep -q '"objective": "causal"' "$config"; then
  run bits_per_base --score "$bin score --quiet" --baselines "$model/baselines.tsv" --out "$model/bits.tsv"
else
  run masked_accuracy --score "$bin score --quiet" --out "$model/masked.tsv"
fi
run probe --embed "$bin embed --quiet" --out "$model/probe.tsv"
run start_codons --embed "$bin embed --quiet" --out "$model/starts.tsv"
run snv_scores --variants "$bin variants --quiet" --out "$model/snv.tsv"
python3 scripts/train/card.py --model "$model" --config "$config"
