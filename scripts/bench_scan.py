#!/usr/bin/env python3
"""The selective scan against PyTorch's einsum formulation: one thread each, interleaved pairs in one process.

usage: bench_scan.py [--library build/bench/tests/bench/libgenomamba_scan.so] [--pairs 11]
                     [--seqlen 1024] [--d-inner 1536] [--d-state 16]

Build the library with `scripts/build.sh bench`. The PyTorch side is the plain formulation that small implementations of
Mamba use: exp(delta A) and delta B u are made by einsum as [seqlen, d_inner, d_state], then a Python loop over time.
Both get the softplus of delta and add D u. Prints median and best of each and the median of the ratios.
"""
import argparse
import ctypes
import statistics
import time

import numpy as np
import torch


def einsum_selective_scan(u, delta, A, B, C, D):
    """u, delta [1, l, d]; A [d, n]; B, C [1, l, n]; D [d]. Returns [1, l, d]."""
    delta_A = torch.exp(torch.einsum("bld,dn->bldn", delta, A))
    delta_B_u = torch.einsum("bld,bln,bld->bldn", delta, B, u)
    state = torch.zeros(u.shape[0], u.shape[2], A.shape[1])
    rows = []
    for t in range(u.shape[1]):
        state = delta_A[:, t] * state + delta_B_u[:, t]
        rows.append(torch.einsum("bdn,bn->bd", state, C[:, t]))
    return torch.stack(rows, dim=1) + u * D


def make_inputs(seqlen, d_inner, d_state):
    rng = np.random.default_rng(0)
    normal = lambda *shape: rng.standard_normal(shape, dtype=np.float32)
    return dict(u=normal(seqlen, d_inner), delta=normal(seqlen, d_inner) - 3,
                A=-np.tile(np.arange(1, d_state + 1, dtype=np.float32), (d_inner, 1)),
                B=normal(seqlen, d_state), C=normal(seqlen, d_state), D=normal(d_inner))


def native_scan(library, x, out):
    pointer = lambda a: a.ctypes.data_as(ctypes.c_void_p)
    seqlen, d_inner = x["u"].shape
    library.genomamba_selective_scan(
        pointer(x["u"]), pointer(x["delta"]), pointer(x["A"]), pointer(x["B"]), pointer(x["C"]), pointer(x["D"]),
        None, None, ctypes.c_size_t(seqlen), ctypes.c_size_t(d_inner), ctypes.c_size_t(x["A"].shape[1]), pointer(out))


def timed(body):
    begin = time.perf_counter()
    body()
    return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--library", default="build/bench/tests/bench/libgenomamba_scan.so")
    parser.add_argument("--pairs", type=int, default=11)
    parser.add_argument("--seqlen", type=int, default=1024)
    parser.add_argument("--d-inner", type=int, default=1536)
    parser.add_argument("--d-state", type=int, default=16)
    options = parser.parse_args()
    torch.set_num_threads(1)
    library = ctypes.CDLL(options.library)
    library.genomamba_isa.restype = ctypes.c_char_p
    x = make_inputs(options.seqlen, options.d_inner, options.d_state)
    t = {name: torch.from_numpy(value) for name, value in x.items()}
    out = np.empty_like(x["u"])
    expected = None

    def run_torch():
        nonlocal expected
        delta = torch.nn.functional.softplus(t["delta"])
        expected = einsum_selective_scan(t["u"][None], delta[None], t["A"], t["B"][None], t["C"][None], t["D"])

    run_native = lambda: native_scan(library, x, out)
    with torch.no_grad():
        run_torch()
        run_native()
        difference = float(np.abs(expected[0].numpy() - out).max())
        times = [(timed(run_torch), timed(run_native)) for _ in range(options.pairs)]
    slow, fast = zip(*times)
    ratio = statistics.median(a / b for a, b in times)
    print(f"seqlen {options.seqlen}, d_inner {options.d_inner}, d_state {options.d_state}, one thread each, "
          f"{options.pairs} interleaved pairs, torch {torch.__version__}, {library.genomamba_isa().decode()} kernels")
    print(f"einsum: median {1e3 * statistics.median(slow):.1f} ms, best {1e3 * min(slow):.1f} ms")
    print(f"scan:   median {1e3 * statistics.median(fast):.2f} ms, best {1e3 * min(fast):.2f} ms")
    print(f"median ratio {ratio:.1f}, ratio of the best {min(slow) / min(fast):.1f}, largest difference {difference:.1g}")


if __name__ == "__main__":
    main()
