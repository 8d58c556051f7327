#!/usr/bin/env python3
"""The library's selective scan inside a small PyTorch Mamba: the profile before and after.

usage: seed_example.py [--library build/bench/tests/bench/libgenomamba_scan.so] [--d-model 256] [--layers 2] [--seqlen 2048]

A Mamba in the plain style of small implementations (einsum, then a Python loop over time; written here, random weights)
is run on one sequence. Then its selective_scan is replaced by a call of the shared library through ctypes, and nothing
else. Prints what each part of the model takes before and after, and the largest difference of the outputs. One thread.
Build first: cmake --preset bench && cmake --build build/bench --target genomamba_scan
"""
import argparse
import collections
import contextlib
import ctypes
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


class Profile:
    """Seconds by part of the model."""

    def __init__(self):
        self.seconds = collections.OrderedDict()

    @contextlib.contextmanager
    def part(self, name):
        begin = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begin


def einsum_scan(u, delta, A, B, C, D):
    """u, delta [l, d] (before softplus); A [d, n]; B, C [l, n]; D [d]. Returns [l, d]."""
    delta = F.softplus(delta)
    delta_A = torch.exp(torch.einsum("ld,dn->ldn", delta, A))
    delta_B_u = torch.einsum("ld,ln,ld->ldn", delta, B, u)
    state = torch.zeros(u.shape[1], A.shape[1])
    rows = []
    for t in range(u.shape[0]):
        state = delta_A[t] * state + delta_B_u[t]
        rows.append(torch.einsum("dn,n->d", state, C[t]))
    return torch.stack(rows) + u * D


class LibraryScan:
    """The same arguments and result, computed by the shared library."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.genomamba_isa.restype = ctypes.c_char_p

    def __call__(self, u, delta, A, B, C, D):
        arrays = [x.contiguous() for x in (u, delta, A, B, C, D)]
        out = torch.empty_like(arrays[0])
        pointer = lambda x: ctypes.c_void_p(x.data_ptr())
        self.library.genomamba_selective_scan(*map(pointer, arrays), None, None, ctypes.c_size_t(u.shape[0]),
                                              ctypes.c_size_t(u.shape[1]), ctypes.c_size_t(A.shape[1]), pointer(out))
        return out


class MambaBlock(nn.Module):
    def __init__(self, d_model, d_state=16, d_conv=4, expand=2):
        super().__init__()
        d_inner, dt_rank = expand * d_model, (d_model + 15) // 16
        self.sizes = dt_rank, d_state
        self.norm = nn.Parameter(torch.ones(d_model))
        self.in_proj = nn.Linear(d_model, 2 * d_inner, bias=False)
        self.conv1d = nn.Conv1d(d_inner, d_inner, d_conv, groups=d_inner, padding=d_conv - 1)
        self.x_proj = nn.Linear(d_inner, dt_rank + 2 * d_state, bias=False)
        self.dt_proj = nn.Linear(dt_rank, d_inner)
        self.A_log = nn.Parameter(torch.log(torch.arange(1.0, d_state + 1)).repeat(d_inner, 1))
        self.D = nn.Parameter(torch.ones(d_inner))
        self.out_proj = nn.Linear(d_inner, d_model, bias=False)

    def forward(self, x, scan, profile):
        length = x.shape[0]
        dt_rank, d_state = self.sizes
        with profile.part("norm, in_proj"):
            normed = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.norm
            u, z = self.in_proj(normed).chunk(2, dim=-1)
        with profile.part("conv1d, SiLU"):
            u = F.silu(self.conv1d(u.T[None])[0, :, :length].T)
        with profile.part("x_proj, dt_proj"):
            dt, B, C = self.x_proj(u).split([dt_rank, d_state, d_state], dim=-1)
            delta = self.dt_proj(dt)
        with profile.part("selective_scan"):
            y = scan(u, delta, -torch.exp(self.A_log), B, C, self.D)
        with profile.part("gate, out_proj"):
            return x + self.out_proj(y * F.silu(z))


def run(blocks, x, scan):
    profile = Profile()
    begin = time.perf_counter()
    for block in blocks:
        x = block(x, scan, profile)
    profile.seconds["all"] = time.perf_counter() - begin
    return x, profile.seconds


def best_of(blocks, x, scan, n_runs):
    runs = [run(blocks, x, scan) for _ in range(n_runs + 1)][1:]  # the first one warms up
    return min(runs, key=lambda result: result[1]["all"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--library", default="build/bench/tests/bench/libgenomamba_scan.so")
    parser.add_argument("--d-model", type=int, default=256)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--seqlen", type=int, default=2048)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    blocks = [MambaBlock(options.d_model).eval() for _ in range(options.layers)]
    x = torch.randn(options.seqlen, options.d_model)
    library_scan = LibraryScan(options.library)
    with torch.inference_mode():
        expected, before = best_of(blocks, x, einsum_scan, options.runs)
        found, after = best_of(blocks, x, library_scan, options.runs)
    print(f"d_model {options.d_model}, {options.layers} layers, {options.seqlen} tokens, one thread, best of {options.runs}, "
          f"torch {torch.__version__}, {library_scan.library.genomamba_isa().decode()} kernels\n")
    print(f"{'part':<18}{'before':>12}{'share':>8}{'after':>12}{'share':>8}{'ratio':>8}")
    for name, seconds in before.items():
        print(f"{name:<18}{1e3 * seconds:>9.1f} ms{seconds / before['all']:>8.1%}{1e3 * after[name]:>9.1f} ms"
              f"{after[name] / after['all']:>8.1%}{seconds / after[name]:>8.1f}")
    print(f"\nlargest difference of the outputs {float((expected - found).abs().max()):.1g}")


if __name__ == "__main__":
    main()
