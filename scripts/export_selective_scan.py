#!/usr/bin/env python3
"""Writes golden inputs and outputs of mamba_ssm's selective_scan_ref: tests/golden/data/selective_scan/expected.safetensors.

usage: export_selective_scan.py --mamba-ssm DIR [-o tests/golden/data/selective_scan]

DIR is a checkout of state-spaces/mamba, obtained apart and never committed; the function is run on CPU in fp32. A case is
<case>.u, .delta, .A, .B, .C, .out, .last_state and, where it has them, .D, .z, .delta_bias; time-major as the library
takes them: u, delta, z, out [L, d_inner], B, C [L, d_state], A, last_state [d_inner, d_state]. softplus is always on.
"""
import argparse
import importlib.util
import pathlib
import sys
import types

import torch
from safetensors.torch import save_file

# d_state, d_inner, L, has D, has z, has delta_bias
CASES = [
    (1, 5, 9, True, True, True),
    (2, 16, 33, False, False, False),
    (3, 17, 20, True, False, False),
    (4, 24, 40, False, True, False),
    (8, 40, 50, False, False, True),
    (16, 64, 100, True, True, True),
    (16, 70, 1, False, False, False),
    (16, 33, 65, True, False, True),
    (32, 20, 30, False, True, True),
    (64, 18, 25, True, True, False),
]


def load_reference(checkout):
    for name in ("selective_scan_cuda", "causal_conv1d", "causal_conv1d_cuda"):  # imported, never called
        sys.modules[name] = types.SimpleNamespace(causal_conv1d_fn=None)
    for name in ("mamba_ssm", "mamba_ssm.ops", "mamba_ssm.ops.triton", "mamba_ssm.ops.triton.layer_norm",
                 "mamba_ssm.utils", "mamba_ssm.utils.torch"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["mamba_ssm.ops.triton.layer_norm"]._layer_norm_fwd = None
    sys.modules["mamba_ssm.utils.torch"].custom_fwd = sys.modules["mamba_ssm.utils.torch"].custom_bwd = lambda f: f
    path = checkout / "mamba_ssm" / "ops" / "selective_scan_interface.py"
    spec = importlib.util.spec_from_file_location("selective_scan_interface", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.selective_scan_ref


def make_case(reference, d_state, d_inner, length, has_D, has_z, has_bias, generator):
    normal = lambda *shape: torch.randn(shape, generator=generator)
    tensors = dict(u=normal(length, d_inner), delta=normal(length, d_inner), A=-torch.exp(normal(d_inner, d_state)),
                   B=normal(length, d_state), C=normal(length, d_state))
    if has_D:
        tensors["D"] = normal(d_inner)
    if has_z:
        tensors["z"] = normal(length, d_inner)
    if has_bias:
        tensors["delta_bias"] = normal(d_inner) - 2
    major = lambda name: tensors[name].T[None] if name in tensors else None
    out, last_state = reference(major("u"), major("delta"), tensors["A"], major("B"), major("C"), D=tensors.get("D"),
                                z=major("z"), delta_bias=tensors.get("delta_bias"), delta_softplus=True,
                                return_last_state=True)
    tensors["out"], tensors["last_state"] = out[0].T, last_state[0]
    return {name: value.contiguous() for name, value in tensors.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mamba-ssm", type=pathlib.Path, metavar="DIR", required=True)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("tests/golden/data/selective_scan"))
    options = parser.parse_args()
    reference = load_reference(options.mamba_ssm)
    generator = torch.Generator().manual_seed(3)
    tensors = {}
    for d_state, d_inner, length, *has in CASES:
        letters = "".join(letter for letter, present in zip("Dzb", has) if present) or "plain"
        case = f"n{d_state}_d{d_inner}_L{length}_{letters}"
        for name, value in make_case(reference, d_state, d_inner, length, *has, generator).items():
            tensors[f"{case}.{name}"] = value
    options.output.mkdir(parents=True, exist_ok=True)
    save_file(tensors, options.output / "expected.safetensors", metadata={"torch": torch.__version__})
    print(f"{options.output}: {len(CASES)} cases, {sum(t.numel() for t in tensors.values())} numbers")


if __name__ == "__main__":
    main()
