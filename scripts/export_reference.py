#!/usr/bin/env python3
"""Writes golden outputs: random small models of Hugging Face transformers, run on CPU in fp32.

usage: export_reference.py [-o tests/golden/data] [NAME...]

Each NAME (default: all) gives a folder with config.json and model.safetensors as save_pretrained writes them, and
expected.safetensors with <case>.input_ids [L], <case>.last_hidden_state [L, D] (after the final norm) and
<case>.logits [L, vocabulary]. The weights are random and perturbed, so that every parameter matters; a seed makes the
files the same on every run. Needs torch (CPU) and transformers 5; the outputs that the tests use are committed.
"""
import argparse
import os
import pathlib

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch  # noqa: E402
import transformers  # noqa: E402
from safetensors.torch import save_file  # noqa: E402

LENGTHS = (1, 2, 3, 7, 64, 257)
COMMON = dict(vocab_size=16, num_hidden_layers=3, hidden_size=32, pad_token_id=4, bos_token_id=2,
              eos_token_id=1)


def mamba(**kwargs):
    config = transformers.MambaConfig(state_size=16, **COMMON, **kwargs)
    return transformers.MambaForCausalLM(config)


def mamba2(**kwargs):
    config = transformers.Mamba2Config(state_size=16, num_heads=8, head_dim=8, chunk_size=16, **COMMON, **kwargs)
    return transformers.Mamba2ForCausalLM(config)


def falcon_mamba(**kwargs):
    config = transformers.FalconMambaConfig(state_size=16, **COMMON, **kwargs)
    return transformers.FalconMambaForCausalLM(config)


MODELS = {
    "hf-mamba": lambda: mamba(tie_word_embeddings=True),
    "hf-mamba-untied-bias": lambda: mamba(tie_word_embeddings=False, use_bias=True, conv_kernel=3, expand=3,
                                          time_step_rank=5, layer_norm_epsilon=1e-3),
    "hf-mamba2": lambda: mamba2(n_groups=1, tie_word_embeddings=False),
    "hf-mamba2-groups": lambda: mamba2(n_groups=2, tie_word_embeddings=True, time_step_limit=(0.01, 0.2)),
    "hf-falcon-mamba": lambda: falcon_mamba(tie_word_embeddings=True),
}


def perturb(model, generator):
    """Moves each parameter away from its initial value; projections stay small enough for a tame output."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            if name.endswith("A_log"):
                parameter.add_(0.3 * noise)
            elif "norm" in name or name.endswith(".D"):
                parameter.add_(0.2 * noise)
            elif "embeddings" in name or "lm_head" in name:
                parameter.copy_(0.5 * noise)
            else:
                parameter.add_(0.1 * noise)


def run_cases(model, generator):
    tensors = {}
    for length in LENGTHS:
        ids = torch.randint(7, 12, (1, length), generator=generator)
        with torch.no_grad():
            output = model(input_ids=ids, output_hidden_states=True, use_cache=False)
        case = f"len{length}"
        tensors[f"{case}.input_ids"] = ids[0].contiguous()
        tensors[f"{case}.last_hidden_state"] = output.hidden_states[-1][0].float().contiguous()
        tensors[f"{case}.logits"] = output.logits[0].float().contiguous()
    return tensors


def export(name, folder):
    torch.manual_seed(1)
    generator = torch.Generator().manual_seed(2)
    model = MODELS[name]().eval().float()
    perturb(model, generator)
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    save_file(run_cases(model, generator), folder / "expected.safetensors",
              metadata={"torch": torch.__version__, "transformers": transformers.__version__})
    print(f"{folder}: {sum(p.numel() for p in model.parameters())} parameters")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MODELS))
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("tests/golden/data"))
    args = parser.parse_args()
    for name in args.names or MODELS:
        if name not in MODELS:
            parser.error(f"unknown model {name}; the choices are {', '.join(MODELS)}")
        export(name, args.output / name)


if __name__ == "__main__":
    main()
