// SPDX-License-Identifier: MIT
#include "genomamba/io/bigwig_reader.hpp"

#include <bigWig.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "byte_source.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

/// Blocks of one step, so that a contig with many values is never in memory at once.
constexpr std::uint32_t kBlocksPerStep = 64;

struct FileCloser {
  void operator()(bigWigFile_t* file) const noexcept { bwClose(file); }
};
struct IteratorFreer {
  void operator()(bwOverlapIterator_t* iterator) const noexcept { bwIteratorDestroy(iterator); }
};

/// Whether the parts that the header names lie inside the file: libBigWig tells what it misses on
/// stderr alone. Fixed header: magic, version, levels, then the offsets of contigs, data and index
/// (Kent et al. 2010, supplement, table 5).
bool is_whole(const OpenedInput& input) {
  constexpr std::size_t kHeader = 64;
  constexpr std::size_t kFirstOffset = 8;
  std::array<char, kHeader> bytes{};
  if (hread(input.file.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(kHeader))
    return false;
  std::array<std::uint64_t, 3> offsets{};
  std::memcpy(offsets.data(), bytes.data() + kFirstOffset, sizeof offsets);
  const auto file_bytes = static_cast<std::uint64_t>(input.at_open.st_size);
  return std::all_of(offsets.begin(), offsets.end(), [&](std::uint64_t offset) {
    return offset >= kHeader && offset < file_bytes;
  });
}

}  // namespace

struct BigWigReader::Impl {
  std::string path;
  std::unique_ptr<bigWigFile_t, FileCloser> file;
  std::vector<Contig> contigs;
};

BigWigReader::BigWigReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  if (bwIsBigWig(path.c_str(), nullptr) != 1) throw InputError(path, "", "is no bigWig");
  if (!is_whole(open_input(path))) throw InputError(path, "", "is a damaged or truncated bigWig");
  impl_->file.reset(bwOpen(path.c_str(), nullptr, "r"));
  if (!impl_->file || impl_->file->cl == nullptr) throw InputError(path, "", "is a damaged bigWig");
  const chromList_t& list = *impl_->file->cl;
  for (std::int64_t i = 0; i < list.nKeys; ++i)
    impl_->contigs.push_back({list.chrom[i], list.len[i]});
}
BigWigReader::~BigWigReader() = default;

const std::vector<Contig>& BigWigReader::contigs() const noexcept {
  return impl_->contigs;
}

void BigWigReader::read(std::size_t contig, std::uint64_t begin, std::uint64_t end,
                        const TakeInterval& take) const {
  const Contig& found = impl_->contigs[contig];
  end = std::min(end, found.length);
  if (begin >= end) return;
  std::unique_ptr<bwOverlapIterator_t, IteratorFreer> iterator(bwOverlappingIntervalsIterator(
      impl_->file.get(), found.name.c_str(), static_cast<std::uint32_t>(begin),
      static_cast<std::uint32_t>(end), kBlocksPerStep));
  if (!iterator) throw InputError(impl_->path, found.name, "cannot read its values");
  while (iterator->data != nullptr) {
    const bwOverlappingIntervals_t& intervals = *iterator->intervals;
    for (std::uint32_t i = 0; i < intervals.l; ++i) {
      if (!take(intervals.start[i], intervals.end[i], intervals.value[i])) return;
    }
    bwOverlapIterator_t* const next = bwIteratorNext(iterator.release());
    // On an error libBigWig has freed the iterator itself.
    if (next == nullptr) throw InputError(impl_->path, found.name, "cannot read its values");
    iterator.reset(next);
  }
}

}  // namespace genomamba::io
