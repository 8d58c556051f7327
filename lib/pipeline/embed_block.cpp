// SPDX-License-Identifier: MIT
#include "embed_block.hpp"

#include <cstring>

#include "genomamba/core/error.hpp"

namespace genomamba::pipeline {
namespace {

void put(std::string& out, const void* data, std::size_t n_bytes) {
  out.append(static_cast<const char*>(data), n_bytes);
}

void put(std::string& out, std::uint64_t value) {
  put(out, &value, sizeof(value));
}

/// Takes fields from the front of a block.
class BlockReader {
 public:
  explicit BlockReader(std::string_view block) : rest_(block) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    take(&value, sizeof(value));
    return value;
  }
  std::vector<float> values() {
    const std::uint64_t n = number();
    if (n > rest_.size() / sizeof(float)) fail();
    std::vector<float> values(static_cast<std::size_t>(n));
    take(values.data(), values.size() * sizeof(float));
    return values;
  }
  bool is_at_end() const { return rest_.empty(); }
  [[noreturn]] static void fail() { throw Error("a block of the --resume file is damaged"); }

 private:
  void take(void* to, std::size_t n_bytes) {
    if (n_bytes > rest_.size()) fail();
    if (n_bytes > 0) std::memcpy(to, rest_.data(), n_bytes);
    rest_.remove_prefix(n_bytes);
  }

  std::string_view rest_;
};

}  // namespace

std::string encode_block(const std::vector<EmbedJob>& jobs) {
  std::string block;
  for (const EmbedJob& job : jobs) {
    put(block, job.n_tokens_computed);
    put(block, job.values.size());
    put(block, job.values.data(), job.values.size() * sizeof(float));
  }
  return block;
}

std::vector<EmbedJob> decode_block(std::string_view block) {
  std::vector<EmbedJob> jobs;
  for (BlockReader reader(block); !reader.is_at_end();) {
    EmbedJob& job = jobs.emplace_back();
    job.n_tokens_computed = reader.number();
    job.values = reader.values();
  }
  return jobs;
}

}  // namespace genomamba::pipeline
