// SPDX-License-Identifier: MIT
#include "genomamba/io/reference_reader.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "fasta_index.hpp"
#include "genomamba/core/error.hpp"
#include "reference_bytes.hpp"

namespace genomamba::io {
namespace {

/// Files up to this size are scanned and compared with their index exactly; of larger ones the
/// headers are followed.
constexpr std::uint64_t kScannedBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kScannedCompressedBytes = std::uint64_t{16} << 20;

bool is_letter(char c) {
  return c > ' ' && c < '\x7f' && c != '>';
}

bool is_older(const struct stat& a, const struct stat& b) {
  return a.st_mtim.tv_sec != b.st_mtim.tv_sec ? a.st_mtim.tv_sec < b.st_mtim.tv_sec
                                              : a.st_mtim.tv_nsec < b.st_mtim.tv_nsec;
}

std::vector<FastaEntry> scan(const std::string& path) {
  TextScanner scanner(std::make_unique<BgzfSource>(open_input(path), 0, nullptr));
  if (scanner.peek() == '@') throw InputError(path, "", "is FASTQ; a reference is FASTA");
  return scan_fasta(scanner, path);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

struct ReferenceReader::Impl {
  std::string path;
  LogSink& log;
  ReferenceBytes bytes;
  std::vector<FastaEntry> entries;
  std::vector<Contig> contigs;
  std::unordered_map<std::string_view, std::size_t> by_name;
  std::string raw;

  Impl(const std::string& fasta, LogSink& sink) : path(fasta), log(sink), bytes(fasta) {}

  void load_index(const std::string& fai_path) {
    const std::string fai = fai_path.empty() ? path + ".fai" : fai_path;
    const std::string command = "samtools faidx " + path;
    struct stat fai_stat {};
    if (stat(fai.c_str(), &fai_stat) != 0) {
      if (!fai_path.empty()) throw InputError(fai, "", "cannot open: no such file");
      entries = scan(path);
      log.write(LogLevel::kInfo,
                fmt::format("{} is missing: an index was made for this run alone; to keep one: {}",
                            fai, command));
      return;
    }
    const std::string fault = check_index(fai);
    if (!fault.empty()) {
      log.write(
          LogLevel::kWarning,
          fmt::format(
              "{} does not fit {} ({}): an index was made for this run alone; to make it anew: {}",
              fai, path, fault, command));
    } else if (is_older(fai_stat, bytes.at_open())) {
      log.write(LogLevel::kWarning,
                fmt::format("{} is older than {}, but fits it and is used", fai, path));
    }
  }

  /// Fills `entries` from the .fai, or from the text if that does not fit: then says why.
  std::string check_index(const std::string& fai) {
    std::string fault;
    try {
      entries = read_fai(fai);
    } catch (const InputError& error) {
      fault = error.what();
    }
    const std::uint64_t limit = bytes.is_bgzf() ? kScannedCompressedBytes : kScannedBytes;
    const bool is_small = bytes.file_size() <= limit;
    if (fault.empty() && !is_small) fault = find_index_fault(entries, bytes).value_or("");
    if (fault.empty() && !is_small) return fault;
    std::vector<FastaEntry> scanned = scan(path);
    if (fault.empty() && !has_same_lines(scanned)) fault = "names, lengths or lines differ";
    if (!fault.empty()) entries = std::move(scanned);
    return fault;
  }

  /// The order may differ. Of one-line contigs and empty ones, only what is used counts.
  bool has_same_lines(const std::vector<FastaEntry>& scanned) const {
    if (scanned.size() != entries.size()) return false;
    std::unordered_map<std::string_view, const FastaEntry*> by_entry_name;
    for (const FastaEntry& entry : scanned)
      by_entry_name.emplace(entry.name, &entry);
    return std::all_of(entries.begin(), entries.end(), [&](const FastaEntry& entry) {
      const auto found = by_entry_name.find(entry.name);
      if (found == by_entry_name.end()) return false;
      const FastaEntry& other = *found->second;
      if (entry.length != other.length) return false;
      if (entry.length == 0) return true;
      if (entry.offset != other.offset) return false;
      return entry.length <= std::min(entry.line_bases, other.line_bases) ||
             (entry.line_bases == other.line_bases && entry.line_width == other.line_width);
    });
  }

  void check_gzi() const {
    if (!bytes.is_bgzf()) return;
    const std::string gzi = path + ".gzi";
    const std::string command = "bgzip -r " + path;
    if (access(gzi.c_str(), F_OK) != 0) {
      log.write(
          LogLevel::kInfo,
          fmt::format("{} is missing: the blocks were found for this run alone; to keep it: {}",
                      gzi, command));
      return;
    }
    std::string fault;
    try {
      const auto in_file = read_gzi(gzi);
      const auto& blocks = bytes.blocks();
      // The end-of-file block may be in the list or not.
      const bool fits = in_file.size() + 2 >= blocks.size() && in_file.size() < blocks.size() &&
                        std::equal(in_file.begin(), in_file.end(), blocks.begin() + 1);
      if (!fits) fault = "blocks differ";
    } catch (const InputError& error) {
      fault = error.what();
    }
    if (!fault.empty()) {
      log.write(LogLevel::kWarning, fmt::format("{} does not fit {} ({}): the blocks were found "
                                                "for this run alone; to make it anew: {}",
                                                gzi, path, fault, command));
    }
  }

  void index_names() {
    contigs.reserve(entries.size());
    for (const FastaEntry& entry : entries)
      contigs.push_back({entry.name, entry.length});
    for (std::size_t i = 0; i < contigs.size(); ++i)
      by_name.emplace(contigs[i].name, i);
  }

  [[noreturn]] void fail(const FastaEntry& entry, std::uint64_t base) const {
    throw InputError(path, "contig " + entry.name,
                     fmt::format("the lines do not stand where the index says (base {}): make it "
                                 "anew: samtools faidx {}",
                                 base + 1, path));
  }
};

ReferenceReader::ReferenceReader(const std::string& path, const std::string& fai_path,
                                 LogSink& log) {
  hts_set_log_level(HTS_LOG_OFF);
  impl_ = std::make_unique<Impl>(path, log);
  impl_->load_index(fai_path);
  impl_->check_gzi();
  impl_->index_names();
  if (impl_->contigs.empty()) throw InputError(path, "", "holds no sequence");
}

ReferenceReader::~ReferenceReader() = default;
ReferenceReader::ReferenceReader(ReferenceReader&&) noexcept = default;

const std::string& ReferenceReader::path() const noexcept {
  return impl_->path;
}
const std::vector<Contig>& ReferenceReader::contigs() const noexcept {
  return impl_->contigs;
}

std::optional<std::size_t> ReferenceReader::find(std::string_view name) const {
  const auto found = impl_->by_name.find(name);
  if (found == impl_->by_name.end()) return std::nullopt;
  return found->second;
}

std::string ReferenceReader::suggestion(std::string_view name) const {
  const std::string wanted = lower(name);
  const std::string bare = wanted.starts_with("chr") ? wanted.substr(3) : wanted;
  const auto without_version = [](const std::string& text) {
    return text.substr(0, text.rfind('.'));
  };
  const auto is_mitochondrion = [](const std::string& text) { return text == "m" || text == "mt"; };
  for (const Contig& contig : impl_->contigs) {
    const std::string other = lower(contig.name);
    const std::string other_bare = other.starts_with("chr") ? other.substr(3) : other;
    if (other_bare == bare || without_version(other) == without_version(wanted) ||
        (is_mitochondrion(bare) && is_mitochondrion(other_bare))) {
      return fmt::format("did you mean {}? (names are never changed)", contig.name);
    }
  }
  std::string names;
  constexpr std::size_t kShown = 3;
  for (std::size_t i = 0; i < std::min(kShown, impl_->contigs.size()); ++i) {
    names += (i == 0 ? "" : ", ") + impl_->contigs[i].name;
  }
  return fmt::format("it has {}{}", names, impl_->contigs.size() > kShown ? ", ..." : "");
}

void ReferenceReader::read(std::size_t contig, std::uint64_t begin, std::uint64_t end,
                           std::string& letters) {
  letters.clear();
  if (begin >= end) return;
  const FastaEntry& entry = impl_->entries[contig];
  letters.reserve(end - begin);
  const std::uint64_t n_end = entry.line_width - entry.line_bases;  // bytes of a line end
  std::string& raw = impl_->raw;
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 18;
  for (std::uint64_t from = begin; from < end;) {
    const std::uint64_t to = std::min(end, from + kPiece);
    const std::uint64_t first_byte = entry.byte_of(from);
    raw.resize(entry.byte_of(to - 1) + 1 - first_byte);
    if (impl_->bytes.read_at(first_byte, raw.data(), raw.size()) != raw.size())
      impl_->fail(entry, from);
    std::string_view rest = raw;
    while (from < to) {
      const std::uint64_t column = from % entry.line_bases;
      const std::string_view line = rest.substr(0, std::min(entry.line_bases - column, to - from));
      if (!std::all_of(line.begin(), line.end(), is_letter)) impl_->fail(entry, from);
      letters += line;
      from += line.size();
      rest.remove_prefix(line.size());
      if (from == to) break;
      const std::string_view line_end = rest.substr(0, n_end);
      if (!line_end.ends_with('\n') ||
          line_end.find_first_not_of(" \t\r\n") != std::string_view::npos) {
        impl_->fail(entry, from);
      }
      rest.remove_prefix(n_end);
    }
  }
}

}  // namespace genomamba::io
