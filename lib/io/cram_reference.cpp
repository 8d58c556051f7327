// SPDX-License-Identifier: MIT
#include "cram_reference.hpp"

#include <fmt/format.h>
#include <htslib/cram.h>
#include <htslib/faidx.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

constexpr const char* kLinkName = "/reference.fa";

bool is_readable(const std::string& path) {
  return access(path.c_str(), R_OK) == 0;
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pieces;
}

/// The parts of a REF_PATH that are certainly files. A URL holds ':' itself, so that its pieces
/// cannot be told apart for sure: a path with a URL keeps only what looks like a path in the file
/// system.
std::string local_part(const std::string& ref_path) {
  const auto is_url_piece = [](std::string_view piece) {
    if (piece.starts_with('|')) piece.remove_prefix(1);
    return piece.starts_with("//") || piece.starts_with("URL=") || piece == "http" ||
           piece == "https" || piece == "ftp";
  };
  const std::vector<std::string_view> pieces = split(ref_path, ':');
  const bool has_url = std::any_of(pieces.begin(), pieces.end(), is_url_piece);
  std::string kept;
  for (std::string_view piece : pieces) {
    const bool is_path = piece.starts_with('/') || piece.starts_with('.');
    if (piece.empty() || is_url_piece(piece) || (has_url && !is_path)) continue;
    kept.append(kept.empty() ? "" : ":").append(piece);
  }
  return kept;
}

std::string cache_home() {
  if (const std::string base = environment("XDG_CACHE_HOME"); !base.empty()) return base;
  if (const std::string base = environment("HOME"); !base.empty()) return base + "/.cache";
  return {};
}

/// `pattern` with %s and %2s filled from `md5`, as htslib does for REF_PATH and REF_CACHE.
std::string expand(std::string_view pattern, std::string_view md5) {
  std::string path;
  bool is_used = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      path += pattern[i];
      continue;
    }
    std::size_t digits = i + 1;
    std::size_t width = 0;
    while (digits < pattern.size() &&
           std::isdigit(static_cast<unsigned char>(pattern[digits])) != 0) {
      width = width * 10 + static_cast<std::size_t>(pattern[digits++] - '0');
    }
    if (digits >= pattern.size() || pattern[digits] != 's') {
      path += pattern[i];
      continue;
    }
    const std::string_view part = md5.substr(0, width == 0 ? md5.size() : width);
    path += part;
    md5.remove_prefix(part.size());
    is_used = true;
    i = digits;
  }
  return is_used && md5.empty() ? path : path + "/" + std::string(md5);
}

bool is_in_search_path(std::string_view md5) {
  const std::string search_path = environment("REF_PATH");
  const std::vector<std::string_view> pieces = split(search_path, ':');
  return std::any_of(pieces.begin(), pieces.end(),
                     [&](std::string_view piece) { return is_readable(expand(piece, md5)); });
}

std::string tag_of_contig(sam_hdr_t& header, const char* contig, const char* tag) {
  KString value;
  if (sam_hdr_find_tag_id(&header, "SQ", "SN", contig, tag, &value.value) != 0) return {};
  return value.value.s;
}

/// `header` must be the one that the decoder looks into: sam_hdr_read() returns a copy.
void remove_locations(sam_hdr_t& header) {
  for (int i = 0; i < sam_hdr_nref(&header); ++i) {
    sam_hdr_remove_tag_id(&header, "SQ", "SN", sam_hdr_tid2name(&header, i), "UR");
  }
}

/// Names of the sequences of an indexed FASTA, sorted.
std::vector<std::string> contigs_of(const std::string& indexed_path) {
  struct FaidxFreer {
    void operator()(faidx_t* index) const noexcept { fai_destroy(index); }
  };
  std::vector<std::string> names;
  if (indexed_path.empty()) return names;
  const std::unique_ptr<faidx_t, FaidxFreer> index(
      fai_load3(indexed_path.c_str(), nullptr, nullptr, 0));
  for (int i = 0; index && i < faidx_nseq(index.get()); ++i) {
    names.emplace_back(faidx_iseq(index.get(), i));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string make_temporary_directory() {
  std::string base = environment("TMPDIR");
  if (base.empty()) base = "/tmp";
  std::string name = base + "/genomamba-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw InputError(
        name, "", "cannot make a temporary directory: " + std::generic_category().message(errno));
  }
  return name;
}

}  // namespace

