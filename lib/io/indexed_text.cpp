// SPDX-License-Identifier: MIT
#include "indexed_text.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace genomamba::io {
namespace {

/// An index beside a regular file; a device or a FIFO has none.
bool is_indexable(const std::string& path) {
  if (!path.ends_with(".gz") && !path.ends_with(".bgz")) return false;
  struct stat info {};
  return stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode);
}

std::uint64_t longest(const std::vector<Contig>& contigs) {
  std::uint64_t length = 0;
  for (const Contig& contig : contigs)
    length = std::max(length, contig.length);
  return length;
}

}  // namespace

IndexedText::IndexedText(const std::string& path, const std::string& header,
                         const std::vector<Contig>& contigs, LogSink* log, TextKind kind)
    : path_(path), contigs_(contigs), log_(log), file_(path), wants_index_(is_indexable(path)) {
  file_.write(header);
  if (wants_index_) index_.emplace(path, longest(contigs), file_.virtual_offset(), kind);
}

void IndexedText::add_to_index(std::size_t contig, std::uint64_t begin, std::uint64_t end) {
  if (index_->add(contigs_[contig].name, contig, begin, end, file_.virtual_offset())) return;
  index_.reset();
  if (log_ != nullptr) {
    log_->write(LogLevel::kInfo,
                path_ + ": the rows are as asked for, not sorted, so it gets no index");
  }
}

void IndexedText::finish_writing() {
  const std::uint64_t end = file_.virtual_offset();
  file_.finish_writing();
  if (index_) index_->finish_writing(end);
}

void IndexedText::commit() {
  if (wants_index_) TabixIndex::remove_old(path_);
  file_.commit();
  if (index_) index_->commit();
}

std::string provenance_text(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += "##";
    for (const char c : line)
      text += c == '\n' || c == '\r' || c == '\0' ? ' ' : c;
    text += '\n';
  }
  return text;
}

}  // namespace genomamba::io
