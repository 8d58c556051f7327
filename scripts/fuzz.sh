#!/bin/sh
# Builds the libFuzzer targets (Clang; ASan and UBSan) and runs each for a time.
#
# usage: scripts/fuzz.sh [SECONDS [TARGET...]]        (60 seconds; every target)
#
# Begins from tests/fuzz/corpus/TARGET and small files of tests/golden and data; what is new is kept
# in build/fuzz/corpus/TARGET, and a finding in build/fuzz/findings/TARGET-*. Exit status 1 after a
# finding. The build folder is build/fuzz, or GENOMAMBA_FUZZ_DIR.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -gt 0 ] && shift
build=${GENOMAMBA_FUZZ_DIR:-build/fuzz}
cmake --preset fuzz -B "$build" >/dev/null
cmake --build "$build" --target fuzzers
all=$(find "$build/tests/fuzz" -maxdepth 1 -name 'fuzz_*' -type f -perm -u+x | sed 's/.*fuzz_//' | sort)
[ -n "$all" ] || { echo "fuzz.sh: no target was built" >&2; exit 1; }
mkdir -p "$build/findings"
status=0
for target in ${*:-$all}; do
  corpus=$build/corpus/$target
  mkdir -p "$corpus"
  find "tests/fuzz/corpus/$target" -type f -exec cp -t "$corpus" {} + 2>/dev/null || true
  case $target in
    json) pattern='*.json' ;;
    safetensors) pattern='*.safetensors' ;;
    *) pattern='' ;;
  esac
  if [ -n "$pattern" ]; then
    find tests/golden/data data/models -name "$pattern" -size -17k | while read -r seed; do
      cp "$seed" "$corpus/$(echo "$seed" | tr / _)"
    done
  fi
  # 2 GB and 20 s an input: a small file must not cost more, whatever it says.
  echo "fuzz.sh: $target, $seconds s"
  "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -max_len=32768 -timeout=20 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$build/findings/$target-" "$corpus" 2>"$build/$target.log" || status=1
  grep -E '^(stat::number_of_executed_units|stat::new_units_added|==.*ERROR|SUMMARY)' "$build/$target.log" || true
done
exit $status
