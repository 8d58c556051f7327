#!/usr/bin/env python3
"""Runs the test of each Snakemake wrapper and the workflow, and compares what they make with the apps' own outputs.

usage: snakemake_runs.py scripts/snakemake WORK_DIR      (snakemake and genomamba in the PATH)
"""
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys

# App -> targets of its test, and commands whose outputs those targets must equal: target -> (file, command).
WRAPPER_TESTS = {
    "bench": (["m.json"], {}),
    "embed": (["x.npy", "r.tsv"], {
        "x.npy": ("d.npy", "embed -q -m tiny-random --pool max reads.fa -o d.npy"),
        "x.rows.tsv.gz": ("d.rows.tsv.gz", "version"),
        "r.tsv": ("d.tsv", "embed -q -m tiny-random -f genome.fa -R regions.bed -o d.tsv"),
    }),
    "merge": (["x.tsv.gz"], {
        "x.tsv.gz": ("d.tsv.gz", "merge -q --fai genome.fa.fai -o d.tsv.gz --bigwig d.bw 1.tsv 2.tsv"),
        "x.bw": ("d.bw", "version"),
    }),
    "model": (["m.json"], {}),
    "report": (["r.html"], {"r.html": ("d.html", "report -q -o d.html scores.tsv")}),
    "score": (["x.tsv.gz"], {
        "x.tsv.gz": ("d.tsv.gz", "score -q -m tiny-random -f genome.fa -R regions.bed --context 50 --tsv d.tsv.gz"
                                 " --bedgraph d.bedgraph --bigwig d.bw --npy d.npy"),
        "x.bedgraph": ("d.bedgraph", "version"),
        "x.bw": ("d.bw", "version"),
        "x.npy": ("d.npy", "version"),
    }),
    "split": (["shards/2-of-3.bed"], {
        "shards/1-of-3.bed": ("d/1-of-3.bed", "split -q -f genome.fa -R regions.bed -n 3 --max-piece 100 -o d"),
        "shards/2-of-3.bed": ("d/2-of-3.bed", "version"),
        "shards/3-of-3.bed": ("d/3-of-3.bed", "version"),
    }),
    "variants": (["x.vcf.gz"], {
        "x.vcf.gz": ("d.vcf.gz", "variants -q -m tiny-random -f genome.fa --write-index --table d.tsv -o d.vcf.gz calls.vcf"),
        "x.tsv": ("d.tsv", "version"),
    }),
}


def run(command, folder):
    result = subprocess.run(command, cwd=folder, shell=isinstance(command, str), capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{folder}: {command}\nexit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def contents(path):
    """Bytes of a file; of a compressed VCF the text, since blocks begin where its writer flushed."""
    return gzip.decompress(path.read_bytes()) if path.name.endswith(".vcf.gz") else path.read_bytes()


def require_same(found, expected):
    if contents(found) != contents(expected):
        sys.exit(f"{found} and {expected} differ")
    if found.stat().st_size == 0:
        sys.exit(f"{found} is empty")


def apps():
    """The apps that `genomamba --help` lists."""
    listed = run(["genomamba", "--help"], ".").split("apps:\n")[1].split("\n\n")[0]
    return set(re.findall(r"^  (\w+) ", listed, re.MULTILINE))


def check_wrappers(source, work):
    wrappers = {path.name for path in source.iterdir()}
    if wrappers != apps() or wrappers != set(WRAPPER_TESTS):
        sys.exit(f"apps {sorted(apps())}, but wrappers {sorted(wrappers)}, tests {sorted(WRAPPER_TESTS)}")
    # The paths that the collection of wrappers has, so that the tests could move there unchanged.
    shutil.copytree(source, work / "master/bio/genomamba")
    for app in sorted(wrappers):
        for part in ("wrapper.py", "meta.yaml", "environment.yaml", "test/Snakefile"):
            if not (source / app / part).is_file():
                sys.exit(f"{source / app / part} is missing")
        targets, expected = WRAPPER_TESTS[app]
        folder = work / "master/bio/genomamba" / app / "test"
        run(["snakemake", "--cores", "1", "--wrapper-prefix", f"file:{work}/", "-F", *targets], folder)
        for target, (file, command) in expected.items():
            run(f"genomamba {command}", folder)
            require_same(folder / target, folder / file)
        for target in targets:
            if target.endswith(".json"):
                json.loads((folder / target).read_text())
        print(f"wrapper {app}: ok", flush=True)


def check_workflow(source, work):
    """Local run, then one run of each app over the same work."""
    folder = work / "workflow"
    shutil.copytree(source / ".test", folder)
    snakefile = source / "workflow/Snakefile"
    common = ["snakemake", "--snakefile", str(snakefile), "--directory", str(folder)]
    run([*common, "--dry-run", "--workflow-profile", str(source / "profiles/slurm")], folder)
    run([*common, "--workflow-profile", str(source / "profiles/default"), "--cores", "2"], folder)
    run("genomamba embed -q --pool max data/a.fastq data/b.fa.gz -o one.npy", folder)
    require_same(folder / "results/embeddings/both.npy", folder / "one.npy")
    run("genomamba split -q -f data/genome.fa -R data/regions.bed -n 3 --max-piece 250 -o shards", folder)
    run("genomamba score -q -f data/genome.fa -R shards/1-of-3.bed -R shards/2-of-3.bed -R shards/3-of-3.bed"
        " -o one.tsv.gz --bigwig one.bw", folder)
    require_same(folder / "results/scores/lambda.tsv.gz", folder / "one.tsv.gz")
    require_same(folder / "results/scores/lambda.bw", folder / "one.bw")
    n_rows = sum(not line.startswith(b"#") for line in gzip.open(folder / "one.tsv.gz"))
    if n_rows != 900:
        sys.exit(f"{n_rows} positions were scored, the regions have 900")
    run("genomamba variants -q -m microbe-causal -f data/genome.fa -o one.vcf.gz data/calls.vcf", folder)
    require_same(folder / "results/variants/calls.vcf.gz", folder / "one.vcf.gz")
    again = run([*common, "--cores", "2", "--dry-run"], folder)
    if "Nothing to be done" not in again:
        sys.exit(f"a second run is not empty:\n{again}")
    print("workflow: its outputs are those of single runs", flush=True)


def main():
    source, work = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    check_wrappers(source / "wrappers", work)
    check_workflow(source, work)


if __name__ == "__main__":
    main()
