// SPDX-License-Identifier: MIT
// How the scores of variants are distributed. Private to report.
#pragma once

#include "figure.hpp"
#include "variant_summary.hpp"

namespace genomamba::report {

/// A histogram a type that has scores, under one another, with one axis. Precondition: there are
/// scores.
Figure variant_figure(const VariantSummary& summary);

}  // namespace genomamba::report
