# SPDX-License-Identifier: MIT
"""Write README.md of a model directory from what was measured: its config, logs and score tables.

  python3 scripts/train/card.py --model data/models/NAME --config scripts/train/configs/causal.json

Read from the model directory: training.json, train.tsv and eval.tsv (written there by export.py) and, if there, the tables
of scripts/evaluate: bits.tsv, pieces.tsv, baselines.tsv, probe.tsv, starts.tsv, snv.tsv, masked.tsv. Nothing is filled in
that is not in these files.
"""

import argparse
import csv
import json
from pathlib import Path

from safetensors import safe_open

from data import DATASETS

ATTRIBUTION = {
    "yeast": "Saccharomyces Genome Database (SGD), S288C reference genome R64, CC BY 4.0; please cite SGD.",
    "bacteria": "GenBank / RefSeq record {accession}, International Nucleotide Sequence Database Collaboration.",
    "phage": "RefSeq records as listed, International Nucleotide Sequence Database Collaboration.",
}
PURPOSE = {
    "causal": "A causal Mamba-1 language model of bacterial, phage and yeast DNA: it reads bases from left to right and "
              "gives the probability of the next one. Layout of `mamba_ssm`; a sequence starts with [BOS].",
    "masked": "A masked, bidirectional, reverse-complement-equivariant model (Caduceus-PS layout, fused_add_norm = true) "
              "of bacterial, phage and yeast DNA. No special tokens are added.",
}


def read_tsv(path):
    if not path.exists():
        return []
    with open(path) as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return lines + ["| " + " | ".join(str(v) for v in row) + " |" for row in rows]


def thinned(rows, n):
    """At most n rows, evenly spaced, the last one included."""
    if len(rows) <= n:
        return rows
    return [rows[round(i * (len(rows) - 1) / (n - 1))] for i in range(n)]


def data_section():
    rows = [r for r in read_tsv(DATASETS) if r["role"] == "train"]
    lines = ["## Data", "", "Both strands of the first nine tenths of every sequence; the last tenths are kept for "
             "validation. Attribution is what the databases ask for; licences are the databases' general policies.", ""]
    lines += table(["sequence", "bases", "accession", "taken from", "licence", "attribution"],
                   [(r["name"], f"{int(r['bases']):,}", r["accession"], r["source"], r["licence"],
                     ATTRIBUTION[r["clade"]].format(**r)) for r in rows])
    return lines


def recipe_section(config, model_dir, config_path):
    progress = json.loads((model_dir / "training.json").read_text())
    with safe_open(model_dir / "model.safetensors", "pt") as tensors:
        n_values = sum(tensors.get_tensor(k).numel() for k in tensors.keys() if tensors.get_tensor(k).is_floating_point())
    m, d, o, s = config["model"], config["data"], config["optimizer"], config["schedule"]
    lines = ["## Recipe", "",
             f"- {n_values:,} parameters: d_model {m['d_model']}, {m['n_layer']} layers, d_state {m['ssm_cfg']['d_state']}; "
             f"seed {config['seed']}; configuration `{config_path}`, trainer `scripts/train`.",
             f"- A step reads {d['microbatches']} chunks of {d['chunk']} bases; clade shares "
             + ", ".join(f"{k} {v:.0%}" for k, v in d["clade_shares"].items()) + ".",
             f"- Muon (in_proj, out_proj) and AdamW (the rest), learning rate {s['lr']} after {s['warmup_steps']} warm-up "
             f"steps, weight decay {o['weight_decay']} on matrices; the published weights are a moving average "
             f"(decay {o['ema_decay']})."]
    lines += [f"- {text}" for text in config.get("history", [])]
    rate = progress["bases"] / max(1, progress["seconds"])
    lines.append(f"- {progress['bases']:,} bases in {progress['step']:,} steps and {progress['seconds'] / 3600:.1f} hours on 2 "
                 f"cores shared with other work ({rate:,.0f} bases/s on average; see scripts/train/README.md for the rates "
                 "measured by themselves).")
    return lines


def curve_section(model_dir):
    rows = read_tsv(model_dir / "eval.tsv")
    if not rows:
        return []
    names = list(rows[0])[4:]
    heldout = names[12:]
    lines = ["## Learning curve", "", "Bits per base on small slices (12,288 bases of each training genome's held-back tenth, "
             "averaged: \"valid\", which chose the weights; 32,768 bases of each held-out genome, for the log only). The scores "
             "are below.", ""]
    return lines + table(["bases seen", "valid", *(n.split("_")[0] for n in heldout)],
                         [(f"{int(r['bases']):,}", r["valid"], *(r[n] for n in heldout)) for r in thinned(rows, 12)])


