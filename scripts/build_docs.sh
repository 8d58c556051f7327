#!/usr/bin/env bash
# API pages of the public headers (Doxygen, warnings as errors) into OUTPUT_DIR/html.
#
# usage: scripts/build_docs.sh [OUTPUT_DIR]      (default: build/docs)
set -euo pipefail
cd "$(dirname "$0")/.."
output=$(realpath -m "${1:-build/docs}")
mkdir -p "$output"
version=$(sed -n 's/^project(genomamba VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
{
  cat scripts/docs/Doxyfile
  echo "INPUT = scripts/docs/mainpage.md $(echo lib/*/include)"
  echo "PROJECT_NUMBER = $version"
  echo "OUTPUT_DIRECTORY = $output"
} | doxygen -
n_pages=$(find "$output/html" -name '*_8hpp.html' | wc -l)
[[ $n_pages -gt 0 ]] || { echo "build_docs.sh: no header was read" >&2; exit 1; }
grep -q load_model "$output/html/index.html" || { echo "build_docs.sh: the main page lacks its example" >&2; exit 1; }
echo "$output/html/index.html: pages of $n_pages public headers"
