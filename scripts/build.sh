#!/usr/bin/env bash
# Configures and builds one preset of CMakePresets.json into build/PRESET, quietly unless it fails.
#
# usage: scripts/build.sh PRESET [cmake options]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
launcher=()
command -v ccache >/dev/null 2>&1 && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
mkdir -p build
log=build/$preset.configure.log
if ! cmake --preset "$preset" "${launcher[@]}" "$@" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
read -r -a targets <<<"${GENOMAMBA_TARGETS:-all}" # these alone
cmake --build "build/$preset" --parallel "$(nproc)" --target "${targets[@]}"
