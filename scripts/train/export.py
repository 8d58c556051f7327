# SPDX-License-Identifier: MIT
"""Write a checkpoint of train.py as a model directory: config.json, model.safetensors, tokenizer files.

  python3 scripts/train/export.py --checkpoint DIR/best.pt --out data/models/NAME [--dtype f16|bf16|f32]

The averaged weights are written. The tied head is stored once, as the embedding. The model card is not touched.
"""

import argparse
import json
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from objectives import OBJECTIVES
from optim import FlatOptimizer

# Small tensors whose exact values matter for long memories stay float32, as in mamba_ssm.
KEPT_FLOAT32 = ("A_log", ".D", "dt_proj.bias", "norm.weight", "norm_f.weight")
VOCABULARY = ["[CLS]", "[SEP]", "[BOS]", "[MASK]", "[PAD]", "[RESERVED]", "[UNK]", "A", "C", "G", "T", "N"]
DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


def averaged_model(checkpoint):
    """The model of a checkpoint with its averaged weights, and the checkpoint's content."""
    state = torch.load(checkpoint, weights_only=False)
    model = OBJECTIVES[state["config"]["objective"]].make_model(state["config"]["model"])
    optimizer = FlatOptimizer(model, **state["config"]["optimizer"])
    optimizer.load(state["optimizer"])
    optimizer.theta.copy_(optimizer.ema)
    return model, state


@torch.no_grad()
def published_model(directory):
    """The model of a directory that this script wrote, and its objective's name."""
    config = json.loads((directory / "config.json").read_text())
    objective = "masked" if config.get("model_type") == "caduceus" else "causal"
    model = OBJECTIVES[objective].make_model(config)
    values = load_file(directory / "model.safetensors")
    for name, tensor in OBJECTIVES[objective].tensors(model).items():
        tensor.copy_(values[name])
    return model, objective


def causal_model(source):
    """The causal model in a checkpoint of train.py, or in a model directory written by this script."""
    source = Path(source)
    return averaged_model(source)[0] if source.is_file() else published_model(source)[0]


def rounded(name, tensor, dtype):
    return tensor.detach().float().contiguous() if name.endswith(KEPT_FLOAT32) else tensor.detach().to(dtype).contiguous()


def tokenizer_files(objective, trained_length):
    """Caduceus' character vocabulary; the causal model was trained with [BOS] before the first base, at any length."""
    special = dict(bos_token="[BOS]", eos_token="[SEP]", sep_token="[SEP]", cls_token="[CLS]", pad_token="[PAD]",
                   mask_token="[MASK]", unk_token="[UNK]")
    config = dict(tokenizer_class="CaduceusTokenizer", characters=list("ACGTN"),
                  model_max_length=1 << 30 if objective == "causal" else trained_length, add_prefix_space=False, padding_side="left", add_bos_token=objective == "causal",
                  add_eos_token=False, add_special_tokens=objective == "causal",
                  added_tokens_decoder={str(i): dict(content=t, special=True, lstrip=False, rstrip=False,
                                                     normalized=False, single_word=False)
                                        for i, t in enumerate(VOCABULARY[:7])}, **special)
    return {"tokenizer_config.json": config, "special_tokens_map.json": special,
            "vocab.json": {t: i for i, t in enumerate(VOCABULARY)}}


def copy_log(source, target, last_step):
    """The rows up to the step of the checkpoint (the first column)."""
    if source.exists():
        header, *rows = source.read_text().splitlines()
        target.write_text("\n".join([header, *(r for r in rows if int(r.split("\t")[0]) <= last_step)]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--dtype", choices=DTYPES, default="f16")
    args = parser.parse_args()
    model, state = averaged_model(args.checkpoint)
    objective = state["config"]["objective"]
    tensors = OBJECTIVES[objective].tensors(model)
    args.out.mkdir(parents=True, exist_ok=True)
    save_file({n: rounded(n, t, DTYPES[args.dtype]) if t.is_floating_point() else t for n, t in tensors.items()},
              args.out / "model.safetensors", metadata={"format": "pt"})
    progress = {key: state[key] for key in ("step", "bases")} | {"seconds": round(state["seconds"])}
    files = {"training.json": progress, "config.json": OBJECTIVES[objective].hub_config(state["config"]["model"])}
    files |= tokenizer_files(objective, state["config"]["data"]["chunk"])
    for name, content in files.items():
        (args.out / name).write_text(json.dumps(content, indent=2) + "\n")
    (args.out / "model.safetensors").chmod(0o644)
    for name in ("train.tsv", "eval.tsv"):
        copy_log(Path(args.checkpoint).parent / name, args.out / name, state["step"])
    print(f"step {state['step']}, {state['bases']} bases, {sum(t.numel() for t in tensors.values())} values")


if __name__ == "__main__":
    main()
