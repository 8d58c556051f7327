// SPDX-License-Identifier: MIT
#include "config_reader.hpp"

#include <cmath>

#include "genomamba/core/error.hpp"

namespace genomamba::model {

std::string_view ConfigReader::present(Keys keys) const {
  for (const std::string_view key : keys) {
    if (file_.has(key)) return key;
  }
  return {};
}

std::optional<std::size_t> ConfigReader::find_size(Keys keys) const {
  const std::string_view key = present(keys);
  if (key.empty()) return std::nullopt;
  const std::optional<std::int64_t> value = file_.find_int(key);
  if (!value) return std::nullopt;
  if (*value < 0 || *value > (std::int64_t{1} << 31)) {
    throw CheckpointError(file_.path(), key, std::to_string(*value) + " is not a possible size");
  }
  return static_cast<std::size_t>(*value);
}

std::optional<double> ConfigReader::find_number(Keys keys) const {
  const std::string_view key = present(keys);
  return key.empty() ? std::nullopt : file_.find_number(key);
}

std::optional<bool> ConfigReader::find_bool(Keys keys) const {
  const std::string_view key = present(keys);
  return key.empty() ? std::nullopt : file_.find_bool(key);
}

std::optional<std::string> ConfigReader::find_string(Keys keys) const {
  const std::string_view key = present(keys);
  return key.empty() ? std::nullopt : file_.find_string(key);
}

void ConfigReader::must_equal(Keys keys, std::size_t found, const checkpoint::Tensor& tensor,
                              std::string_view note) const {
  const std::optional<std::size_t> value = find_size(keys);
  if (!value || *value == found) return;
  std::string reason = "is " + std::to_string(*value) + ", but " + tensor.name + " of shape " +
                       checkpoint::shape_to_string(tensor.shape) + " makes it " +
                       std::to_string(found);
  if (!note.empty()) reason.append(" (").append(note).append(")");
  throw CheckpointError(file_.path(), present(keys), reason);
}

void ConfigReader::must_be(Keys keys, bool found, const std::string& because) const {
  const std::optional<bool> value = find_bool(keys);
  if (!value || *value == found) return;
  throw CheckpointError(file_.path(), present(keys),
                        std::string(*value ? "is true" : "is false") + ", but " + because);
}

float ConfigReader::epsilon(Keys keys, float otherwise) const {
  const std::optional<double> value = find_number(keys);
  if (!value) return otherwise;
  if (!std::isfinite(*value) || *value <= 0 || *value > 1) {
    throw CheckpointError(file_.path(), present(keys), "is not a small positive number");
  }
  return static_cast<float>(*value);
}

}  // namespace genomamba::model
