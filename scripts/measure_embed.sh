#!/usr/bin/env bash
# Memory and invariance of `genomamba embed` on big inputs: 100,000 reads of 150 bases, and one sequence of 5 Mb.
#
# usage: scripts/measure_embed.sh [WORK_DIR]      (needs build/release; takes some minutes)
# Prints peak RSS (MB) of each run, and fails where 600 MB are passed or where bytes differ that must not.
set -euo pipefail
cd "$(dirname "$0")/.."
work=${1:-build/measure_embed}
genomamba=$PWD/build/release/bin/genomamba
model=small-random # 4 layers, d_model 128
limit_mb=600
mkdir -p "$work"

python3 - "$work" <<'PY'
import random
import sys
work = sys.argv[1]
rng = random.Random(1)
with open(f"{work}/reads.fa", "w") as out:
    for i in range(100_000):
        out.write(f">r{i}\n{''.join(rng.choices('ACGT', k=150))}\n")
with open(f"{work}/contig.fa", "w") as out:
    out.write(f">contig\n{''.join(rng.choices('ACGT', k=5_000_000))}\n")
with open(f"{work}/contig.fa") as whole, open(f"{work}/first20k.fa", "w") as out:
    whole.readline()
    out.write(f">first\n{whole.readline()[:20_000]}\n")
PY

# run NAME ARGS...: embeds, prints rate and peak RSS from the report, checks the limit.
run() {
  local name=$1
  shift
  "$genomamba" embed --quiet -m "$model" --report "$work/$name.json" -o "$work/$name.npy" "$@"
  python3 - "$work/$name.json" "$name" "$limit_mb" <<'PY'
import json
import sys
report = json.load(open(sys.argv[1]))
mb = report["peak_rss_bytes"] / 2**20
print(f"{sys.argv[2]}: {report['bases_per_second']:.0f} bases/s, peak RSS {mb:.0f} MB")
sys.exit(mb > float(sys.argv[3]))
PY
}

run reads_1 "$work/reads.fa" -@ 1
run reads_2 "$work/reads.fa" -@ 2
cmp "$work/reads_1.npy" "$work/reads_2.npy"
run contig "$work/contig.fa" -@ 2
run first_64 "$work/first20k.fa" --pool none --batch-tokens 64
run first_1000 "$work/first20k.fa" --pool none --batch-tokens 1000
run first_32768 "$work/first20k.fa" --pool none --batch-tokens 32768
cmp "$work/first_64.npy" "$work/first_1000.npy"
cmp "$work/first_64.npy" "$work/first_32768.npy"
run first_ref "$work/first20k.fa" --pool none --batch-tokens 32768 --isa ref
python3 - "$work" <<'PY'
import array
import sys
def load(name):
    data = open(f"{sys.argv[1]}/{name}.npy", "rb").read()[128:]
    return array.array("f", data)
difference = max(abs(a - b) for a, b in zip(load("first_64"), load("first_ref")))
print(f"20 kb, chunks of 64 tokens against the reference kernels in one piece: largest difference {difference:.2g}")
sys.exit(not difference <= 1e-5)
PY
