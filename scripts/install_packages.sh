#!/usr/bin/env bash
# Installs what building needs, with apt when root on Debian or Ubuntu; otherwise says what to install.
#
# usage: scripts/install_packages.sh [--tests] [--checks]
#   --tests   also what the tests need (Catch2, Python)
#   --checks  also what the checks of .ci/run need (clang-format, clang-tidy, shells, Python)
set -euo pipefail

packages=(cmake ninja-build g++ pkg-config git ca-certificates
  libhts-dev libbigwig-dev libzstd-dev libeigen3-dev libxsimd-dev libtbb-dev libfmt-dev nlohmann-json3-dev libcli11-dev)
conda_packages="cmake ninja cxx-compiler pkg-config htslib libbigwig zstd eigen xsimd tbb-devel fmt nlohmann_json cli11"
for option in "$@"; do
  case "$option" in
    --tests) packages+=(catch2 python3); conda_packages+=" catch2 python" ;;
    --checks) packages+=(clang clang-format clang-tidy ccache doxygen mandoc zsh fish python3-venv debootstrap) ;;
    *) echo "install_packages.sh: unknown option $option" >&2; exit 2 ;;
  esac
done

if ! command -v dpkg-query >/dev/null 2>&1; then
  cat >&2 <<TXT
install_packages.sh: this is not a Debian-like system; install these yourself, e.g. with conda:
  conda create -n genomamba -c conda-forge -c bioconda $conda_packages
TXT
  # Goes on: they may be there already, and CMake names the first that is not.
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [[ $state == *"ok installed"* ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

if [[ $(id -u) -ne 0 ]]; then
  cat >&2 <<TXT
install_packages.sh: missing packages; run this as root, or install them with conda ($conda_packages):
  apt-get install ${missing[*]}
TXT
  exit 1
fi
echo "installing: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >&2
apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
