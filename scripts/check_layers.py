#!/usr/bin/env python3
"""Checks the sources against the rules of lib/ARCHITECTURE.md.

usage: check_layers.py PROJECT_DIR

Includes: a module's sources include only the modules and packages that its row of the table "Allowed links" names;
public headers include no third-party header. Lengths: hard limits. Names: no attic ("utils", "helpers", ...).
The configure step checks the link graph (scripts/cmake/CheckLayers.cmake) against the same table.
"""
import pathlib
import re
import sys

PACKAGE_HEADERS = {
    "htslib": r"htslib/", "libBigWig": r"(bigWig|bwCommon)", "zstd": r"zstd", "Eigen": r"Eigen/", "xsimd": r"xsimd/", "oneTBB": r"(tbb|oneapi)/",
    "fmt": r"fmt/", "JSON": r"nlohmann/", "CLI11": r"CLI/",
}
LIMITS = {"header": 300, "source": 600, "test": 800, "main": 60}
FORBIDDEN_NAMES = re.compile(r"^(utils?|helpers?|misc|common|types)\.(cpp|hpp|py)$|_old\.")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def read_table(architecture):
    rows = {}
    for line in architecture.read_text().splitlines():
        match = re.match(r"\| `([^`]+)` \|([^|]*)\|([^|]*)\|", line)
        if match:
            words = [set(re.findall(r"[A-Za-z0-9_]+", cell)) for cell in match.group(2, 3)]
            rows[match.group(1).removeprefix("genomamba::")] = words
    return rows


def includes(path):
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1)


def check_includes(path, module, rows, public):
    layers, packages = rows[module]
    for number, header in includes(path):
        own = re.match(r"genomamba/(\w+)/", header)
        if own and own.group(1) != module and own.group(1) not in layers:
            yield f"{path}:{number}: {module} may not include {header}"
        for package, pattern in PACKAGE_HEADERS.items():
            if re.match(pattern, header) and (public or package not in packages):
                where = "a public header" if public else module
                yield f"{path}:{number}: {where} may not include {header} ({package})"


def limit_of(path, root):
    parts = path.relative_to(root).parts
    if path.name == "main.cpp":
        return LIMITS["main"]
    if parts[0] == "tests":
        return LIMITS["test"]
    return LIMITS["header" if path.suffix == ".hpp" and "include" in parts else "source"]


def check(root):
    rows = read_table(root / "lib" / "ARCHITECTURE.md")
    for module in sorted(p.name for p in (root / "lib").iterdir() if p.is_dir()):
        if module not in rows:
            yield f"lib/ARCHITECTURE.md: no row for lib/{module}"
            continue
        for path in sorted((root / "lib" / module).rglob("*.[ch]pp")):
            yield from check_includes(path, module, rows, "include" in path.parts)
    for path in sorted((root / "apps").rglob("*.[ch]pp")):
        folder = path.relative_to(root / "apps").parts[0]
        row = "apps_common" if folder == "common" else f"genomamba-{folder}"
        if folder == "launcher":
            row = "genomamba"
        if row not in rows:
            yield f"lib/ARCHITECTURE.md: no row for {row}"
            continue
        yield from check_includes(path, row, rows, False)
    for top in ("lib", "apps", "tests", "scripts"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".cpp", ".hpp", ".py") or "__pycache__" in path.parts:
                continue
            if FORBIDDEN_NAMES.search(path.name):
                yield f"{path}: the name says nothing"
            n_lines = len(path.read_text(errors="replace").splitlines())
            if n_lines > limit_of(path, root):
                yield f"{path}: {n_lines} lines, {limit_of(path, root)} are allowed"


def check_test_names(root):
    """CTest splits a name at a semicolon and Catch2 takes a leading dash for an option: neither test would run."""
    for path in sorted((root / "tests").rglob("*.cpp")):
        for match in re.finditer(r'TEST_CASE\(\s*((?:"[^"]*"\s*)+)', path.read_text(errors="replace")):
            if ";" in match.group(1) or match.group(1).startswith('"-'):
                yield f"{path}: a test's name may not hold ';' nor begin with '-': {match.group(1)}"


def main():
    root = pathlib.Path(sys.argv[1])
    found = list(check(root)) + list(check_test_names(root))
    print("\n".join(found) if found else "layers hold")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
