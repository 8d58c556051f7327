__author__ = "The genomamba authors"
__copyright__ = "Copyright 2026, The genomamba authors"
__license__ = "MIT"

from shlex import quote

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)

files = ""
for option, path in (
    ("--fai", snakemake.input.get("fai")),
    ("--bigwig", snakemake.output.get("bigwig")),
):
    if path:
        files += f" {option} {quote(path)}"

merged = snakemake.output.get("merged", snakemake.output[0])
shell("genomamba merge{files} {extra} -o {merged:q} {snakemake.input.shards:q} {log}")
