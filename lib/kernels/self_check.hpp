// SPDX-License-Identifier: MIT
// One small run of every kernel of a table against the reference: a broken compiler or CPU is found
// before any result.
#pragma once

#include <optional>
#include <string_view>

#include "kernel_table.hpp"

namespace genomamba::kernels {

/// The name of the first kernel that disagrees with kRefTable, nothing if all agree. Takes well
/// under 5 ms.
std::optional<std::string_view> find_wrong_kernel(const KernelTable& table);

}  // namespace genomamba::kernels