def bits_table(rows):
    """Whole held-out genomes by the app: gain over the best Markov model, and who wins against the adaptive mixture."""
    header = ["genome", "bases", "bits per base", "best Markov", "gain", "adaptive mixture", "lower"]
    aligned = any(r["bits_unaligned"] for r in rows)
    lines = []
    for r in rows:
        bits, markov, mixture = (float(r[k]) for k in ("bits", "best_markov", "adaptive_mixture"))
        line = [r["genome"], f"{int(r['bases']):,}", r["bits"], r["best_markov"], f"{markov - bits:.4f}", r["adaptive_mixture"],
                "this model" if bits < mixture else "adaptive mixture"]
        lines.append(line + ([f"{r['bits_unaligned']} ({int(r['bases_unaligned']):,})"] if aligned else []))
    return table(header + (["bits, unaligned bases"] if aligned else []), lines)


def plain_table(rows):
    return table(list(rows[0]), [r.values() for r in rows])


# file, what it says, how it is shown
SCORE_TABLES = (
    ("bits.tsv", "Whole held-out genomes, by `genomamba score` (`scripts/evaluate/bits_per_base.py`). Best Markov: orders 1 to 12 "
     "trained on the same data, both strands (`markov_baseline.py`). The adaptive mixture of these orders also learns the genome "
     "while it reads it, up to megabases back, which this model cannot.", bits_table),
    ("masked.tsv", "Masked bases of held-out genomes, by `genomamba score --method masked` (`scripts/evaluate/masked_accuracy.py`): "
     "share of bases whose probability is the largest of the four, and bits per base; mask spacing 8 and unmasked against "
     "spacing 0.", plain_table),
    ("probe.tsv", "Linear probe on frozen mean embeddings of 300-base windows, by `genomamba embed` (`scripts/evaluate/probe.py`): "
     "accuracy, and the 95 % interval of the model's advantage on the same windows.", plain_table),
    ("starts.tsv", "Annotated start codons against other ATGs in Haemophilus (`scripts/evaluate/start_codons.py`).", plain_table),
    ("snv.tsv", "Synonymous against non-synonymous substitutions in genes of Haemophilus, by `genomamba variants` "
     "(`scripts/evaluate/snv_scores.py`): AUC and its 95 % interval.", plain_table),
)


def score_section(model_dir):
    lines = ["## Scores", ""]
    for name, text, show in SCORE_TABLES:
        rows = read_tsv(model_dir / name)
        if rows:
            lines += [text, "", *show(rows), ""]
    pieces = [] if (model_dir / "bits.tsv").exists() else read_tsv(model_dir / "pieces.tsv")
    if pieces:
        lines += ["Evenly spaced pieces of the held-out genomes, each read from [BOS] without what comes before; Markov: the best "
                  "of orders 1 to 12 on the same pieces, trained on the same data. Measured in PyTorch with "
                  "`scripts/evaluate/compare_pieces.py` (defaults).", ""]
        lines += table(["genome", "bases", "bits per base", "best Markov (order)", "gain"],
                       [(r["genome"], f"{int(r['bases']):,}", r["bits"], f"{r['markov_bits']} ({r['markov_order']})", r["gain"])
                        for r in pieces])
    while lines[-1] == "":
        lines.pop()
    return lines


def limits_section(objective):
    lines = ["## Limits", "", "- Bacteria, tailed phages and yeast only. It has seen no human, plant or animal DNA and is "
             "little better than base composition there.",
             "- Small, and trained on 12 files: an example to work with, not a research result.",
             "- Four letters carry meaning; N and any other letter are read, but say nothing."]
    if objective == "causal":
        lines.append("- Gradients reached back 1024 bases; longer context is used only as far as the state carries it.")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--config", required=True)
    args = parser.parse_args()
    config = json.loads(Path(args.config).read_text())
    sections = [[f"# {args.model.resolve().name}", "", PURPOSE[config["objective"]], "", "Licence of the weights: MIT, as the project."],
                data_section(), recipe_section(config, args.model, args.config), curve_section(args.model),
                score_section(args.model), limits_section(config["objective"])]
    text = "\n\n".join("\n".join(s) for s in sections if s) + "\n"
    (args.model / "README.md").write_text(text)


if __name__ == "__main__":
    main()
