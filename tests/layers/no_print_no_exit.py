#!/usr/bin/env python3
"""The library neither prints nor ends the process: no such symbol is undefined in its archives.

usage: no_print_no_exit.py NM ARCHIVE...
"""
import subprocess
import sys

FORBIDDEN = {
    "exit", "_exit", "quick_exit", "abort", "printf", "puts", "putchar", "perror", "vprintf",
    "__printf_chk", "stdout", "stderr", "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt9terminatev",
}
# Added by the compiler itself for noexcept functions and failed asserts.
COMPILER_MADE = {"_ZSt9terminatev", "__assert_fail"}


def undefined_symbols(nm, archive):
    text = subprocess.run([nm, "-u", archive], check=True, capture_output=True, text=True).stdout
    member = archive
    for line in text.splitlines():
        if line.endswith(":"):
            member = line[:-1]
        elif line.strip():
            yield member, line.split()[-1].split("@")[0]


def main():
    nm, archives = sys.argv[1], sys.argv[2:]
    bad = [f"{archive}({member}): {symbol}" for archive in archives
           for member, symbol in undefined_symbols(nm, archive) if symbol in FORBIDDEN - COMPILER_MADE]
    print("\n".join(bad) if bad else f"{len(archives)} archives neither print nor exit")
    return 1 if bad or not archives else 0


if __name__ == "__main__":
    sys.exit(main())
