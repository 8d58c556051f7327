#!/usr/bin/env bash
# Fails where a C++ file is not as clang-format would write it. With --fix it is rewritten.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(--dry-run --Werror)
[[ ${1:-} == --fix ]] && mode=(-i)
git ls-files -z --cached --others --exclude-standard '*.cpp' '*.hpp' | xargs -0 clang-format "${mode[@]}"
