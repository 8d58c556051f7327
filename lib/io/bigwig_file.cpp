// SPDX-License-Identifier: MIT
#include "bigwig_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "genomamba/core/error.hpp"

// libBigWig 0.4 exports both; bwCommon.h is no C++ header, and the second stands in none.
extern "C" {
int bwFinalize(bigWigFile_t* fp);       // NOLINT(readability-identifier-naming)
int writeZoomLevels(bigWigFile_t* fp);  // NOLINT(readability-identifier-naming)
}

namespace genomamba::io {
namespace {

static_assert(sizeof(ZoomRecord) == 32, "records are copied as they lie in memory");

constexpr std::uint32_t kMagic = 0x888FFC26;

/// libBigWig frees what it is given with free().
template <typename T>
T* allocate(std::size_t n) {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer, and its size is meant
  void* const memory = std::calloc(std::max<std::size_t>(n, 1), sizeof(T));
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<T*>(memory);
}

std::FILE* stream_of(const bigWigFile_t& file) {
  return file.URL->x.fp;
}

}  // namespace

BigWigFile::BigWigFile(const std::string& path, const std::string& name,
                       const std::vector<Contig>& contigs, std::size_t n_zooms)
    : name_(name), file_(nullptr) {
  if (access(path.c_str(), W_OK) != 0) throw OutputError(name_, "cannot open", errno);
  file_ = bwOpen(path.c_str(), nullptr, "w");
  if (file_ == nullptr) throw OutputError(name_, "cannot open", errno);
  check(bwCreateHdr(file_, static_cast<int>(n_zooms)), "cannot make the header");
  std::vector<const char*> names;
  std::vector<std::uint32_t> lengths;
  for (const Contig& contig : contigs) {
    names.push_back(contig.name.c_str());
    lengths.push_back(static_cast<std::uint32_t>(contig.length));
  }
  file_->cl =
      bwCreateChromList(names.data(), lengths.data(), static_cast<std::int64_t>(names.size()));
  if (file_->cl == nullptr) throw std::bad_alloc();
  check(bwWriteHdr(file_), "cannot write the header");
}

void BigWigFile::check(int status, const char* what) {
  const int reason = errno;
  if (status != 0 || std::ferror(stream_of(*file_)) != 0) throw OutputError(name_, what, reason);
}

void BigWigFile::add(const std::string& contig, std::uint32_t begin, const float* values,
                     std::uint32_t n) {
  assert(n > 0 && n <= kBlockValues);
  errno = 0;
  check(bwAddIntervalSpanSteps(file_, contig.c_str(), begin, 1, 1, values, n), "cannot write");
  file_->writeBuffer->end = begin + n;
}

void BigWigFile::give_zooms(std::vector<BigWigZoom>& zooms) {
  bigWigHdr_t& header = *file_->hdr;
  bwWriteBuffer_t& buffer = *file_->writeBuffer;
  const std::size_t n_levels = zooms.size();
  header.nLevels = static_cast<std::uint16_t>(n_levels);
  header.zoomHdrs = allocate<bwZoomHdr_t>(1);
  header.zoomHdrs->level = allocate<std::uint32_t>(n_levels);
  header.zoomHdrs->dataOffset = allocate<std::uint64_t>(n_levels);
  header.zoomHdrs->indexOffset = allocate<std::uint64_t>(n_levels);
  header.zoomHdrs->idx = allocate<bwRTree_t*>(n_levels);
  buffer.firstZoomBuffer = allocate<bwZoomBuffer_t*>(n_levels);
  buffer.lastZoomBuffer = allocate<bwZoomBuffer_t*>(n_levels);
  buffer.nNodes = allocate<std::uint64_t>(n_levels);
  // One slot less than the buffer holds: a block must still fit when it cannot be compressed.
  const std::size_t per_block = header.bufSize / sizeof(ZoomRecord) / 2;
  for (std::size_t level = 0; level < n_levels; ++level) {
    header.zoomHdrs->level[level] = zooms[level].size();
    header.zoomHdrs->idx[level] = allocate<bwRTree_t>(1);
    header.zoomHdrs->idx[level]->blockSize = buffer.blockSize;
    // A level is left out when it has as many blocks as the one before; ours all count.
    buffer.nNodes[level] = n_levels - level;
    const auto& records = zooms[level].records();
    bwZoomBuffer_t* last = nullptr;
    for (std::size_t begin = 0; begin < records.size();) {
      std::size_t end = begin;
      while (end < records.size() && end - begin < per_block &&
             records[end].contig == records[begin].contig)
        ++end;
      auto* const block = allocate<bwZoomBuffer_t>(1);
      const std::size_t n = end - begin;
      block->p = allocate<ZoomRecord>(n);
      std::memcpy(block->p, records.data() + begin, n * sizeof(ZoomRecord));
      block->l = block->m = static_cast<std::uint32_t>(n * sizeof(ZoomRecord));
      (last == nullptr ? buffer.firstZoomBuffer[level] : last->next) = block;
      last = block;
      begin = end;
    }
    buffer.lastZoomBuffer[level] = last;
  }
}

void BigWigFile::finish(const BigWigTotals& totals, std::vector<BigWigZoom>& zooms) {
  bigWigHdr_t& header = *file_->hdr;
  const bool is_empty = totals.n_values == 0;
  header.nBasesCovered = totals.n_values;
  header.minVal = is_empty ? 0 : totals.minimum;
  header.maxVal = is_empty ? 0 : totals.maximum;
  header.sumData = totals.sum;
  header.sumSquared = totals.sum_squared;
  header.nLevels = 0;  // no zoom levels of its own
  errno = 0;
  check(bwFinalize(file_), "cannot write the index");
  if (!is_empty) {
    give_zooms(zooms);
    check(writeZoomLevels(file_), "cannot write the zoom levels");
    check(std::fwrite(&kMagic, sizeof kMagic, 1, stream_of(*file_)) == 1 ? 0 : 1, "cannot write");
  }
  check(std::fflush(stream_of(*file_)), "cannot write");
  if (fsync(fileno(stream_of(*file_))) != 0 && errno != EINVAL && errno != ENOTSUP &&
      errno != EROFS) {
    throw OutputError(name_, "cannot write", errno);
  }
  file_->isWrite = 0;  // it must not finish once more
  bwClose(file_);
}

void verify_bigwig(const std::string& path, const std::string& name,
                   const std::vector<Contig>& contigs, const BigWigTotals& totals,
                   std::size_t n_zooms, const std::vector<BigWigSample>& samples) {
  const auto fail = [&name](const char* what) {
    throw OutputError(name, std::string("the file written is not the one meant: ") + what);
  };
  struct Closer {
    void operator()(bigWigFile_t* file) const noexcept { bwClose(file); }
  };
  const std::unique_ptr<bigWigFile_t, Closer> file(bwOpen(path.c_str(), nullptr, "r"));
  if (!file) fail("it cannot be opened");
  if (file->cl->nKeys != static_cast<std::int64_t>(contigs.size())) fail("number of contigs");
  for (std::size_t i = 0; i < contigs.size(); ++i) {
    if (contigs[i].name != file->cl->chrom[i] || contigs[i].length != file->cl->len[i])
      fail("contigs");
  }
  if (file->hdr->nBasesCovered != totals.n_values || file->hdr->sumData != totals.sum)
    fail("totals");
  if (totals.n_values > 0 && file->hdr->nLevels != n_zooms) fail("zoom levels");
  struct Freer {
    void operator()(bwOverlappingIntervals_t* values) const noexcept {
      bwDestroyOverlappingIntervals(values);
    }
  };
  for (const BigWigSample& sample : samples) {
    const auto n = static_cast<std::uint32_t>(sample.values.size());
    const std::unique_ptr<bwOverlappingIntervals_t, Freer> values(bwGetValues(
        file.get(), contigs[sample.contig].name.c_str(), sample.begin, sample.begin + n, 0));
    const bool is_same = values && values->l == n &&
                         std::equal(sample.values.begin(), sample.values.end(), values->value);
    if (!is_same) fail("values");
  }
}

}  // namespace genomamba::io
