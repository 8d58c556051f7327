rule variants:
    input:
        vcf=lambda wildcards: config["callsets"][wildcards.callset]["vcf"],
        ref=lambda wildcards: reference_files(
            config["callsets"][wildcards.callset]["reference"]
        )["ref"],
        regions="results/call_shards/{callset}/{scatteritem}.bed",
    output:
        vcf=temp("results/variant_shards/{callset}/{scatteritem}.vcf.gz"),
        report="results/reports/variants/{callset}/{scatteritem}.json",
    log:
        "logs/variants/{callset}/{scatteritem}.log",
    benchmark:
        "benchmarks/variants/{callset}/{scatteritem}.tsv"
    threads: config["threads"]
    resources:
        mem_mb=mem_mb,
        runtime=runtime,
    params:
        model=MODEL,
        extra=config["variants"]["extra"],
    wrapper:
        f"{WRAPPERS}/variants"


rule merge_variants:
    input:
        shards=gather.split("results/variant_shards/{{callset}}/{scatteritem}.vcf.gz"),
    output:
        merged="results/variants/{callset}.vcf.gz",
    log:
        "logs/merge_variants/{callset}.log",
    resources:
        mem_mb=mem_mb,
        runtime=runtime,
    wrapper:
        f"{WRAPPERS}/merge"
