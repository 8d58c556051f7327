localrules:
    split,
    split_for_calls,


rule split:
    input:
        unpack(lambda wildcards: reference_files(wildcards.reference)),
    output:
        temp(scatter.split("results/shards/{{reference}}/{scatteritem}.bed")),
    log:
        "logs/split/{reference}.log",
    params:
        extra=f"--max-piece {config['max_piece']}",
    wrapper:
        f"{WRAPPERS}/split"


# Calls are scattered by the whole of their reference: a record outside the regions that are scored is annotated too.
rule split_for_calls:
    input:
        ref=lambda wildcards: reference_files(
            config["callsets"][wildcards.callset]["reference"]
        )["ref"],
    output:
        temp(scatter.split("results/call_shards/{{callset}}/{scatteritem}.bed")),
    log:
        "logs/split_for_calls/{callset}.log",
    params:
        extra=f"--max-piece {config['max_piece']}",
    wrapper:
        f"{WRAPPERS}/split"
