#!/usr/bin/env bash
# README's two commands on a bare Debian: debootstrap's smallest system, a clone of this repository's HEAD inside it,
# scripts/quickstart.sh and scripts/test.sh there. Prints how long each took. Needs root, debootstrap and network.
#
# usage: scripts/fresh_machine_test.sh bookworm|trixie [WORK_DIR]      (default: build/fresh_machine)
#   DEBIAN_MIRROR   default http://deb.debian.org/debian
#   FRESH_STEPS     default "quickstart test": which of the two commands are run
# Logs and times.tsv are written to WORK_DIR/SUITE.logs; the system itself is removed when all passed.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=${1:?usage: scripts/fresh_machine_test.sh bookworm|trixie [WORK_DIR]}
work=$(realpath -m "${2:-build/fresh_machine}")
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
steps=${FRESH_STEPS:-quickstart test}
[[ $(id -u) -eq 0 ]] || { echo "fresh_machine_test.sh: root is needed for debootstrap and chroot" >&2; exit 2; }
if [[ ${FRESH_MACHINE_NAMESPACE:-} != yes ]]; then
  # Mounts and processes of the test end with it.
  FRESH_MACHINE_NAMESPACE=yes exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi

root=$work/$suite
logs=$work/$suite.logs
mkdir -p "$logs"
rm -rf "$root"

# timed NAME COMMAND...: its output to NAME.log, its seconds to times.tsv
timed() {
  local name=$1 begin=$SECONDS status=0
  shift
  "$@" >"$logs/$name.log" 2>&1 </dev/null || status=$?
  printf '%s\t%s\t%d s\tstatus %d\n' "$suite" "$name" "$((SECONDS - begin))" "$status" | tee -a "$logs/times.tsv"
  if [[ $status -ne 0 ]]; then
    tail -n 30 "$logs/$name.log" >&2
    exit 1
  fi
}
# Nothing of this machine's environment but where the network is.
inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    chroot "$root" /bin/bash -c "$1"
}

: >"$logs/times.tsv"
timed debootstrap debootstrap --variant=minbase "$suite" "$root" "$mirror"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf"
timed clone git clone --quiet --no-hardlinks . "$root/root/genomamba"

for step in $steps; do
  timed "$step" inside "cd /root/genomamba && scripts/$step.sh"
done
inside 'cat /etc/debian_version && g++ --version | head -n 1 && /root/genomamba/build/release/bin/genomamba version' |
  tee "$logs/system.txt"
umount -R "$root/dev" "$root/proc"
rm -rf --one-file-system "$root"
echo "$suite: passed"
