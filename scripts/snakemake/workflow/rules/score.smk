rule score:
    input:
        ref=lambda wildcards: reference_files(wildcards.reference)["ref"],
        regions="results/shards/{reference}/{scatteritem}.bed",
    output:
        tsv=temp("results/score_shards/{reference}/{scatteritem}.tsv.gz"),
        report="results/reports/score/{reference}/{scatteritem}.json",
    log:
        "logs/score/{reference}/{scatteritem}.log",
    benchmark:
        "benchmarks/score/{reference}/{scatteritem}.tsv"
    threads: config["threads"]
    resources:
        mem_mb=mem_mb,
        runtime=runtime,
    params:
        model=MODEL,
        extra=config["score"]["extra"],
    wrapper:
        f"{WRAPPERS}/score"


rule merge_scores:
    input:
        shards=gather.split("results/score_shards/{{reference}}/{scatteritem}.tsv.gz"),
    output:
        merged="results/scores/{reference}.tsv.gz",
        bigwig="results/scores/{reference}.bw",
    log:
        "logs/merge_scores/{reference}.log",
    resources:
        mem_mb=mem_mb,
        runtime=runtime,
    wrapper:
        f"{WRAPPERS}/merge"
