#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes pca_golden.inc: numpy's principal components of two matrices that pca_test.cpp makes by the same rule.

usage: make_pca_golden.py > pca_golden.inc
"""
import numpy as np


def matrix(rows, cols):
    """Numbers in [-1, 1) from a linear congruence, columns scaled by 1 / (1 + column), a large mean added."""
    state = 12345
    values = np.empty((rows, cols), np.float32)
    for i in range(rows):
        for j in range(cols):
            state = (state * 1664525 + 1013904223) % 2**32
            values[i, j] = np.float32((state >> 8) / 2**23 - 1) / np.float32(1 + j) + np.float32(10)
    return values


def golden(name, rows, cols, n_components):
    x = matrix(rows, cols).astype(np.float64)
    centred = x - x.mean(axis=0)
    _, singular, vt = np.linalg.svd(centred, full_matrices=False)
    variance = singular**2 / (rows - 1)
    scores = centred @ vt[:n_components].T
    print(f"constexpr double k{name}Variance[] = {{{', '.join(map(repr, map(float, variance[:n_components])))}}};")
    print(f"constexpr double k{name}Total = {float(variance.sum())!r};")
    print(f"// Row by row, {n_components} a row.")
    print(f"constexpr double k{name}Scores[] = {{")
    for row in scores[:5]:
        print("    " + ", ".join(repr(float(value)) for value in row) + ",")
    print("};")


print("// SPDX-License-Identifier: MIT")
print(f"// Made by make_pca_golden.py with numpy's SVD: variances, their sum, scores of the first five rows.")
golden("Tall", 200, 12, 4)
golden("Wide", 9, 30, 3)
