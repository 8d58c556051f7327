// SPDX-License-Identifier: MIT
#include "genomamba/model/mamba_state.hpp"

#include <cstring>

namespace genomamba::model {

MambaState::MambaState(std::size_t n_layer, std::size_t conv_size, std::size_t ssm_size)
    : conv_size_(conv_size), ssm_size_(ssm_size), data_(n_layer * (conv_size + ssm_size)) {}

void MambaState::reset() noexcept {
  if (data_.size() > 0) std::memset(data_.data(), 0, data_.size() * sizeof(float));
}

}  // namespace genomamba::model
