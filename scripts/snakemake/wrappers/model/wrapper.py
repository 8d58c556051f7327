__author__ = "The genomamba authors"
__copyright__ = "Copyright 2026, The genomamba authors"
__license__ = "MIT"

from shlex import quote

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)

model = quote(str(snakemake.input.get("model", snakemake.params.get("model"))))
shell("genomamba model info --json {extra} {model} > {snakemake.output[0]:q} {log}")
