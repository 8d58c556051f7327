// SPDX-License-Identifier: MIT
// TokenId: a row of a model's embedding.
#pragma once

#include <cstdint>

namespace genomamba {

/// 0-based row of the embedding matrix. Written by a tokenizer, read by a model.
using TokenId = std::int32_t;

}  // namespace genomamba
