// SPDX-License-Identifier: MIT
#include "safetensors_header.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "genomamba/core/error.hpp"
#include "json_text.hpp"

namespace genomamba::checkpoint {
namespace {

constexpr std::size_t kMaxDims = 16;
constexpr std::size_t kMaxTensors = 1'000'000;

constexpr std::array<Dtype, 10> kDtypes = {Dtype::kF32, Dtype::kF16, Dtype::kBF16, Dtype::kF64,
                                           Dtype::kI64, Dtype::kI32, Dtype::kI16,  Dtype::kI8,
                                           Dtype::kU8,  Dtype::kBool};

struct Entry {
  Tensor tensor;
  std::optional<std::string> dtype;
  bool has_shape = false;
  std::vector<std::uint64_t> offsets;
};

/// SAX handler: the header is never held as a tree, so memory stays near the size of the text.
/// Levels: 1 the header object, 2 a tensor (or __metadata__), 3 its shape or data_offsets.
class HeaderHandler final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HeaderHandler(const std::string& path) : path_(path) {}

  std::vector<Entry>& entries() { return entries_; }

  bool null() override { return other_value(); }
  bool boolean(bool) override { return other_value(); }
  bool number_integer(number_integer_t value) override {
    if (in_metadata_) return true;
    fail(field_ + " holds " + std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (in_metadata_) return true;
    if (level_ != 3 || !in_array_) fail(field_ + " is a number");
    if (field_ == "shape") {
      if (entry().tensor.shape.size() == kMaxDims) {
        fail("more than " + std::to_string(kMaxDims) + " dimensions");
      }
      if (value > std::numeric_limits<std::size_t>::max()) fail("shape is out of range");
      entry().tensor.shape.push_back(static_cast<std::size_t>(value));
    } else {
      if (entry().offsets.size() == 2) fail("data_offsets has more than two numbers");
      entry().offsets.push_back(value);
    }
    return true;
  }
  bool number_float(number_float_t, const string_t& text) override {
    if (in_metadata_) return true;
    fail(field_ + " holds " + printable(text) + ", not an integer in range");
  }
  bool string(string_t& value) override {
    if (in_metadata_) return true;
    if (level_ != 2 || field_ != "dtype") return other_value();
    entry().dtype = value;
    return true;
  }
  bool binary(binary_t&) override { return other_value(); }

  bool start_object(std::size_t) override {
    ++level_;
    if (level_ == 1) return true;
    if (level_ == 2 && key_ == "__metadata__") {
      in_metadata_ = true;
      return true;
    }
    if (in_metadata_) return true;
    if (level_ != 2) fail(field_ + " is an object");
    if (!names_.insert(key_).second) fail("is defined twice");
    if (entries_.size() == kMaxTensors) fail("too many tensors");
    entries_.emplace_back();
    entry().tensor.name = key_;
    field_.clear();
    return true;
  }
  bool key(string_t& value) override {
    if (level_ == 1) {
      key_ = value;
    } else if (level_ == 2 && !in_metadata_) {
      field_ = value;
      if (field_ != "dtype" && field_ != "shape" && field_ != "data_offsets") {
        fail("unknown field " + printable(field_));
      }
      if ((field_ == "dtype" && entry().dtype) || (field_ == "shape" && entry().has_shape) ||
          (field_ == "data_offsets" && !entry().offsets.empty())) {
        fail(field_ + " is given twice");
      }
    }
    return true;
  }
  bool end_object() override {
    if (--level_ == 1) in_metadata_ = false;
    return true;
  }
  bool start_array(std::size_t) override {
    ++level_;
    if (in_metadata_) return true;
    if (level_ == 1) {
      key_.clear();
      fail("the header is an array, not an object");
    }
    if (level_ != 3 || field_ == "dtype" || field_.empty()) fail(field_ + " is an array");
    if (field_ == "shape") entry().has_shape = true;
    in_array_ = true;
    return true;
  }
  bool end_array() override {
    --level_;
    in_array_ = false;
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&,
                   const nlohmann::detail::exception&) override {
    throw CheckpointError(path_, "header byte " + std::to_string(byte), "not valid JSON");
  }

 private:
  Entry& entry() { return entries_.back(); }
  bool other_value() {
    if (in_metadata_) return true;
    if (level_ == 0) {
      key_.clear();
      fail("the header is not a JSON object");
    }
    fail((field_.empty() ? "its description" : field_) + " has a value of the wrong type");
  }
  [[noreturn]] void fail(const std::string& reason) const {
    throw CheckpointError(path_, "header" + (key_.empty() ? "" : ": " + printable(key_)), reason);
  }

  std::string path_;
  std::vector<Entry> entries_;
  std::unordered_set<std::string> names_;
  std::string key_;    ///< the key of level 1 last seen: a tensor's name
  std::string field_;  ///< the key of level 2 last seen
  std::size_t level_ = 0;
  bool in_metadata_ = false;
  bool in_array_ = false;
};

[[noreturn]] void fail(const Tensor& tensor, const std::string& reason) {
  throw CheckpointError(tensor.path, printable(tensor.name), reason);
}

Dtype find_dtype(const Tensor& tensor, const std::string& word) {
  for (const Dtype dtype : kDtypes) {
    if (to_string(dtype) == word) return dtype;
  }
  fail(tensor, "element type " + printable(word) + " is not known");
}

/// The product of the shape times the element size; nothing when it does not fit 64 bits.
std::optional<std::uint64_t> checked_bytes(const Tensor& tensor) {
  std::uint64_t bytes = size_bytes(tensor.dtype);
  for (const std::size_t dim : tensor.shape) {
    if (dim != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / dim) return std::nullopt;
    bytes *= dim;
  }
  return bytes;
}

void check_entry(Entry& entry, std::uint64_t data_bytes) {
  Tensor& tensor = entry.tensor;
  if (!entry.dtype) fail(tensor, "has no dtype");
  if (!entry.has_shape) fail(tensor, "has no shape");
  if (entry.offsets.size() != 2) fail(tensor, "data_offsets is not a pair of numbers");
  tensor.dtype = find_dtype(tensor, *entry.dtype);
  const std::uint64_t begin = entry.offsets[0];
  const std::uint64_t end = entry.offsets[1];
  const std::string range = "bytes " + std::to_string(begin) + " to " + std::to_string(end);
  if (begin > end) fail(tensor, range + " run backwards");
  if (end > data_bytes) {
    fail(tensor, range + " lie outside the " + std::to_string(data_bytes) +
                     " bytes of data: the file is truncated or its header wrong");
  }
  const std::optional<std::uint64_t> wanted = checked_bytes(tensor);
  if (!wanted || *wanted != end - begin) {
    fail(tensor, "shape " + shape_to_string(tensor.shape) + " of " + *entry.dtype + " needs " +
                     (wanted ? std::to_string(*wanted) : "more than 2^64") + " bytes, found " +
                     std::to_string(end - begin));
  }
  tensor.offset = begin;
}

/// Sorted by offset, each range must begin where the one before it ends (the format's own rule).
void check_layout(const std::vector<Entry>& entries, std::uint64_t data_bytes,
                  const std::string& path) {
  std::vector<const Entry*> order;
  for (const Entry& entry : entries)
    order.push_back(&entry);
  std::sort(order.begin(), order.end(),
            [](const Entry* a, const Entry* b) { return a->offsets < b->offsets; });
  std::uint64_t end = 0;
  const Entry* before = nullptr;
  for (const Entry* entry : order) {
    const std::uint64_t begin = entry->offsets[0];
    if (begin < end) {
      fail(entry->tensor, "overlaps " + printable(before->tensor.name) + ": begins at byte " +
                              std::to_string(begin) + ", the other ends at " + std::to_string(end));
    }
    if (begin > end) {
      fail(entry->tensor, "begins at byte " + std::to_string(begin) + " after a gap of " +
                              std::to_string(begin - end) + " bytes");
    }
    end = entry->offsets[1];
    before = entry;
  }
  if (end != data_bytes) {
    throw CheckpointError(
        path, "", std::to_string(data_bytes - end) + " bytes after the last tensor belong to none");
  }
}

}  // namespace

std::vector<Tensor> parse_safetensors_header(std::string_view text, std::uint64_t data_bytes,
                                             const std::string& path) {
  HeaderHandler handler(path);
  try {
    nlohmann::json::sax_parse(text.begin(), text.end(), &handler);
  } catch (const nlohmann::json::exception&) {
    throw CheckpointError(path, "header", "not valid JSON");
  }
  std::vector<Tensor> tensors;
  for (Entry& entry : handler.entries()) {
    entry.tensor.path = path;
    check_entry(entry, data_bytes);
  }
  check_layout(handler.entries(), data_bytes, path);
  tensors.reserve(handler.entries().size());
  for (Entry& entry : handler.entries())
    tensors.push_back(std::move(entry.tensor));
  return tensors;
}

}  // namespace genomamba::checkpoint
