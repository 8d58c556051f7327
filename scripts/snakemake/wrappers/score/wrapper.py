__author__ = "The genomamba authors"
__copyright__ = "Copyright 2026, The genomamba authors"
__license__ = "MIT"

from shlex import quote

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)

# A model is a name or hf:ORG/NAME (params.model), or a directory that a rule made (input.model).
model = snakemake.input.get("model", snakemake.params.get("model", ""))
model = f"--model {quote(str(model))}" if model else ""
# The app's budget stays below the limit that a scheduler sets for the job.
mem_mb = snakemake.resources.get("mem_mb")
memory = f"--memory {int(mem_mb * 0.9)}M" if mem_mb else ""

files = ""
for option, path in (
    ("--regions", snakemake.input.get("regions")),
    ("--fai", snakemake.input.get("fai")),
    ("--tsv", snakemake.output.get("tsv")),
    ("--bedgraph", snakemake.output.get("bedgraph")),
    ("--bigwig", snakemake.output.get("bigwig")),
    ("--npy", snakemake.output.get("npy")),
    ("--report", snakemake.output.get("report")),
):
    if path:
        files += f" {option} {quote(path)}"

shell(
    "genomamba score --threads {snakemake.threads} {memory} {model}"
    " --reference {snakemake.input.ref:q}{files} {extra} {log}"
)
