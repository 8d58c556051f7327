#!/usr/bin/env bash
# The long checks, beside what every change must pass (.ci/run): both compilers, the apps under the
# sanitizers, every kernel set, the fuzzers for a minute each. Some hours on 2 cores.
#
# usage: scripts/ci_full.sh [STEP...]      gcc clang tidy isa asan-ubsan tsan fuzz conda fresh (all, in this order)
set -euo pipefail
cd "$(dirname "$0")/.."
step() { echo "== $* ($(date -u +%H:%M:%S))"; }
run_tests() {
  local folder=$1
  shift
  ctest --test-dir "build/$folder" --output-on-failure --no-tests=error --parallel "$(nproc)" "$@"
}

for name in "${@:-gcc clang tidy isa asan-ubsan tsan fuzz conda fresh}"; do
  for part in $name; do
    step "$part"
    case $part in
      gcc)
        scripts/build.sh release -DGENOMAMBA_BUILD_TESTS=ON
        run_tests release
        ;;
      clang)
        cmake --preset release -B build/clang -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ >/dev/null
        cmake --build build/clang --parallel "$(nproc)"
        run_tests clang
        ;;
      tidy) scripts/check_tidy.sh ;;
      isa) # the whole suite once for each kernel set that this machine can run
        scripts/build.sh release -DGENOMAMBA_BUILD_TESTS=ON
        for isa in ref baseline avx2 avx512 neon; do
          if build/release/bin/genomamba-embed -q -m tiny-random --isa "$isa" --dry-run README.md 2>/dev/null; then
            step "isa $isa"
            GENOMAMBA_ISA=$isa run_tests release -L 'unit|golden|cli'
          fi
        done
        ;;
      asan-ubsan)
        scripts/build.sh asan-ubsan -DGENOMAMBA_BUILD_APPS=ON
        run_tests asan-ubsan -L 'unit|golden|cli'
        ;;
      tsan)
        scripts/build.sh tsan
        TSAN_OPTIONS="halt_on_error=1" run_tests tsan -L 'unit|cli'
        ;;
      fuzz) scripts/fuzz.sh 60 ;;
      conda) scripts/conda_package_test.sh ;;
      fresh) # bare systems by debootstrap, as root
        scripts/install_packages.sh --checks
        scripts/fresh_machine_test.sh bookworm
        scripts/fresh_machine_test.sh trixie
        ;;
      *)
        echo "ci_full.sh: no step $part" >&2
        exit 2
        ;;
    esac
  done
done
step done
