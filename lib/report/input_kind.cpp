// SPDX-License-Identifier: MIT
#include "input_kind.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "genomamba/core/error.hpp"
#include "genomamba/io/text_reader.hpp"
#include "text.hpp"

namespace genomamba::report {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kLookAhead = std::size_t{1} << 16;

bool is_big_wig(std::string_view bytes) {
  return bytes.starts_with("\x26\xfc\x8f\x88"sv) || bytes.starts_with("\x88\x8f\xfc\x26"sv);
}

bool is_position(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_bedgraph_row(std::string_view line) {
  std::vector<std::string_view> fields;
  split_tabs(line, fields);
  return fields.size() == 4 && is_position(fields[1]) && is_position(fields[2]) &&
         std::isfinite(to_number(fields[3]));
}

/// A header line `#contig start end ref region ...`, `#row id ...`.
std::optional<InputKind> kind_of_header(std::string_view line, const std::string& path) {
  if (line.starts_with("#contig\tstart\tend\tref\tregion\t")) return InputKind::kScoreTsv;
  if (line.starts_with("#row\tid\t")) {
    if (line.find("\te0") != std::string_view::npos) {
      throw InputError(path, "",
                       "is an embedding as TSV; the report is made from its .npy "
                       "(genomamba embed -o NAME.npy)");
    }
    return InputKind::kRowTable;
  }
  return std::nullopt;
}

/// What to say about a file that a report cannot show.
std::string_view guess(std::string_view bytes) {
  if (bytes.empty()) return "it is empty";
  if (bytes.starts_with("BAM\1"sv) || bytes.starts_with("@HD\t"sv) || bytes.starts_with("CRAM"sv))
    return "it seems to be alignments";
  if (bytes.starts_with(">")) return "it seems to be FASTA";
  if (bytes.starts_with("@")) return "it seems to be FASTQ";
  if (bytes.starts_with("#row\tcontig\t") ||
      bytes.find("\n#row\tcontig\t") != std::string_view::npos)
    return "it is the row table of score's .npy: give the TSV, bedGraph or bigWig";
  if (bytes.find('\0') != std::string_view::npos) return "it is binary";
  return "its first lines are none of theirs";
}

}  // namespace

InputKind recognise(const std::string& path) {
  const std::string bytes = io::first_bytes(path, kLookAhead);
  const std::string_view view = bytes;
  if (view.starts_with("\x93NUMPY"sv)) return InputKind::kEmbedding;
  if (is_big_wig(view)) return InputKind::kBigWig;
  if (view.starts_with("BCF\2"sv) || view.starts_with("##fileformat=VCF"sv)) return InputKind::kVcf;
  const std::size_t first = view.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && view[first] == '{' &&
      view.find("\"schema_version\"") != std::string_view::npos)
    return InputKind::kRunReport;
  std::string_view rest = view;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (const auto kind = kind_of_header(line, path)) return *kind;
    const bool is_remark = line.empty() || line.starts_with('#') || line.starts_with("track") ||
                           line.starts_with("browser");
    if (is_remark) {
      // A bedGraph without rows tells by its header alone what it is.
      if (rest.empty() && view.find("##column=") != std::string_view::npos)
        return InputKind::kBedGraph;
      continue;
    }
    if (is_bedgraph_row(line)) return InputKind::kBedGraph;
    break;
  }
  throw InputError(path, "",
                   "is none of the kinds that a report shows (embedding .npy, score TSV, "
                   "bedGraph, bigWig, scored VCF, run report): " +
                       std::string(guess(view)));
}

}  // namespace genomamba::report
