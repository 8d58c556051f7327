#!/usr/bin/env python3
"""Checks conda-recipe/ against the lints of bioconda, one by one. bioconda-utils itself is not run: it needs its channels.

usage: check_recipe.py [--release]      (needs PyYAML and Jinja2)

--release also asks for what a recipe needs that leaves this repository: a tarball with its sha256, and a public home.
"""
import pathlib
import re
import sys

import jinja2
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECIPE = ROOT / "conda-recipe"
SPDX = {"MIT", "BSD-3-Clause", "Apache-2.0", "GPL-3.0-only", "GPL-3.0-or-later", "MPL-2.0"}


def load():
    text = (RECIPE / "meta.yaml").read_text()
    stubs = {"pin_subpackage": lambda name, max_pin: f"{name} {max_pin}", "compiler": lambda kind: f"compiler_{kind}",
             "stdlib": lambda kind: f"stdlib_{kind}"}
    return text, yaml.safe_load(jinja2.Environment().from_string(text).render(**stubs))


def words(section):
    return [str(item).split()[0] for item in section or []]


def checks(text, meta, build_script, release):
    """(lint, holds) in the order of the checklist."""
    source, build, about = meta["source"], meta["build"], meta["about"]
    requirements = {name: words(section) for name, section in meta["requirements"].items()}
    host, tools = requirements["host"], requirements["build"]
    commands = meta["test"]["commands"]
    cmake_version = re.search(r"project\(genomamba VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    code = "\n".join(line for line in build_script.splitlines() if not line.lstrip().startswith("#"))
    yield "the file is meta.yaml", (RECIPE / "meta.yaml").is_file()
    yield "version without v, and that of CMakeLists.txt", str(meta["package"]["version"]) == cmake_version
    yield "name in lower case", bool(re.fullmatch(r"[a-z0-9_.-]+", meta["package"]["name"]))
    yield "uses_vcs_url: no git, hg or svn url", not {"git_url", "hg_url", "svn_url"} & set(source)
    yield "missing_hash: a url has its sha256", "url" not in source or re.fullmatch(r"[0-9a-f]{64}", str(source.get("sha256")))
    yield "no patches", "patches" not in source and not list(RECIPE.rglob("*.patch"))
    yield "missing_build_number: build.number", isinstance(build.get("number"), int)
    yield "missing_run_exports: pinned to x.x while 0.x", any("x.x" in str(item) for item in build.get("run_exports", []))
    yield "compilers_must_be_in_build: compiler('cxx') under build alone", \
        "compiler_cxx" in tools and not any("compiler_" in word for word in host + requirements["run"])
    yield "should_use_compilers: no gcc, clang or libgcc by name", \
        not {"gcc", "gxx", "llvm", "clang", "clangxx", "libgcc", "libgcc-ng"} & set(tools + host + requirements["run"])
    yield "compiler_needs_stdlib_c: stdlib('c') under build", "stdlib_c" in tools
    yield "build tools: cmake, ninja or make, pkg-config", {"cmake", "pkg-config"} <= set(tools) and {"ninja", "make"} & set(tools)
    yield "host: every library the build looks for", \
        {"htslib", "libbigwig", "zstd", "eigen", "xsimd", "tbb-devel", "fmt", "nlohmann_json", "cli11"} <= set(host)
    yield "host libraries have no exact pins", not any(re.search(r"[=<>]", str(item)) for item in meta["requirements"]["host"])
    yield "run side comes from run_exports", not requirements["run"]
    yield "missing_tests: commands", len(commands) > 0
    yield "tests: --version, --help and a real embedding", \
        all(any(re.search(pattern, command) for command in commands)
            for pattern in (r"--version$", r"--help", r"embed .*-m tiny-random"))
    yield "tests run with busybox: no GNU-only options", not any(re.search(r"grep -[a-zA-Z]*P|awk --|sed -r|sort -V|stat ", c) for c in commands)
    yield "about: home, summary, license, license_family, license_file, doc_url, dev_url", \
        {"home", "summary", "license", "license_family", "license_file", "doc_url", "dev_url"} <= set(about)
    yield "about.summary within 120 characters", len(about["summary"]) <= 120
    yield "about.license is an SPDX identifier", about["license"] in SPDX
    yield "license files are there", all((ROOT / path).is_file() for path in about["license_file"])
    yield "licences of what is compiled in are named", \
        {path.name for path in (ROOT / "data/licenses").glob("*.txt")} <= {pathlib.Path(p).name for p in about["license_file"]}
    yield "extra.additional-platforms: linux-aarch64, osx-arm64, said to be untested", \
        set(meta["extra"]["additional-platforms"]) == {"linux-aarch64", "osx-arm64"} and "Untested" in text
    yield "extra.recipe-maintainers", bool(meta["extra"].get("recipe-maintainers"))
    yield "osx-64 is skipped on purpose", re.search(r"skip: True\s+# \[.*osx and x86_64", text)
    yield "no old-style selectors or setup_py_install remnants", "{{ environ" not in text and "py27" not in text
    yield "folder_and_package_name_must_match: the folder will be recipes/genomamba", meta["package"]["name"] == "genomamba"
    yield "build.sh: CMAKE_ARGS, PREFIX and CPU_COUNT are used", all(word in code for word in ("CMAKE_ARGS", "PREFIX", "CPU_COUNT"))
    yield "build.sh: CXXFLAGS is not overwritten", not re.search(r"^\s*(export )?CXXFLAGS=", code, re.MULTILINE)
    yield "build.sh: no -march, -mavx", not re.search(r"-march|-mavx", code)
    yield "build.sh: nothing is downloaded", not re.search(r"\b(curl|wget|git clone|pip install)\b", code)
    yield "build.sh: stops at the first failure", "set -e" in code
    if release:
        yield "release: a tarball with its sha256", {"url", "sha256"} <= set(source)
        yield "release: a public home", not any(".example" in about[key] for key in ("home", "doc_url", "dev_url"))


def main():
    release = "--release" in sys.argv[1:]
    text, meta = load()
    n_failed = 0
    for lint, holds in checks(text, meta, (RECIPE / "build.sh").read_text(), release):
        print(f"{'ok    ' if holds else 'FAILED'}  {lint}")
        n_failed += not holds
    print("bioconda-utils was not run: it needs its channels. These are its lints as this project reads them.")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
