// SPDX-License-Identifier: MIT
#include "tabix_index.hpp"

#include <fcntl.h>
#include <htslib/tbx.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

constexpr int kMinShift = 14;
constexpr int kTbiLevels = 5;
constexpr std::uint64_t kTbiLongest = std::uint64_t{1} << 29;

int csi_levels(std::uint64_t longest) {
  int levels = 0;
  for (std::uint64_t size = std::uint64_t{1} << kMinShift; size < longest; size <<= 3)
    ++levels;
  return levels;
}

/// Makes the data durable; a file system without fsync is no reason to fail.
void sync_file(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  (void)fsync(fd);
  close(fd);
}

}  // namespace

TabixIndex::TabixIndex(const std::string& text_path, std::uint64_t longest, std::uint64_t begin,
                       TextKind kind)
    : format_(longest <= kTbiLongest ? HTS_FMT_TBI : HTS_FMT_CSI),
      kind_(kind),
      path_(text_path + (format_ == HTS_FMT_TBI ? ".tbi" : ".csi")) {
  const std::size_t slash = path_.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path_.substr(0, slash + 1);
  temporary_path_ = directory + "/.genomamba-" + std::to_string(getpid()) + "-" +
                    path_.substr(slash + 1) + ".tmp";
  const int levels = format_ == HTS_FMT_TBI ? kTbiLevels : csi_levels(longest);
  index_.reset(hts_idx_init(0, format_, begin, kMinShift, levels));
  if (!index_) throw OutputError(path_, "cannot make the index");
}

TabixIndex::~TabixIndex() {
  if (temporary_name_) unlink(temporary_path_.c_str());
}

bool TabixIndex::add(const std::string& contig_name, std::size_t contig, std::uint64_t begin,
                     std::uint64_t end, std::uint64_t end_offset) {
  if (contig_ != contig) {
    if (seen_.size() <= contig) seen_.resize(contig + 1, 0);
    if (seen_[contig] != 0) return false;
    seen_[contig] = 1;
    contig_ = contig;
    names_.append(contig_name).push_back('\0');
    ++n_contigs_;
  } else if (begin < last_begin_) {
    return false;
  }
  last_begin_ = begin;
  return hts_idx_push(index_.get(), n_contigs_ - 1, static_cast<hts_pos_t>(begin),
                      static_cast<hts_pos_t>(end), end_offset, 1) == 0;
}

void TabixIndex::finish_writing(std::uint64_t end_offset) {
  if (hts_idx_finish(index_.get(), end_offset) != 0)
    throw OutputError(path_, "cannot make the index");
  // The tabix part: preset, columns of contig, begin and end, comment character, lines skipped,
  // then the names.
  const bool is_vcf = kind_ == TextKind::kVcf;
  const std::array<std::uint32_t, 7> conf = {
      static_cast<std::uint32_t>(is_vcf ? TBX_VCF : TBX_UCSC),
      1,
      2,
      is_vcf ? 0U : 3U,
      '#',
      0,
      static_cast<std::uint32_t>(names_.size())};
  std::string meta(sizeof conf, '\0');
  std::memcpy(meta.data(), conf.data(), sizeof conf);
  meta += names_;
  if (hts_idx_set_meta(index_.get(), static_cast<std::uint32_t>(meta.size()),
                       reinterpret_cast<std::uint8_t*>(meta.data()), 1) != 0) {
    throw OutputError(path_, "cannot make the index");
  }
  temporary_name_.emplace(temporary_path_);
  errno = 0;
  if (hts_idx_save_as(index_.get(), nullptr, temporary_path_.c_str(), format_) != 0) {
    throw OutputError(path_, "cannot write the index", errno);
  }
  sync_file(temporary_path_);
}

void TabixIndex::commit() {
  if (std::rename(temporary_path_.c_str(), path_.c_str()) != 0) {
    throw OutputError(path_, "cannot rename the finished index", errno);
  }
  temporary_name_.reset();
}

void TabixIndex::remove_old(const std::string& text_path) {
  unlink((text_path + ".tbi").c_str());
  unlink((text_path + ".csi").c_str());
}

}  // namespace genomamba::io
