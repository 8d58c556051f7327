// SPDX-License-Identifier: MIT
// --isa: the words, turned into the active kernels. Header-only, since apps_common does not link
// the kernels.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "genomamba/core/error.hpp"
#include "genomamba/kernels/isa.hpp"

namespace genomamba::apps {

/// "auto": GENOMAMBA_ISA, else what detection chose. Throws UsageError for a word or a level that
/// is not to be had.
inline void select_isa(const std::string& name) {
  const char* variable = std::getenv("GENOMAMBA_ISA");
  const bool by_option = name != "auto";
  const std::string wanted = by_option ? name : variable == nullptr ? "" : variable;
  if (wanted.empty() || wanted == "auto") {
    kernels::select_isa(std::nullopt);  // checks each kernel against the reference once
    return;
  }
  const auto isa = kernels::parse_isa(wanted);
  if (!isa) {
    throw UsageError((by_option ? "--isa " : "GENOMAMBA_ISA ") + wanted +
                     ": auto, baseline, avx2, avx512, neon or ref is wanted");
  }
  kernels::select_isa(isa);
}

}  // namespace genomamba::apps
