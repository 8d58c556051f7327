// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>

#include "genomamba/core/error.hpp"
#include "genomamba/io/variant_file.hpp"
#include "output_target.hpp"
#include "temporary_files.hpp"
#include "variant_handles.hpp"

namespace genomamba::io {
namespace {

/// A name beside the final one, that a signal handler removes.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& final_path) {
    static std::atomic<unsigned> counter{0};
    path_ = directory_of(final_path) + "/.genomamba-" + std::to_string(getpid()) + "-variants-" +
            std::to_string(counter.fetch_add(1)) + ".tmp";
    name_.emplace(path_);
  }
  ~TemporaryFile() {
    if (name_) unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const noexcept { return path_; }
  /// Gives the file its final name.
  void rename_to(const std::string& final_path, const std::string& shown) {
    if (std::rename(path_.c_str(), final_path.c_str()) != 0) {
      throw OutputError(shown, "cannot rename the finished file", errno);
    }
    name_.reset();
  }

 private:
  std::string path_;
  std::optional<TemporaryName> name_;
};

void sync_path(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  (void)fsync(fd);
  close(fd);
}

const char* mode_of(VariantFormat format) {
  switch (format) {
    case VariantFormat::kVcf:
      return "w";
    case VariantFormat::kVcfGz:
      return "wz";
    case VariantFormat::kBcf:
      return "wb";
    case VariantFormat::kRawBcf:
      return "wbu";
  }
  return "w";
}

bool is_bcf(VariantFormat format) {
  return format == VariantFormat::kBcf || format == VariantFormat::kRawBcf;
}

bool is_indexable(VariantFormat format) {
  return format == VariantFormat::kBcf || format == VariantFormat::kVcfGz;
}

/// "a,.,b": words with "." for none; empty if there is none at all.
std::string joined(std::span<const std::string_view> words) {
  const bool has_any =
      std::any_of(words.begin(), words.end(), [](std::string_view w) { return !w.empty(); });
  std::string text;
  if (!has_any) return text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += ',';
    text += words[i].empty() ? "." : words[i];
  }
  return text;
}

}  // namespace

struct VariantWriter::Impl {
  std::string name;
  VariantFormat format;
  VariantHeader shared;
  OutputTarget target;
  std::optional<TemporaryFile> temporary;
  HtsFilePtr file;
  std::string index_path;  ///< empty: none
  std::optional<TemporaryFile> index_temporary;
  std::vector<float> values;
  std::uint64_t n_records = 0;
  std::vector<char> is_contig_over;
  std::int32_t contig = -1;
  hts_pos_t last_position = 0;

  Impl(const VariantWriterOptions& options, VariantHeader header)
      : name(options.path == "-" ? "stdout" : options.path),
        format(options.format),
        shared(std::move(header)),
        target(resolve_output(options.path)) {}

