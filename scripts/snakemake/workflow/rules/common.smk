from pathlib import Path

from snakemake.utils import validate

validate(config, "../schemas/config.schema.yaml")

# The wrappers of this project, as they stand beside the workflow.
WRAPPERS = f"file:{Path(workflow.basedir).parent / 'wrappers'}"
MODEL = config["model"]


# Work is cut into this many jobs; --set-scatter split=N overrides it.
scattergather:
    split=config["shards"],


wildcard_constraints:
    sample="[^/]+",
    reference="[^/]+",
    callset="[^/]+",


def embeddings():
    return expand("results/embeddings/{sample}.npy", sample=config["samples"])


def scores():
    return expand(
        "results/scores/{reference}.{kind}",
        reference=config["references"],
        kind=["tsv.gz", "bw"],
    )


def annotated_calls():
    return expand("results/variants/{callset}.vcf.gz", callset=config["callsets"])


def reference_files(name):
    """FASTA and, where the config names one, BED of a reference, as named inputs."""
    return {
        key: value
        for key, value in config["references"][name].items()
        if key in ("ref", "regions")
    }


def mem_mb(wildcards, attempt):
    """A job that was killed for its memory is tried again with more."""
    return config["mem_mb"] * attempt


def runtime(wildcards, attempt):
    return config["runtime"] * attempt
