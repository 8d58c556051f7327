#!/usr/bin/env bash
# Portable build: x86-64 baseline, faster kernels chosen at run time.
set -euo pipefail
cmake -S . -B build -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" \
  -DGENOMAMBA_BUILD_TESTS=OFF
cmake --build build --parallel "${CPU_COUNT:-1}"
cmake --install build
