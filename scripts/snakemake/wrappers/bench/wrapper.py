__author__ = "The genomamba authors"
__copyright__ = "Copyright 2026, The genomamba authors"
__license__ = "MIT"

from shlex import quote

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)

model = snakemake.input.get("model", snakemake.params.get("model", ""))
model = f"--model {quote(str(model))}" if model else ""
shell(
    "genomamba bench --threads {snakemake.threads} {model} --json {extra}"
    " > {snakemake.output[0]:q} {log}"
)