  void open_file() {
    int fd = -1;
    if (target.descriptor) {
      fd = fcntl(*target.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    } else if (target.is_direct) {
      fd = open(target.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    } else {
      constexpr mode_t kDefaultMode = 0666;  // the umask takes its part
      temporary.emplace(target.path);
      fd = open(temporary->path().c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kDefaultMode);
    }
    if (fd < 0) throw OutputError(name, "cannot open", errno);
    if (target.mode) (void)fchmod(fd, *target.mode);
    hFILE* const stream = hdopen(fd, "w");
    if (stream == nullptr) {
      close(fd);
      throw OutputError(name, "cannot open", errno);
    }
    file.reset(hts_hopen(stream, name.c_str(), mode_of(format)));
    if (!file) {
      hclose_abruptly(stream);
      throw OutputError(name, "cannot open", errno);
    }
  }

  [[noreturn]] void fail(const char* what) const {
    const int reason = errno;
    if (reason == EPIPE && target.descriptor == std::optional<int>(STDOUT_FILENO)) {
      throw BrokenPipe();
    }
    throw OutputError(name, what, reason);
  }

  void begin_index() {
    constexpr int kCsiShift = 14;
    constexpr std::uint64_t kTbiLongest = std::uint64_t{1} << 29;
    bcf_hdr_t* const header = shared.impl().header.get();
    std::uint64_t longest = 0;
    for (int i = 0; i < header->n[BCF_DT_CTG]; ++i) {
      longest = std::max(longest, header->id[BCF_DT_CTG][i].val->info[0]);
    }
    const bool is_tbi = format == VariantFormat::kVcfGz && longest <= kTbiLongest;
    index_path = target.path + (is_tbi ? ".tbi" : ".csi");
    index_temporary.emplace(index_path);
    if (bcf_idx_init(file.get(), header, is_tbi ? 0 : kCsiShift, index_temporary->path().c_str()) !=
        0) {
      throw OutputError(index_path, "cannot make the index");
    }
  }

  /// Only the records of a sorted file can be indexed.
  void check_sorted(const VariantRecord& record, const bcf1_t& bcf) {
    if (bcf.rid != contig) {
      is_contig_over.resize(std::max(is_contig_over.size(), static_cast<std::size_t>(bcf.rid) + 1));
      const bool is_new = is_contig_over[static_cast<std::size_t>(bcf.rid)] == 0;
      if (contig >= 0) is_contig_over[static_cast<std::size_t>(contig)] = 1;
      contig = is_new ? bcf.rid : -1;
    } else if (bcf.pos < last_position) {
      contig = -1;
    }
    if (contig < 0) {
      throw OutputError(name, fmt::format("--write-index: record {} at {} is not in sorted order",
                                          n_records, record.describe()));
    }
    last_position = bcf.pos;
  }

  void set_llr(bcf_hdr_t* header, bcf1_t* record, std::span<const float> llr) {
    values.assign(llr.begin(), llr.end());
    bool has_any = false;
    for (float& value : values) {
      if (std::isnan(value)) {
        bcf_float_set_missing(value);
      } else {
        has_any = true;
      }
    }
    const int result = bcf_update_info_float(header, record, "GM_LLR", values.data(),
                                             has_any ? static_cast<int>(values.size()) : 0);
    if (result < 0) throw OutputError(name, "cannot add GM_LLR");
  }

  void set_skip(bcf_hdr_t* header, bcf1_t* record, std::span<const std::string_view> skip) {
    const std::string text = joined(skip);
    const int result = text.empty()
                           ? bcf_update_info_string(header, record, "GM_SKIP", nullptr)
                           : bcf_update_info_string(header, record, "GM_SKIP", text.c_str());
    if (result < 0) throw OutputError(name, "cannot add GM_SKIP");
  }
};

VariantWriter::VariantWriter(const VariantWriterOptions& options, const VariantHeader& header)
    : impl_(std::make_unique<Impl>(options, header)) {
  hts_set_log_level(HTS_LOG_OFF);
  if (options.write_index && (impl_->target.is_direct || !is_indexable(options.format))) {
    throw UsageError("--write-index needs a regular file of -O z or b");
  }
  impl_->open_file();
  const std::lock_guard lock(header.impl().mutex);
  errno = 0;
  if (bcf_hdr_write(impl_->file.get(), header.impl().header.get()) != 0) {
    impl_->fail("cannot write the header");
  }
  if (options.write_index) impl_->begin_index();
}

VariantWriter::~VariantWriter() = default;

void VariantWriter::write(VariantRecord& record, std::span<const float> llr,
                          std::span<const std::string_view> skip) {
  ++impl_->n_records;
  bcf1_t* const bcf = record.impl().record.get();
  const std::lock_guard lock(impl_->shared.impl().mutex);
  bcf_hdr_t* const header = impl_->shared.impl().header.get();
  if (bcf->errcode != 0 && is_bcf(impl_->format)) {
    throw InputError(record.describe(), "",
                     "uses a contig, FILTER, INFO or FORMAT that the VCF header does not declare, "
                     "which BCF cannot hold; write VCF, or add the header line");
  }
  bcf->errcode = 0;
  impl_->set_llr(header, bcf, llr);
  impl_->set_skip(header, bcf, skip);
  if (impl_->index_temporary) impl_->check_sorted(record, *bcf);
  errno = 0;
  if (bcf_write(impl_->file.get(), header, bcf) != 0) impl_->fail("cannot write");
}

void VariantWriter::finish_writing() {
  if (!impl_->file) return;
  errno = 0;
  if (impl_->index_temporary) {
    if (bcf_idx_save(impl_->file.get()) != 0) {
      throw OutputError(impl_->index_path, "cannot write the index", errno);
    }
    sync_path(impl_->index_temporary->path());
  }
  errno = 0;
  if (hts_close(impl_->file.release()) != 0) impl_->fail("cannot write");
  if (impl_->temporary) sync_path(impl_->temporary->path());
}

void VariantWriter::commit() {
  finish_writing();
  if (!impl_->temporary) return;
  // An index left from before fits the old file alone.
  for (const char* ending : {".tbi", ".csi"})
    unlink((impl_->target.path + ending).c_str());
  impl_->temporary->rename_to(impl_->target.path, impl_->name);
  if (impl_->index_temporary)
    impl_->index_temporary->rename_to(impl_->index_path, impl_->index_path);
  sync_path(directory_of(impl_->target.path));
}

}  // namespace genomamba::io
