#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that no weak symbol of a per-ISA kernel object is defined by another object.

usage: nm_shared_symbols.py NM ARCHIVE...   (archives of an optimised build)

The linker keeps one copy of a weak symbol. If the AVX-512 object and another one define the same, the program may
run AVX-512 code on a CPU that has none, depending on link order (rule K3 of lib/ARCHITECTURE.md). Meaningful for
optimised objects only: without inlining, helpers of the standard library and of xsimd are emitted everywhere.
"""

import collections
import subprocess
import sys

ARCH_OBJECTS = {"baseline.cpp.o", "avx2.cpp.o", "avx512.cpp.o", "neon64.cpp.o"}
# A pointer to the exception personality routine: the same in every object, data, not code.
ALLOWED = {"DW.ref.__gxx_personality_v0"}


def weak_definitions(nm, archive):
    """Yields (object, symbol) for every weak symbol that an object of the archive defines."""
    text = subprocess.run([nm, "--format=posix", "--defined-only", archive], check=True, capture_output=True,
                          text=True).stdout
    member = ""
    for line in text.splitlines():
        if line.endswith("]:"):
            member = line[line.rindex("[") + 1:-2]
            continue
        fields = line.split()
        if len(fields) >= 2 and fields[1] in "VWuvw":
            yield member, fields[0]


def main():
    nm, archives = sys.argv[1], sys.argv[2:]
    owners = collections.defaultdict(set)
    members = set()
    for archive in archives:
        for member, symbol in weak_definitions(nm, archive):
            owners[symbol].add(member)
            members.add(member)  # every arch object has weak symbols: its kernels
    found = members & ARCH_OBJECTS
    if not found:
        print("no per-ISA object found: the names in this script and lib/kernels/arch differ", file=sys.stderr)
        return 1
    shared = {symbol: objects for symbol, objects in owners.items()
              if len(objects) > 1 and objects & ARCH_OBJECTS and symbol not in ALLOWED}
    for symbol, objects in sorted(shared.items()):
        print(f"weak symbol {symbol} is defined by {', '.join(sorted(objects))}", file=sys.stderr)
    print(f"{len(found)} per-ISA objects, {len(owners)} weak symbols, {len(shared)} shared")
    return 1 if shared else 0


if __name__ == "__main__":
    sys.exit(main())
