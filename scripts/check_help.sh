#!/usr/bin/env bash
# The installed man pages and completion files, read by the programs that users read them with: mandoc, bash, zsh, fish.
#
# usage: scripts/check_help.sh [PREFIX]      (default: installs build/release under build/check_help)
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${1:-$PWD/build/check_help}
if [[ $# -eq 0 ]]; then
  rm -rf "$prefix"
  cmake --install build/release --prefix "$prefix" >/dev/null
fi
export PATH="$prefix/bin:$PATH"
failures=0
fail() { echo "check_help: $*" >&2; failures=$((failures + 1)); }
# expect WHAT FOUND WORD...: each word is among what was found
expect() {
  local what=$1 found=$2 word
  shift 2
  for word in "$@"; do grep -qw -- "$word" <<<"$found" || fail "$what: $word is not offered; found: $found"; done
}

n_pages=0
for program in "$prefix"/bin/genomamba*; do
  name=$(basename "$program")
  page=$prefix/share/man/man1/$name.1
  [[ -s $page ]] || { fail "no man page for $name"; continue; }
  # A page that is written anew by each build has no date.
  warnings=$(mandoc -T lint -W warning "$page" | grep -v 'missing date' || true)
  [[ -z $warnings ]] || fail "$warnings"
  bash -n "$prefix/share/bash-completion/completions/$name" || fail "bash: $name"
  zsh -n "$prefix/share/zsh/site-functions/_$name" || fail "zsh: $name"
  fish -n "$prefix/share/fish/vendor_completions.d/$name.fish" || fail "fish: $name"
  n_pages=$((n_pages + 1))
done
[[ $n_pages -gt 1 ]] || fail "no programs under $prefix/bin"

# genomamba's file brings in the app's by itself.
found=$(bash -c "source '$prefix/share/bash-completion/completions/genomamba'
  COMP_WORDS=(genomamba embed --pool m); COMP_CWORD=3; _genomamba; echo \"\${COMPREPLY[*]}\"")
expect bash "$found" mean max

offers_fish() {
  fish --no-config -c "set -p fish_complete_path '$prefix/share/fish/vendor_completions.d'; complete -C '$1'"
}
expect fish "$(offers_fish 'genomamba ')" embed score split merge model help
expect fish "$(offers_fish 'genomamba embed --po')" --pool
expect fish "$(offers_fish 'genomamba embed --pool m')" mean max
expect fish "$(offers_fish 'genomamba model ')" info verify init
expect fish "$(offers_fish 'genomamba-model info --j')" --json

offers_zsh() { tests/packaging/complete.zsh "$prefix/share/zsh/site-functions" "$1"; }
expect zsh "$(offers_zsh 'genomamba s')" score split
expect zsh "$(offers_zsh 'genomamba embed --pool m')" mean max
expect zsh "$(offers_zsh 'genomamba-model in')" info init

[[ $failures -eq 0 ]] && echo "$n_pages man pages and the completion of bash, zsh and fish hold"
exit "$((failures > 0))"
