// SPDX-License-Identifier: MIT
// What was measured, as tables or as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/end_to_end.hpp"
#include "bench/kernel_cases.hpp"
#include "bench/machine.hpp"

namespace genomamba::apps::bench {

struct ModelFacts {
  std::string name;
  std::string weights_sha256;
  double gemm_flops_per_token;
  double scan_elements_per_token;
};

struct Report {
  Machine machine;
  std::vector<KernelRow> kernels;
  std::optional<ModelFacts> model;
  std::vector<EndToEndRow> end_to_end;
};

/// Tables: tab-separated, column names after a "#".
std::string machine_text(const Machine& machine);
std::string kernels_text(const std::vector<KernelRow>& rows);
std::string end_to_end_text(const ModelFacts& model, const std::vector<EndToEndRow>& rows);
std::string to_json(const Report& report);

}  // namespace genomamba::apps::bench
