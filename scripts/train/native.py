# SPDX-License-Identifier: MIT
"""Compile native/exports.cpp at first use and call it through ctypes."""

import ctypes
import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

import torch

SOURCE_DIR = Path(__file__).resolve().parent / "native"
# No -ffast-math: the rounding trick in simd.hpp needs additions to stay in order.
FLAGS = ["-std=c++20", "-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast",
         "-fPIC", "-shared"]
CHUNK = 32  # kChunk of native/selective_scan.hpp


def _build() -> Path:
    """The shared object for the present sources, compiled unless it is in the cache already."""
    digest = hashlib.sha256(" ".join(FLAGS).encode())
    for path in sorted(SOURCE_DIR.iterdir()):
        digest.update(path.read_bytes())
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "genomamba-train"
    library = cache / f"kernels-{digest.hexdigest()[:16]}.so"
    if not library.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as work:
            built = Path(work) / "kernels.so"
            compiler = os.environ.get("CXX", "g++")
            subprocess.run([compiler, *FLAGS, str(SOURCE_DIR / "exports.cpp"), "-o", str(built)], check=True)
            built.rename(library)
    return library


def _struct(name, integers, doubles, pointers):
    fields = [(n, ctypes.c_int64) for n in integers.split()]
    fields += [(n, ctypes.c_double) for n in doubles.split()]
    fields += [(n, ctypes.c_void_p) for n in pointers.split()]
    return type(name, (ctypes.Structure,), {"_fields_": fields})


# The same order as the structs in native/exports.cpp.
ScanCall = _struct("ScanCall", "batch seqlen d_inner d_state reverse u_stride delta_stride z_stride bc_stride out_stride",
                   "", "u delta_raw z bc a d delta_bias states out dout du ddelta_raw dz dbc da dd ddelta_bias")
ConvCall = _struct("ConvCall", "batch seqlen d_inner reverse x_stride", "",
                   "x before weight bias out dout dx dweight dbias")
NormCall = _struct("NormCall", "rows width", "eps",
                   "hidden residual_in weight residual_out out rstd dout dresidual_out dinput dweight")

_library = ctypes.CDLL(str(_build()))  # CDLL releases the interpreter lock during a call
_SUFFIX = {torch.float32: "f32", torch.float64: "f64"}


def run(kernel: str, dtype: torch.dtype, call_type, **arguments) -> None:
    """Call `kernel` ("scan_forward", ...) with tensors as pointers; the caller keeps the tensors alive."""
    values = {k: v.data_ptr() if isinstance(v, torch.Tensor) else v for k, v in arguments.items()}
    status = getattr(_library, f"{kernel}_{_SUFFIX[dtype]}")(ctypes.byref(call_type(**values)))
    if status != 0:
        raise ValueError(f"{kernel}: sizes not supported: {arguments}")


def keep_heap() -> None:
    """Let malloc keep freed memory: activations of every step would otherwise be mapped and zeroed anew."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        libc.mallopt(-8, 1)        # M_ARENA_MAX
        libc.mallopt(-3, 1 << 30)  # M_MMAP_THRESHOLD
        libc.mallopt(-1, 1 << 30)  # M_TRIM_THRESHOLD
