// SPDX-License-Identifier: MIT
// ConfigFile: typed look-ups in config.json and its kind.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace genomamba::checkpoint {

/// A JSON object. Python's bare NaN and Infinity, which json.dumps writes, are read as numbers that
/// are not finite; everything else must be strict JSON. Keys may be dotted ("ssm_cfg.d_state" looks
/// inside the object ssm_cfg). A missing key and JSON null give nothing; a value of another type
/// throws CheckpointError naming file and key. Immutable, shareable.
class ConfigFile {
 public:
  /// Throws CheckpointError: unreadable, over 16 MiB, nested deeper than 64, not a JSON object.
  static ConfigFile load(const std::string& path);
  /// `path` is only what messages call it.
  static ConfigFile parse(std::string_view text, const std::string& path);

  ~ConfigFile();
  ConfigFile(ConfigFile&&) noexcept;
  ConfigFile& operator=(ConfigFile&&) noexcept;

  bool has(std::string_view key) const;
  bool is_empty() const;
  std::optional<std::int64_t> find_int(std::string_view key) const;
  std::optional<double> find_number(std::string_view key) const;
  std::optional<bool> find_bool(std::string_view key) const;
  std::optional<std::string> find_string(std::string_view key) const;
  std::optional<std::vector<std::string>> find_strings(std::string_view key) const;
  /// An array of numbers ("time_step_limit"); infinities are allowed, NaN is not.
  std::optional<std::vector<double>> find_numbers(std::string_view key) const;
  /// An object whose values are integers, ordered by key ("vocab", "complement_map").
  std::optional<std::vector<std::pair<std::string, std::int64_t>>> find_int_map(
      std::string_view key) const;
  /// An object whose values are strings, ordered by key ("weight_map").
  std::optional<std::vector<std::pair<std::string, std::string>>> find_string_map(
      std::string_view key) const;
  const std::string& path() const noexcept;

 private:
  struct Impl;
  explicit ConfigFile(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace genomamba::checkpoint
