// SPDX-License-Identifier: MIT
#include "genomamba/io/bigwig_reader.hpp"

#include <bigWig.h>

#include <algorithm>

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

}  // namespace

struct BigWigReader::Impl {
  std::string path;
  std::unique_ptr<bigWigFile_t, FileCloser> file;
  std::vector<Contig> contigs;
};

BigWigReader::BigWigReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  if (bwIsBigWig(path.c_str(), nullptr) != 1) throw InputError(path, "", "is no bigWig");
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
