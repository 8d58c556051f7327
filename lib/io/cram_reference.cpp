// SPDX-License-Identifier: MIT
#include "cram_reference.hpp"

#include <fmt/format.h>
#include <htslib/faidx.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <system_error>

#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// True for what htslib would open through a network or other handler: "scheme:...".
bool has_scheme(std::string_view text) {
  const std::size_t n = text.find(':');
  if (n == std::string_view::npos || n == 0) return false;
  const auto is_scheme_char = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '.';
  };
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(n), is_scheme_char);
}

/// The directories of a REF_PATH that are certainly files. A URL holds ':' itself, so that its pieces cannot be told
/// apart for sure: a path with a URL keeps only what looks like a path in the file system.
std::string local_part(const std::string& ref_path) {
  const bool has_url = ref_path.find("//") != std::string::npos ||
                       ref_path.find("URL=") != std::string::npos ||
                       ref_path.find("::") != std::string::npos;
  std::string kept;
  std::size_t begin = 0;
  while (begin <= ref_path.size()) {
    const std::size_t end = std::min(ref_path.find(':', begin), ref_path.size());
    const std::string_view piece = std::string_view(ref_path).substr(begin, end - begin);
    begin = end + 1;
    const bool is_path = piece.starts_with('/') || piece.starts_with('.');
    if (piece.empty() || piece.starts_with("//") || piece.starts_with("URL=")) continue;
    if (has_url ? !is_path : piece == "http" || piece == "https" || piece == "ftp") continue;
    kept.append(kept.empty() ? "" : ":").append(piece);
  }
  return kept;
}

std::string default_cache() {
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
    while (digits < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[digits])) != 0) {
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
  std::string_view rest = search_path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (access(expand(rest.substr(0, end), md5).c_str(), R_OK) == 0) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

std::string tag_of_contig(sam_hdr_t& header, const char* contig, const char* tag) {
  KString value;
  if (sam_hdr_find_tag_id(&header, "SQ", "SN", contig, tag, &value.value) != 0) return {};
  return value.value.s;
}

/// htslib would open what a UR tag names, a URL too.
void remove_urls(sam_hdr_t& header) {
  for (int i = 0; i < sam_hdr_nref(&header); ++i) {
    const char* const contig = sam_hdr_tid2name(&header, i);
    std::string location = tag_of_contig(header, contig, "UR");
    if (location.starts_with("file:")) location.erase(0, std::string_view("file:").size());
    if (has_scheme(location)) sam_hdr_remove_tag_id(&header, "SQ", "SN", contig, "UR");
  }
}

std::string make_temporary_directory() {
  std::string base = environment("TMPDIR");
  if (base.empty()) base = "/tmp";
  std::string name = base + "/genomamba-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw InputError(name, "", "cannot make a temporary directory: " +
                                   std::generic_category().message(errno));
  }
  return name;
}

}  // namespace

void make_reference_search_local() {
  static std::once_flag once;
  std::call_once(once, [] {
    std::string search_path = environment("REF_CACHE");
    const std::string ref_path = environment("REF_PATH");
    if (search_path.empty() && ref_path.empty() && !default_cache().empty()) {
      search_path = default_cache() + "/hts-ref/%2s/%2s/%s";
    }
    if (const std::string local = local_part(ref_path); !local.empty()) {
      search_path.append(search_path.empty() ? "" : ":").append(local);
    }
    // An empty REF_PATH would mean the server.
    if (search_path.empty()) search_path = "/dev/null";
    setenv("REF_PATH", search_path.c_str(), 1);
    unsetenv("REF_CACHE");
  });
}

CramReference::~CramReference() {
  if (temporary_directory_.empty()) return;
  unlink((temporary_directory_ + "/index.fai").c_str());
  unlink((temporary_directory_ + "/index.gzi").c_str());
  rmdir(temporary_directory_.c_str());
}

std::string CramReference::find_or_make_index() {
  const std::string beside = fasta_path_ + ".fai";
  if (access(beside.c_str(), R_OK) == 0) return beside;
  temporary_directory_ = make_temporary_directory();
  const std::string made = temporary_directory_ + "/index.fai";
  const std::string made_gzi = temporary_directory_ + "/index.gzi";
  if (fai_build3(fasta_path_.c_str(), made.c_str(), made_gzi.c_str()) != 0) {
    throw InputError(fasta_path_, "", "is no FASTA that can be indexed (samtools faidx tells more)");
  }
  return made;
}

void CramReference::attach(htsFile& file, sam_hdr_t& header, const std::string& name) {
  remove_urls(header);
  if (fasta_path_.empty()) return;
  // A relative name could be taken for a URL.
  if (!fasta_path_.starts_with('/')) fasta_path_.insert(0, "./");
  if (access(fasta_path_.c_str(), R_OK) != 0) {
    throw InputError(fasta_path_, "", "cannot open: " + std::generic_category().message(errno));
  }
  index_path_ = find_or_make_index();
  const std::string both = fasta_path_ + HTS_IDX_DELIM + index_path_;
  if (hts_set_opt(&file, CRAM_OPT_REFERENCE, both.c_str()) != 0) {
    throw InputError(name, "", "cannot use the reference " + fasta_path_ +
                                   " (a compressed one needs BGZF and its .gzi)");
  }
}

std::string CramReference::explain_failure(sam_hdr_t& header, std::int32_t first_contig) const {
  std::vector<std::string> in_fasta;
  if (!index_path_.empty()) {
    struct FaidxFreer {
      void operator()(faidx_t* index) const noexcept { fai_destroy(index); }
    };
    const std::unique_ptr<faidx_t, FaidxFreer> index(
        fai_load3(fasta_path_.c_str(), index_path_.c_str(), nullptr, 0));
    for (int i = 0; index && i < faidx_nseq(index.get()); ++i) {
      in_fasta.emplace_back(faidx_iseq(index.get(), i));
    }
    std::sort(in_fasta.begin(), in_fasta.end());
  }
  for (int i = first_contig; i < sam_hdr_nref(&header); ++i) {
    const char* const contig = sam_hdr_tid2name(&header, i);
    const std::string md5 = tag_of_contig(header, contig, "M5");
    if (std::binary_search(in_fasta.begin(), in_fasta.end(), contig)) continue;
    if (!md5.empty() && is_in_search_path(md5)) continue;
    return fmt::format("truncated or corrupt, or the reference of {}{} was not found{}", contig,
                       md5.empty() ? "" : " (M5 " + md5 + ")",
                       fasta_path_.empty() ? " (--reference REF.fa, or local REF_PATH)"
                                           : " in " + fasta_path_);
  }
  return fasta_path_.empty()
             ? "cannot be decoded: truncated or corrupt"
             : "cannot be decoded: truncated, corrupt, or " + fasta_path_ +
                   " is not the reference that the CRAM was made with";
}

}  // namespace genomamba::io
