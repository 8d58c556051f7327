#!/usr/bin/env python3
"""genomamba beside other CPU implementations of Mamba-1: same weights, same tokens, interleaved runs, one thread each.

usage: bench_peers.py [--build build/bench] [--d-model 256 768] [--layers 4] [--seqlen 4096] [--pairs 5]
                      [--mamba-c DIR] [--no-compile]

Compared: PyTorch in the plain formulation of small implementations (einsum, then a Python loop over time; written here),
the same through torch.compile, transformers' slow path, and mamba.c (DIR is a checkout of kroggen/mamba.c; it is built
in a temporary folder with its own fastest flags). All run in this process; times are of the forward pass alone. What each
computes is compared: hidden states after the final norm, or logits. Prints a table; ratios are medians over pairs.

Build first: cmake --preset bench && cmake --build build/bench --target genomamba_model_c genomamba-model
"""
import argparse
import ctypes
import json
import os
import pathlib
import statistics
import struct
import subprocess
import tempfile
import time

os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from safetensors.torch import load_file  # noqa: E402

FIRST_BASE = 7  # the token of A; C, G, T follow


def rms_norm(x, weight):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * weight


def scan_inputs(x, layer):
    """in_proj to the discretised A and B of one mixer. x [1, l, d_model]."""
    length = x.shape[1]
    u, z = F.linear(x, layer["in_proj.weight"]).chunk(2, dim=-1)
    u = F.conv1d(u.transpose(1, 2), layer["conv1d.weight"], layer["conv1d.bias"], groups=u.shape[-1],
                 padding=layer["conv1d.weight"].shape[-1] - 1)[..., :length]
    u = F.silu(u.transpose(1, 2))
    A = -torch.exp(layer["A_log"])
    dt_rank, d_state = layer["dt_proj.weight"].shape[1], A.shape[1]
    dt, B, C = F.linear(u, layer["x_proj.weight"]).split([dt_rank, d_state, d_state], dim=-1)
    delta = F.softplus(F.linear(dt, layer["dt_proj.weight"], layer["dt_proj.bias"]))
    delta_A = torch.exp(torch.einsum("bld,dn->bldn", delta, A))
    delta_B_u = torch.einsum("bld,bln,bld->bldn", delta, B, u)
    return u, z, delta_A, delta_B_u, C


def scan_step(state, delta_A, delta_B_u, C):
    state = delta_A * state + delta_B_u
    return state, torch.einsum("bdn,bn->bd", state, C)


def scan_output(y, u, z, layer):
    return F.linear((y + u * layer["D"]) * F.silu(z), layer["out_proj.weight"])


class PlainMamba:
    """Hidden states of a whole sequence; `compiled` passes its three parts through torch.compile (a whole sequence
    cannot: the loop over time would be unrolled)."""

    def __init__(self, weights, compiled=False):
        wrap = torch.compile if compiled else (lambda function: function)
        self.inputs, self.step, self.output = wrap(scan_inputs), wrap(scan_step), wrap(scan_output)
        self.weights = weights
        n_layer = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("backbone.layers."))
        self.layers = [{name.split(".mixer.")[1]: value for name, value in weights.items()
                        if name.startswith(f"backbone.layers.{i}.mixer.")} for i in range(n_layer)]

    def __call__(self, ids):
        x = self.weights["backbone.embedding.weight"][ids][None]
        for i, layer in enumerate(self.layers):
            normed = rms_norm(x, self.weights[f"backbone.layers.{i}.norm.weight"])
            u, z, delta_A, delta_B_u, C = self.inputs(normed, layer)
            state = torch.zeros(delta_A.shape[0], *delta_A.shape[2:])
            rows = []
            for t in range(x.shape[1]):
                state, row = self.step(state, delta_A[:, t], delta_B_u[:, t], C[:, t])
                rows.append(row)
            x = x + self.output(torch.stack(rows, dim=1), u, z, layer)
        return rms_norm(x, self.weights["backbone.norm_f.weight"])[0]


def transformers_slow_path(weights, config):
    import transformers
    transformers.utils.logging.set_verbosity_error()
    sizes = dict(hidden_size=config["d_model"], num_hidden_layers=config["n_layer"], state_size=16,
                 vocab_size=weights["backbone.embedding.weight"].shape[0], use_mambapy=False, use_cache=False)
    model = transformers.MambaModel(transformers.MambaConfig(**sizes)).eval()
    renamed = {name.removeprefix("backbone.").replace("embedding.", "embeddings.", 1): value
               for name, value in weights.items() if name.startswith("backbone.")}
    model.load_state_dict(renamed)
    return lambda ids: model(input_ids=ids[None], use_cache=False).last_hidden_state[0]


