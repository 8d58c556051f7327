#!/bin/sh
# Checks published models against numbers that others recorded with the authors' own code in fp32.
#
# usage: scripts/check_published_numbers.sh MODEL_DIR
#
# MODEL_DIR holds the models' directories under their published names (NAME or ORG/NAME), or is a
# Hugging Face cache (its hub folder). Needs `genomamba` in PATH (or GENOMAMBA=...). Sources:
# the embeddings are those of tcztzy/evo.cpp (configs/evidence/oracles, its tolerance 5e-4), the
# masked probabilities those of plantcad/plantcad's notebooks/examples.ipynb (tolerance 1e-4).
# Exit status: 0 every number is right; 1 one is not; 2 usage; 3 right as far as weights are there,
# but some are absent (named on stderr).
set -eu
[ $# -eq 1 ] && [ -d "$1" ] || { sed -n '2,4p' "$0" >&2; exit 2; }
models=$1
genomamba=${GENOMAMBA:-genomamba}
command -v "$genomamba" >/dev/null || { echo "$genomamba was not found" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n_absent=0
n_wrong=0

# The directory of ORG/NAME below MODEL_DIR, or nothing.
find_model() {
  for candidate in "$models/$1" "$models/${1#*/}" "$models/models--${1%/*}--${1#*/}"/snapshots/*; do
    if [ -f "$candidate/config.json" ]; then
      echo "$candidate"
      return
    fi
  done
}

# absent ORG/NAME: says so and counts.
absent() {
  echo "absent: the weights of $1 are not in $models" >&2
  n_absent=$((n_absent + 1))
}

# judge NAME STATUS
judge() {
  if [ "$2" -eq 0 ]; then
    echo "right:  $1"
  else
    echo "WRONG:  $1" >&2
    n_wrong=$((n_wrong + 1))
  fi
}

# Mean of the final hidden states over 15 positions, without special tokens.
# check_embedding ORG/NAME DIM "first 4" "4 from DIM/2" "last 4" SUM L2
check_embedding() {
  directory=$(find_model "$1")
  [ -n "$directory" ] || { absent "$1"; return; }
  printf '>probe\nACGTNACGTNACGTN\n' >"$work/probe.fa"
  status=0
  "$genomamba" embed -q -m "$directory" --no-version "$work/probe.fa" >"$work/out.tsv" || status=1
  [ "$status" -ne 0 ] || awk -F '\t' -v dim="$2" -v expected="$3 $4 $5" -v sum="$6" -v l2="$7" '
    function differs(what, found, wanted, tolerance,   d) {
      d = found - wanted
      if (d < 0) d = -d
      if (d <= tolerance) return
      printf "  %s: %.8f, published %.8f\n", what, found, wanted > "/dev/stderr"
      bad = 1
    }
    NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "e0") first = i; next }
    {
      if (NF - first + 1 != dim) {
        printf "  %d numbers, published %d\n", NF - first + 1, dim > "/dev/stderr"
        exit bad = 1
      }
      n = split(expected, value, " ")
      for (k = 1; k <= n; ++k) {
        at = k <= 4 ? k - 1 : k <= 8 ? dim / 2 + k - 5 : dim - 13 + k
        differs("e" at, $(first + at), value[k], 5e-4)
      }
      for (i = first; i <= NF; ++i) { s += $i; q += $i * $i }
      differs("sum", s, sum, 5e-4 * sqrt(dim))
      differs("L2", sqrt(q), l2, 5e-4)
    }
    END { exit bad || NR != 2 }' "$work/out.tsv" || status=1
  judge "$1 (embedding)" "$status"
}

# Softmax over A, C, G, T at token 255 of 512, masked.
# check_masked ORG/NAME SEQUENCE "p_A p_C p_G p_T"
check_masked() {
  directory=$(find_model "$1")
  [ -n "$directory" ] || { absent "$1"; return; }
  printf '>example\n%s\n' "$2" >"$work/example.fa"
  status=0
  "$genomamba" score -q -m "$directory" --no-version -f "$work/example.fa" -r example:256-256 --window 512 \
    --method masked --mask-spacing 0 --score probs --precision 8 >"$work/out.tsv" || status=1
  [ "$status" -ne 0 ] || awk -F '\t' -v expected="$3" '
    NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "p_A") first = i; next }
    {
      n = split(expected, value, " ")
      for (k = 1; k <= n; ++k) {
        d = $(first + k - 1) - value[k]
        if (d >= -1e-4 && d <= 1e-4) continue
        printf "  p_%s: %s, published %s\n", substr("ACGT", k, 1), $(first + k - 1), value[k] > "/dev/stderr"
        bad = 1
      }
    }
    END { exit bad || NR != 2 }' "$work/out.tsv" || status=1
  judge "$1 (masked probabilities)" "$status"
}

check_embedding kuleshov-group/caduceus-ph_seqlen-1k_d_model-256_n_layer-4_lr-8e-3 256 \
  "-0.00111011 0.00008898 -0.01322002 -0.00031871" "0.00219423 0.00334110 0.00506013 0.00028005" \
  "0.00452412 0.00196617 -0.00000614 -0.00072417" -3.651670 3.616909
check_embedding kuleshov-group/caduceus-ps_seqlen-131k_d_model-256_n_layer-16 512 \
  "0.00440638 0.00694452 -0.00204932 -0.00001231" "0.00134706 0.00581063 -0.00303959 -0.00089299" \
  "-0.00001624 -0.00216558 0.00786611 0.00471934" -5.595920 2.884237
check_embedding kuleshov-group/PlantCaduceus_l32 2048 \
  "-0.00039321 0.00030996 0.00023617 0.00167765" "0.00327866 -0.00296915 0.00114855 0.00498144" \
  "0.00093064 0.00021154 0.00026019 -0.00060322" -8.655083 6.413591
example=$(tr -d '[:space:]' <<'END'
CTTAATTAATATTGCCTTTGTAATAACGCGCGAAACACAAATCTTCTCTGCCTAATGCAGTAGT
CATGTGTTGACTCCTTCAAAATTTCCAAGAAGTTAGTGGCTGGTGTGTCATTGTCTTCATCTTT
TTTTTTTTTTTTTTAAAAATTGAATGCGACATGTACTCCTCAACGTATAAGCTCAATGCTTGTT
ACTGAAACATCTCTTGTCTGATTTTTTCAGGCTAAGTCTTACAGAAAGTGATTGGGCACTTCAA
TGGCTTTCACAAATGAAAAAGATGGATCTAAGGGATTTGTGAAGAGAGTGGCTTCATCTTTCTC
CATGAGGAAGAAGAAGAATGCAACAAGTGAACCCAAGTTGCTTCCAAGATCGAAATCAACAGGT
TCTGCTAACTTTGAATCCATGAGGCTACCTGCAACGAAGAAGATTTCAGATGTCACAAACAAAA
CAAGGATCAAACCATTAGGTGGTGTAGCACCAGCACAACCAAGAAGGGAAAAGATCGATGATCG
END
)
check_masked kuleshov-group/PlantCaduceus_l20 "$example" "0.96960527 0.00782286 0.01123959 0.01133224"

[ "$n_wrong" -eq 0 ] || exit 1
if [ "$n_absent" -gt 0 ]; then
  echo "$n_absent of 4 models were not checked: their weights are absent" >&2
  exit 3
fi
