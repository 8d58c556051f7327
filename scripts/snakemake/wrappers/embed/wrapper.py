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
    ("--reference", snakemake.input.get("ref")),
    ("--regions", snakemake.input.get("regions")),
    ("--report", snakemake.output.get("report")),
):
    if path:
        files += f" {option} {quote(path)}"

vectors = snakemake.output.get("vectors", snakemake.output[0])
rows = snakemake.output.get("rows")
if rows and rows != vectors.removesuffix(".npy") + ".rows.tsv.gz":
    raise ValueError("output.rows: the row table of NAME.npy is NAME.rows.tsv.gz")

shell(
    "genomamba embed --threads {snakemake.threads} {memory} {model}{files} {extra}"
    " -o {vectors:q} {snakemake.input.reads:q} {log}"
)
