// SPDX-License-Identifier: MIT
#include "genomamba/model/mamba_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

namespace genomamba::model {
namespace {

bool agree(std::span<const float> a, std::span<const float> b, float tolerance) noexcept {
  float difference = 0;
  float magnitude = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    magnitude = std::max(magnitude, std::abs(b[i]));
  }
  return difference <= tolerance * magnitude;
}

}  // namespace

MambaState::MambaState(std::size_t n_layer, std::size_t conv_size, std::size_t ssm_size)
    : conv_size_(conv_size), ssm_size_(ssm_size), data_(n_layer * (conv_size + ssm_size)) {}

void MambaState::reset() noexcept {
  if (data_.size() > 0) std::memset(data_.data(), 0, data_.size() * sizeof(float));
}

void MambaState::assign(const MambaState& other) {
  conv_size_ = other.conv_size_;
  ssm_size_ = other.ssm_size_;
  data_.resize_discard(other.data_.size());
  std::copy(other.data_.span().begin(), other.data_.span().end(), data_.data());
}

bool MambaState::agrees_with(const MambaState& other, float tolerance) const noexcept {
  for (std::size_t begin = 0; begin < data_.size(); begin += layer_size()) {
    const auto mine = data_.span().subspan(begin, layer_size());
    const auto theirs = other.data_.span().subspan(begin, layer_size());
    if (!agree(mine.first(conv_size_), theirs.first(conv_size_), tolerance) ||
        !agree(mine.last(ssm_size_), theirs.last(ssm_size_), tolerance)) {
      return false;
    }
  }
  return true;
}

}  // namespace genomamba::model
