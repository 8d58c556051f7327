#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test.
#
# usage: scripts/test.sh [ctest options]      e.g. scripts/test.sh -L unit
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_packages.sh --tests
scripts/build.sh release -DGENOMAMBA_BUILD_TESTS=ON
ctest --test-dir build/release --output-on-failure --no-tests=error --parallel "$(nproc)" "$@"