std::string local_search_path(const std::string& ref_cache, const std::string& ref_path,
                              const std::string& cache_home) {
  std::string search_path = local_part(ref_cache);
  if (ref_cache.empty() && ref_path.empty() && !cache_home.empty()) {
    search_path = cache_home + "/hts-ref/%2s/%2s/%s";
  }
  if (const std::string local = local_part(ref_path); !local.empty()) {
    search_path.append(search_path.empty() ? "" : ":").append(local);
  }
  return search_path.empty() ? "/dev/null" : search_path;
}

void make_reference_search_local() {
  const std::string before = environment("REF_PATH");
  const std::string after = local_search_path(environment("REF_CACHE"), before, cache_home());
  if (after != before) setenv("REF_PATH", after.c_str(), 1);
  unsetenv("REF_CACHE");
}

CramReference::~CramReference() {
  if (temporary_directory_.empty()) return;
  const std::string link = temporary_directory_ + kLinkName;
  for (const char* ending : {"", ".fai", ".gzi"})
    unlink((link + ending).c_str());
  rmdir(temporary_directory_.c_str());
}

bool CramReference::has_index() const {
  if (!is_readable(fasta_path_ + ".fai")) return false;
  htsFormat format{};
  const HFilePtr file(hopen(fasta_path_.c_str(), "r"));
  const bool is_plain =
      file && hts_detect_format(file.get(), &format) == 0 && format.compression == no_compression;
  return is_plain || is_readable(fasta_path_ + ".gzi");
}

std::string CramReference::make_indexed_link() {
  temporary_directory_ = make_temporary_directory();
  const std::string link = temporary_directory_ + kLinkName;
  char* const absolute = realpath(fasta_path_.c_str(), nullptr);
  const bool is_linked = absolute != nullptr && symlink(absolute, link.c_str()) == 0;
  std::free(absolute);
  if (!is_linked) {
    throw InputError(fasta_path_, "",
                     "cannot be linked from " + temporary_directory_ + ": " +
                         std::generic_category().message(errno));
  }
  if (fai_build3(link.c_str(), nullptr, nullptr) != 0) {
    throw InputError(fasta_path_, "",
                     "is no FASTA that can be indexed (samtools faidx tells more)");
  }
  return link;
}

void CramReference::attach(htsFile& file, const std::string& name) {
  remove_locations(*cram_fd_get_header(file.fp.cram));
  if (fasta_path_.empty()) return;
  // A relative name could be taken for a URL.
  if (!fasta_path_.starts_with('/')) fasta_path_.insert(0, "./");
  if (!is_readable(fasta_path_)) {
    throw InputError(fasta_path_, "", "cannot open: " + std::generic_category().message(errno));
  }
  indexed_path_ = has_index() ? fasta_path_ : make_indexed_link();
  if (hts_set_opt(&file, CRAM_OPT_REFERENCE, indexed_path_.c_str()) != 0) {
    throw InputError(name, "", "cannot use the reference " + fasta_path_);
  }
}

std::string CramReference::explain_failure(sam_hdr_t& header, std::int32_t first_contig) const {
  const std::vector<std::string> in_fasta = contigs_of(indexed_path_);
  for (int i = first_contig; i < sam_hdr_nref(&header); ++i) {
    const char* const contig = sam_hdr_tid2name(&header, i);
    const std::string md5 = tag_of_contig(header, contig, "M5");
    if (std::binary_search(in_fasta.begin(), in_fasta.end(), contig)) continue;
    if (!md5.empty() && is_in_search_path(md5)) continue;
    return fmt::format(
        "truncated or corrupt, or the reference of {}{} was not found{}", contig,
        md5.empty() ? "" : " (M5 " + md5 + ")",
        fasta_path_.empty() ? " (--reference REF.fa, or local REF_PATH)" : " in " + fasta_path_);
  }
  return fasta_path_.empty() ? "cannot be decoded: truncated or corrupt"
                             : "cannot be decoded: truncated, corrupt, or " + fasta_path_ +
                                   " is not the reference that the CRAM was made with";
}

}  // namespace genomamba::io
