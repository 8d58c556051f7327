#!/usr/bin/env bash
# Runs clang-tidy's allow-list (.clang-tidy) over the library and the apps.
#
# usage: scripts/check_tidy.sh [FOLDER...]      (default: lib apps)
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/tidy
mkdir -p build
cmake --preset tidy -B "$build" -DCMAKE_CXX_CLANG_TIDY= -DGENOMAMBA_BUILD_TESTS=OFF >build/tidy.configure.log 2>&1 ||
  { cat build/tidy.configure.log >&2; exit 1; }
[[ $# -gt 0 ]] || set -- lib apps
git ls-files -z "${@/%//*.cpp}" | grep -zv 'neon64.cpp' |
  xargs -0 -n 4 -P "$(nproc)" clang-tidy -p "$build" --quiet 2>/dev/null
echo "clang-tidy found nothing"
