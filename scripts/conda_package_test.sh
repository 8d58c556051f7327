#!/usr/bin/env bash
# Builds conda-recipe/offline with rattler-build, installs the package from a local channel into an empty prefix with
# rattler, removes the build tree, and runs the recipe's test commands there. rattler comes from PyPI; no channel is used.
#
# usage: scripts/conda_package_test.sh [WORK_DIR]      (default: build/conda; needs what scripts/install_packages.sh installs)
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(realpath -m "${1:-build/conda}")
venv=$work/venv
if [[ ! -e $venv/complete ]]; then
  mkdir -p "$work"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet py-rattler-build py-rattler pyyaml jinja2
  touch "$venv/complete"
fi
exec "$venv/bin/python" tests/packaging/conda_package.py conda-recipe/offline/recipe.yaml "$work"
