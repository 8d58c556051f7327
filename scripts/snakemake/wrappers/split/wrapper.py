__author__ = "The genomamba authors"
__copyright__ = "Copyright 2026, The genomamba authors"
__license__ = "MIT"

import os
from shlex import quote

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)

files = ""
for option, path in (
    ("--regions", snakemake.input.get("regions")),
    ("--fai", snakemake.input.get("fai")),
):
    if path:
        files += f" {option} {quote(path)}"

n_shards = len(snakemake.output)
folder = os.path.dirname(snakemake.output[0]) or "."
expected = {
    os.path.join(folder, f"{i}-of-{n_shards}.bed") for i in range(1, n_shards + 1)
}
if {os.path.normpath(path) for path in snakemake.output} != {
    os.path.normpath(path) for path in expected
}:
    raise ValueError(
        "output: FOLDER/1-of-N.bed ... FOLDER/N-of-N.bed are made together"
    )

shell(
    "genomamba split --reference {snakemake.input.ref:q}{files} --shards {n_shards}"
    " {extra} -o {folder:q} {log}"
)