class MambaC:
    """mamba.c as a shared library; its forward takes a token and gives its logits."""

    def __init__(self, checkout, folder, weights, config):
        library = folder / "libmambac.so"
        subprocess.run(["gcc", "-Ofast", "-march=native", "-fPIC", "-shared", "-Dmain=mamba_c_main", "-w",
                        str(checkout / "mamba.c"), "-lm", "-o", str(library)], check=True)
        self.lib = ctypes.CDLL(str(library))
        self.lib.forward.restype = ctypes.POINTER(ctypes.c_float)
        self.n_logits = weights["backbone.embedding.weight"].shape[0]
        path = folder / "mambac.bin"
        self.write(path, weights, config)
        self.model = ctypes.create_string_buffer(4096)
        self.lib.load_model(self.model, str(path).encode())

    def write(self, path, weights, config):
        layers = range(config["n_layer"])
        mixer = weights["backbone.layers.0.mixer.x_proj.weight"]
        d_inner, d_state = weights["backbone.layers.0.mixer.A_log"].shape
        dt_rank = mixer.shape[0] - 2 * d_state
        d_conv = weights["backbone.layers.0.mixer.conv1d.weight"].shape[-1]
        header = struct.pack("Ii8i", 0x4D616D62, 1, len(layers), self.n_logits, config["d_model"], d_inner, dt_rank,
                             d_state, d_conv, 1)
        with open(path, "wb") as file:
            file.write(header.ljust(256, b"\0"))
            put = lambda tensor: file.write(tensor.float().contiguous().numpy().tobytes())
            put(weights["backbone.embedding.weight"])
            for name in ("in_proj.weight", "conv1d.weight", "conv1d.bias", "x_proj.weight", "dt_proj.weight",
                         "dt_proj.bias", "A_log", "D", "out_proj.weight"):
                for i in layers:
                    value = weights[f"backbone.layers.{i}.mixer.{name}"]
                    put(-torch.exp(value) if name == "A_log" else value)
            for i in layers:
                put(weights[f"backbone.layers.{i}.norm.weight"])
            put(weights["backbone.norm_f.weight"])

    def __call__(self, ids):
        self.lib.reset_internal_state(self.model)
        logits = np.empty((len(ids), self.n_logits), dtype=np.float32)
        for t, token in enumerate(ids.tolist()):
            pointer = self.lib.forward(self.model, token)
            logits[t] = np.ctypeslib.as_array(pointer, (self.n_logits,))
        return torch.from_numpy(logits)


class Genomamba:
    def __init__(self, build, folder, d_model):
        self.lib = ctypes.CDLL(str(build / "tests/bench/libgenomamba_model_c.so"))
        self.lib.genomamba_load.restype = ctypes.c_void_p
        self.model = ctypes.c_void_p(self.lib.genomamba_load(str(folder / "model").encode()))
        assert self.model, "the model cannot be read"
        self.d_model = d_model

    def __call__(self, ids):
        tokens = ids.to(torch.int32).contiguous()
        hidden = torch.empty(len(ids), self.d_model)
        status = self.lib.genomamba_forward(self.model, ctypes.c_void_p(tokens.data_ptr()), ctypes.c_size_t(len(ids)),
                                            ctypes.c_size_t(1), ctypes.c_void_p(hidden.data_ptr()))
        assert status == 0
        return hidden


def make_model(build, folder, d_model, n_layer):
    config = dict(d_model=d_model, d_intermediate=0, n_layer=n_layer, vocab_size=12,
                  ssm_cfg=dict(layer="Mamba1", d_state=16, d_conv=4, expand=2), rms_norm=True, residual_in_fp32=True,
                  fused_add_norm=True, pad_vocab_size_multiple=8, tie_embeddings=True)
    (folder / "config.json").write_text(json.dumps(config))
    subprocess.run([str(build / "bin/genomamba-model"), "init", "--family", "mamba1", "--config",
                    str(folder / "config.json"), "--seed", "1", "-o", str(folder / "model")], check=True)
    return config, load_file(folder / "model" / "model.safetensors")


def timed(body, ids):
    begin = time.perf_counter()
    result = body(ids)
    return time.perf_counter() - begin, result


def compare(options, d_model, folder):
    config, weights = make_model(options.build, folder, d_model, options.layers)
    ids = torch.from_numpy(np.random.default_rng(0).integers(FIRST_BASE, FIRST_BASE + 4, options.seqlen))
    ours = Genomamba(options.build, folder, d_model)
    peers = {"PyTorch, einsum and loop": PlainMamba(weights)}
    if options.compile:
        peers["the same, torch.compile"] = PlainMamba(weights, compiled=True)
    peers["transformers, slow path"] = transformers_slow_path(weights, config)
    if options.mamba_c:
        peers["mamba.c"] = MambaC(options.mamba_c, folder, weights, config)

    hidden = ours(ids)
    differences = {}
    for name, peer in list(peers.items()):
        try:
            result = peer(ids)  # also warms up, and compiles
        except Exception as error:  # torch.compile needs a working compiler
            print(f"{name}: left out: {str(error).splitlines()[0]}")
            del peers[name]
            continue
        expected = hidden @ weights["backbone.embedding.weight"].T if name == "mamba.c" else hidden
        differences[name] = float((result - expected).abs().max())
    times = {name: [] for name in ["genomamba", *peers]}
    for _ in range(options.pairs):
        times["genomamba"].append(timed(ours, ids)[0])
        for name, peer in peers.items():
            times[name].append(timed(peer, ids)[0])
    print(f"\nd_model {d_model}, {options.layers} layers, one sequence of {options.seqlen} tokens, one thread each, "
          f"{options.pairs} interleaved turns, torch {torch.__version__}\n")
    print("| implementation | median s | best s | tokens/s (best) | genomamba is faster by | largest difference |")
    print("|---|---|---|---|---|---|")
    for name, seconds in times.items():
        ratio = statistics.median(theirs / own for theirs, own in zip(seconds, times["genomamba"]))
        difference = "" if name == "genomamba" else f"{differences[name]:.1g}"
        print(f"| {name} | {statistics.median(seconds):.3f} | {min(seconds):.3f} | {options.seqlen / min(seconds):.0f} | "
              f"{ratio:.1f} | {difference} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/bench"))
    parser.add_argument("--d-model", type=int, nargs="+", default=[256, 768])
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--seqlen", type=int, default=4096)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--mamba-c", type=pathlib.Path, metavar="DIR", help="checkout of kroggen/mamba.c")
    parser.add_argument("--no-compile", dest="compile", action="store_false")
    options = parser.parse_args()
    torch.set_num_threads(1)
    with torch.inference_mode():
        for d_model in options.d_model:
            with tempfile.TemporaryDirectory() as folder:
                compare(options, d_model, pathlib.Path(folder))


if __name__ == "__main__":
    main()
