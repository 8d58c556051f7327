// SPDX-License-Identifier: MIT
// --isa: the words, turned into the active kernels. Header-only, since apps_common does not link
// the kernels.
#pragma once

#include <string>

#include "genomamba/core/error.hpp"
#include "genomamba/kernels/isa.hpp"

namespace genomamba::apps {

/// "auto" keeps what detection or GENOMAMBA_ISA chose. Throws UsageError.
inline void select_isa(const std::string& name) {
  if (name == "auto") return;
  const auto isa = kernels::parse_isa(name);
  if (!isa) {
    throw UsageError("--isa " + name + ": auto, baseline, avx2, avx512, neon or ref is wanted");
  }
  kernels::select_isa(isa);
}

}  // namespace genomamba::apps
