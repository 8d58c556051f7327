// SPDX-License-Identifier: MIT
#include "genomamba/checkpoint/config_file.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "genomamba/checkpoint/byte_source.hpp"
#include "genomamba/core/error.hpp"
#include "json_text.hpp"

namespace genomamba::checkpoint {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;
constexpr std::size_t kMaxDepth = 64;

using Json = nlohmann::json;

/// A number, or one of the words that stand for what JSON cannot say; nothing for any other value.
/// transformers writes {"__float__": "Infinity"}.
std::optional<double> to_number(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_object() && value.size() == 1 && value.contains("__float__")) {
    return to_number(value["__float__"]);
  }
  if (!value.is_string()) return std::nullopt;
  const std::string& word = value.get_ref<const std::string&>();
  if (word == "Infinity") return std::numeric_limits<double>::infinity();
  if (word == "-Infinity") return -std::numeric_limits<double>::infinity();
  if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

}  // namespace

struct ConfigFile::Impl {
  std::string path;
  Json root;

  /// The value under a dotted key; null pointer when absent or JSON null.
  const Json* find(std::string_view key) const {
    const Json* at = &root;
    while (true) {
      const auto exact = at->find(std::string(key));
      if (exact != at->end()) return exact->is_null() ? nullptr : &*exact;
      const std::size_t dot = key.find('.');
      if (dot == std::string_view::npos) return nullptr;
      const auto inner = at->find(std::string(key.substr(0, dot)));
      if (inner == at->end() || !inner->is_object()) return nullptr;
      at = &*inner;
      key.remove_prefix(dot + 1);
    }
  }

  [[noreturn]] void wrong_type(std::string_view key, const Json& value, const char* wanted) const {
    throw CheckpointError(path, key, std::string("is ") + value.type_name() + ", not " + wanted);
  }
};

ConfigFile::ConfigFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ConfigFile::~ConfigFile() = default;
ConfigFile::ConfigFile(ConfigFile&&) noexcept = default;
ConfigFile& ConfigFile::operator=(ConfigFile&&) noexcept = default;

ConfigFile ConfigFile::load(const std::string& path) {
  const auto file = open_file(path);
  if (file->size() > kMaxBytes) {
    throw CheckpointError(path, "",
                          std::to_string(file->size()) +
                              " bytes are too many for a "
                              "configuration");
  }
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  file->read_at(0, std::as_writable_bytes(std::span<char>(text)));
  return parse(text, path);
}

ConfigFile ConfigFile::parse(std::string_view text, const std::string& path) {
  if (is_git_lfs_pointer(text)) throw_git_lfs_pointer(path);
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  const std::string prepared = prepare_json(text, kMaxDepth, path);
  try {
    impl->root = Json::parse(prepared);
  } catch (const Json::parse_error& error) {
    throw CheckpointError(path, "byte " + std::to_string(error.byte), "not valid JSON");
  } catch (const Json::exception&) {
    throw CheckpointError(path, "", "holds a number out of range");
  }
  if (!impl->root.is_object()) throw CheckpointError(path, "", "not a JSON object");
  return ConfigFile(std::move(impl));
}

bool ConfigFile::has(std::string_view key) const {
  return impl_->find(key) != nullptr;
}
bool ConfigFile::is_empty() const {
  return impl_->root.empty();
}
const std::string& ConfigFile::path() const noexcept {
  return impl_->path;
}

std::optional<std::int64_t> ConfigFile::find_int(std::string_view key) const {
  const Json* value = impl_->find(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_number_unsigned()) {
    const auto number = value->get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      throw CheckpointError(path(), key, "is out of range");
    }
    return static_cast<std::int64_t>(number);
  }
  if (value->is_number_integer()) return value->get<std::int64_t>();
  if (value->is_number_float()) {  // 16.0 is an integer to Python's authors
    const double number = value->get<double>();
    if (number == std::floor(number) && std::abs(number) < 9e15) {
      return static_cast<std::int64_t>(number);
    }
  }
  impl_->wrong_type(key, *value, "an integer");
}

std::optional<double> ConfigFile::find_number(std::string_view key) const {
  const Json* value = impl_->find(key);
  if (value == nullptr) return std::nullopt;
  const std::optional<double> number = to_number(*value);
  if (!number) impl_->wrong_type(key, *value, "a number");
  if (std::isnan(*number)) throw CheckpointError(path(), key, "is NaN");
  return number;
}

std::optional<bool> ConfigFile::find_bool(std::string_view key) const {
  const Json* value = impl_->find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_boolean()) impl_->wrong_type(key, *value, "true or false");
  return value->get<bool>();
}

std::optional<std::string> ConfigFile::find_string(std::string_view key) const {
  const Json* value = impl_->find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) impl_->wrong_type(key, *value, "a string");
  return value->get<std::string>();
}

std::optional<std::vector<std::string>> ConfigFile::find_strings(std::string_view key) const {
  const Json* value = impl_->find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_array()) impl_->wrong_type(key, *value, "an array of strings");
  std::vector<std::string> result;
  for (const Json& item : *value) {
    if (!item.is_string()) impl_->wrong_type(key, item, "a string");
    result.push_back(item.get<std::string>());
  }
  return result;
}

std::optional<std::vector<double>> ConfigFile::find_numbers(std::string_view key) const {
  const Json* value = impl_->find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_array()) impl_->wrong_type(key, *value, "an array of numbers");
  std::vector<double> result;
  for (const Json& item : *value) {
    const std::optional<double> number = to_number(item);
    if (!number) impl_->wrong_type(key, item, "a number");
    if (std::isnan(*number)) throw CheckpointError(path(), key, "holds NaN");
    result.push_back(*number);
  }
  return result;
}

std::optional<std::vector<std::pair<std::string, std::int64_t>>> ConfigFile::find_int_map(
    std::string_view key) const {
  const Json* value = impl_->find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_object()) impl_->wrong_type(key, *value, "an object of integers");
  std::vector<std::pair<std::string, std::int64_t>> result;
  for (const auto& item : value->items()) {
    if (!item.value().is_number_integer()) impl_->wrong_type(key, item.value(), "an integer");
    result.emplace_back(item.key(), item.value().get<std::int64_t>());
  }
  return result;
}

std::optional<std::vector<std::pair<std::string, std::string>>> ConfigFile::find_string_map(
    std::string_view key) const {
  const Json* value = impl_->find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_object()) impl_->wrong_type(key, *value, "an object of strings");
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& item : value->items()) {
    if (!item.value().is_string()) impl_->wrong_type(key, item.value(), "a string");
    result.emplace_back(item.key(), item.value().get<std::string>());
  }
  return result;
}

}  // namespace genomamba::checkpoint
