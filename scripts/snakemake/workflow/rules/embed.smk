rule embed:
    input:
        reads=lambda wildcards: config["samples"][wildcards.sample],
    output:
        vectors="results/embeddings/{sample}.npy",
        rows="results/embeddings/{sample}.rows.tsv.gz",
        report="results/reports/embed/{sample}.json",
    log:
        "logs/embed/{sample}.log",
    benchmark:
        "benchmarks/embed/{sample}.tsv"
    threads: config["threads"]
    resources:
        mem_mb=mem_mb,
        runtime=runtime,
    params:
        model=MODEL,
        extra=config["embed"]["extra"],
    wrapper:
        f"{WRAPPERS}/embed"
