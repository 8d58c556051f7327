// SPDX-License-Identifier: MIT
// check_outputs: no run writes over what it reads, nor two outputs to one place.
#pragma once

#include <span>
#include <string>

namespace genomamba::io {

/// `outputs`: every file the run writes; "-" is stdout, empty ones are passed over. `inputs`: every
/// file it reads, "-" is stdin. Throws UsageError where an output is also an input (by whatever
/// name, through a redirection too), or where two outputs are one.
void check_outputs(std::span<const std::string> outputs, std::span<const std::string> inputs);

}  // namespace genomamba::io
