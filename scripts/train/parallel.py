# SPDX-License-Identifier: MIT
"""Gradients of several microbatches on a pool of threads.

Each thread runs whole microbatches (the native kernels and matrix products release the interpreter lock), so there is
one barrier a step. Sums run in microbatch order: the result does not depend on which thread did what.
"""

from concurrent.futures import ThreadPoolExecutor

import torch


def _start_thread():
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)


def make_pool(threads):
    return ThreadPoolExecutor(threads, initializer=_start_thread)


def mean_gradient(pool, params, losses):
    """`losses`: functions without arguments, each returning (scalar loss, anything). -> flat gradient, [(loss, anything)]"""

    def one(loss_function):
        loss, extra = loss_function()
        grads = torch.autograd.grad(loss, params)
        return torch.cat([g.reshape(-1) for g in grads]), float(loss.detach()), extra

    total, results = None, []
    for flat, loss, extra in pool.map(one, losses):
        total = flat if total is None else total.add_(flat)
        results.append((loss, extra))
    return total.div_(len(losses)), results
