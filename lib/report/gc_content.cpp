// SPDX-License-Identifier: MIT
#include "gc_content.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "genomamba/io/record_reader.hpp"

namespace genomamba::report {
namespace {

std::string gc_text(std::string_view sequence) {
  std::size_t n_gc = 0;
  std::size_t n_at = 0;
  for (const char c : sequence) {
    switch (c) {
      case 'G':
      case 'g':
      case 'C':
      case 'c':
        ++n_gc;
        break;
      case 'A':
      case 'a':
      case 'T':
      case 't':
      case 'U':
      case 'u':
        ++n_at;
        break;
      default:
        break;
    }
  }
  if (n_gc + n_at == 0) return {};
  return fmt::format("{:.3f}", static_cast<double>(n_gc) / static_cast<double>(n_gc + n_at));
}

}  // namespace

std::vector<std::string> gc_content(const std::vector<std::string>& paths,
                                    const std::vector<std::string>& ids) {
  std::unordered_map<std::string_view, std::string> gc_of;
  for (const std::string& id : ids)
    gc_of.emplace(id, "");
  for (const std::string& path : paths) {
    const auto reader = io::open_record_reader(path, {});
    io::SequenceRecord record;
    while (reader->read(record)) {
      const auto found = gc_of.find(record.id);
      if (found != gc_of.end() && found->second.empty()) found->second = gc_text(record.sequence);
    }
  }
  std::vector<std::string> values;
  values.reserve(ids.size());
  for (const std::string& id : ids)
    values.push_back(gc_of.at(id));
  return values;
}

}  // namespace genomamba::report
