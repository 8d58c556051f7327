// SPDX-License-Identifier: MIT
// ConfigReader: config.json under the several names that the code generations give one quantity.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/checkpoint/config_file.hpp"
#include "genomamba/checkpoint/tensor.hpp"

namespace genomamba::model {

/// The names of one quantity, the first one present decides.
using Keys = std::initializer_list<std::string_view>;

class ConfigReader {
 public:
  explicit ConfigReader(const checkpoint::ConfigFile& file) : file_(file) {}

  const checkpoint::ConfigFile& file() const { return file_; }
  /// The first of `keys` that is present; empty if none is.
  std::string_view present(Keys keys) const;

  /// A size: an integer from 0 to 2^31. Throws CheckpointError naming the key for anything else.
  std::optional<std::size_t> find_size(Keys keys) const;
  std::optional<double> find_number(Keys keys) const;
  std::optional<bool> find_bool(Keys keys) const;
  std::optional<std::string> find_string(Keys keys) const;

  /// Throws CheckpointError naming key and tensor unless the key is absent or equal to `found`,
  /// which was read from the shape of `tensor`. `note` says how, where that is not plain.
  void must_equal(Keys keys, std::size_t found, const checkpoint::Tensor& tensor,
                  std::string_view note = {}) const;
  /// The same for a flag that the presence of a tensor decides.
  void must_be(Keys keys, bool found, const std::string& because) const;
  /// A small positive number (norm epsilons), or `otherwise`.
  float epsilon(Keys keys, float otherwise) const;

 private:
  const checkpoint::ConfigFile& file_;
};

}  // namespace genomamba::model
