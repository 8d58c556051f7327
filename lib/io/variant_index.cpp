// SPDX-License-Identifier: MIT
#include "variant_index.hpp"

#include <algorithm>

namespace genomamba::io {
namespace {

/// The index beside the file, if it is not older than the file.
std::optional<std::string> find_index(const std::string& path, const struct stat& data,
                                      LogSink& log) {
  if (!S_ISREG(data.st_mode)) return std::nullopt;
  for (const char* ending : {".csi", ".tbi"}) {
    const std::string name = path + ending;
    struct stat info {};
    if (stat(name.c_str(), &info) != 0) continue;
    const bool is_older = info.st_mtim.tv_sec != data.st_mtim.tv_sec
                              ? info.st_mtim.tv_sec < data.st_mtim.tv_sec
                              : info.st_mtim.tv_nsec < data.st_mtim.tv_nsec;
    if (!is_older) return name;
    log.write(LogLevel::kWarning, name + " is older than " + path + " and is not used");
  }
  return std::nullopt;
}

}  // namespace

std::optional<VariantIndex> VariantIndex::open(const std::string& path, const struct stat& data,
                                               const htsFile& file, bcf_hdr_t* header,
                                               const std::vector<IndexQuery>& queries,
                                               LogSink& log) {
  if (file.format.compression != bgzf) return std::nullopt;
  const auto name = find_index(path, data, log);
  if (!name) return std::nullopt;
  VariantIndex index;
  if (file.format.format == bcf) {
    index.bcf_index_.reset(bcf_index_load3(path.c_str(), name->c_str(), HTS_IDX_SILENT_FAIL));
  } else {
    index.tabix_.reset(tbx_index_load3(path.c_str(), name->c_str(), HTS_IDX_SILENT_FAIL));
  }
  if (!index.bcf_index_ && !index.tabix_) {
    log.write(LogLevel::kWarning, *name + " cannot be read and is not used");
    return std::nullopt;
  }
  for (const IndexQuery& query : queries) {
    const int contig = index.tabix_ ? tbx_name2id(index.tabix_.get(), query.contig.c_str())
                                    : bcf_hdr_name2id(header, query.contig.c_str());
    if (contig < 0) continue;
    const hts_idx_t* const idx = index.tabix_ ? index.tabix_->idx : index.bcf_index_.get();
    const auto begin = static_cast<hts_pos_t>(query.begin);
    const auto end = static_cast<hts_pos_t>(query.end);
    std::unique_ptr<hts_itr_t, IteratorFreer> iterator(
        index.tabix_ ? tbx_itr_queryi(index.tabix_.get(), contig, begin, end)
                     : bcf_itr_queryi(idx, contig, begin, end));
    if (iterator && iterator->n_off > 0) index.iterators_.push_back(std::move(iterator));
  }
  // Contigs stand in the file in any order. Regions of one contig may share a block, so position
  // decides between those.
  std::stable_sort(index.iterators_.begin(), index.iterators_.end(),
                   [](const auto& a, const auto& b) {
                     if (a->tid == b->tid) return a->beg > b->beg;
                     return a->off[0].u > b->off[0].u;
                   });
  return index;
}

int VariantIndex::next(htsFile& file, bcf1_t* record, kstring_t* line) {
  while (!iterators_.empty()) {
    hts_itr_t* const iterator = iterators_.back().get();
    const int result = tabix_ ? tbx_itr_next(&file, tabix_.get(), iterator, line)
                              : bcf_itr_next(&file, iterator, record);
    if (result != -1) return result;
    iterators_.pop_back();
  }
  return -1;
}

}  // namespace genomamba::io
