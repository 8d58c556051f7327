// SPDX-License-Identifier: MIT
// bigWig of one score.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "bigwig_file.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/score_writer.hpp"
#include "number_text.hpp"
#include "output_target.hpp"
#include "temporary_files.hpp"

namespace genomamba::io {
namespace {

constexpr std::size_t kMaxZooms = 10;
constexpr std::uint32_t kZoomStep = 4;
constexpr std::uint32_t kFirstZoom = 128;
/// Summaries of the first level are held in memory: at most this many, by wider bins on a large
/// genome.
constexpr std::uint64_t kMaxFirstRecords = std::uint64_t{1} << 20;

std::vector<BigWigZoom> make_zooms(const std::vector<Contig>& contigs) {
  std::uint64_t total = 0;
  std::uint64_t longest = 0;
  for (const Contig& contig : contigs) {
    total += contig.length;
    longest = std::max(longest, contig.length);
  }
  std::uint64_t size = kFirstZoom;
  while (total / size > kMaxFirstRecords)
    size *= kZoomStep;
  std::vector<BigWigZoom> zooms;
  // At least one level, which IGV needs.
  do {
    zooms.emplace_back(static_cast<std::uint32_t>(size));
    size *= kZoomStep;
  } while (zooms.size() < kMaxZooms && size < longest);
  return zooms;
}

/// The temporary file, made by us because libBigWig crashes where it cannot make one.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path) : name_(path), target_(resolve_output(path)) {
    if (target_.is_direct) throw UsageError(path + ": bigWig output needs a regular file");
    path_ = directory_of(target_.path) + "/.genomamba-" + std::to_string(getpid()) + "-" +
            target_.path.substr(target_.path.rfind('/') + 1) + ".tmp";
    temporary_name_.emplace(path_);
    const int fd = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
      const int reason = errno;
      temporary_name_.reset();
      throw OutputError(path, "cannot open", reason);
    }
    if (target_.mode) (void)fchmod(fd, *target_.mode);
    close(fd);
  }
  ~TemporaryFile() {
    if (temporary_name_) unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const noexcept { return path_; }
  void commit() {
    if (std::rename(path_.c_str(), target_.path.c_str()) != 0) {
      throw OutputError(name_, "cannot rename the finished file", errno);
    }
    temporary_name_.reset();
  }

 private:
  std::string name_;
  OutputTarget target_;
  std::string path_;
  std::optional<TemporaryName> temporary_name_;
};

class BigWig final : public ScoreTrackWriter {
 public:
  explicit BigWig(const ScoreWriterOptions& options)
      : name_(options.path),
        contigs_(checked(options)),
        decimals_(options.precision),
        temporary_(options.path),
        zooms_(make_zooms(contigs_)),
        file_(temporary_.path(), options.path, contigs_, zooms_.size()) {}

  void write(std::size_t contig, std::uint64_t begin, std::span<const float> values) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t position = begin + i;
      if (std::isnan(values[i])) continue;
      const bool continues =
          !block_.empty() && contig == contig_ && position == begin_ + block_.size();
      if (!continues || block_.size() == BigWigFile::kBlockValues) {
        flush();
        contig_ = contig;
        begin_ = position;
      }
      block_.push_back(decimals_.rounded(values[i]));
    }
  }

  void finish_writing() override {
    flush();
    file_.finish(totals_, zooms_);
    if (last_) samples_.push_back(*last_);
    verify_bigwig(temporary_.path(), name_, contigs_, totals_, zooms_.size(), samples_);
  }
  void commit() override { temporary_.commit(); }

 private:
  static const std::vector<Contig>& checked(const ScoreWriterOptions& options) {
    for (const Contig& contig : *options.contigs) {
      if (contig.length > std::numeric_limits<std::uint32_t>::max()) {
        throw UsageError(options.path + ": bigWig has 32-bit positions, and contig " + contig.name +
                         " has " + std::to_string(contig.length) + " bases; write bedGraph");
      }
    }
    return *options.contigs;
  }

  void flush() {
    if (block_.empty()) return;
    const auto begin = static_cast<std::uint32_t>(begin_);
    const auto n = static_cast<std::uint32_t>(block_.size());
    file_.add(contigs_[contig_].name, begin, block_.data(), n);
    for (BigWigZoom& zoom : zooms_) {
      zoom.add(static_cast<std::uint32_t>(contig_), begin, block_.data(), n,
               static_cast<std::uint32_t>(contigs_[contig_].length));
    }
    add_totals();
    keep_sample(begin);
    block_.clear();
  }

  void add_totals() {
    for (const float value : block_) {
      const double v = value;
      totals_.minimum = totals_.n_values == 0 ? v : std::min(totals_.minimum, v);
      totals_.maximum = totals_.n_values == 0 ? v : std::max(totals_.maximum, v);
      totals_.sum += v;
      totals_.sum_squared += v * v;
      ++totals_.n_values;
    }
  }

  /// Blocks 1, 2, 4, 8, ... and the last are read back at the end.
  void keep_sample(std::uint32_t begin) {
    ++n_blocks_;
    last_ = BigWigSample{contig_, begin, block_};
    if ((n_blocks_ & (n_blocks_ - 1)) == 0) samples_.push_back(*last_);
  }

  std::string name_;
  const std::vector<Contig>& contigs_;
  FixedDecimals decimals_;
  TemporaryFile temporary_;
  std::vector<BigWigZoom> zooms_;
  BigWigFile file_;
  BigWigTotals totals_;
  std::size_t contig_ = 0;
  std::uint64_t begin_ = 0;
  std::vector<float> block_;
  std::uint64_t n_blocks_ = 0;
  std::optional<BigWigSample> last_;
  std::vector<BigWigSample> samples_;
};

}  // namespace

std::unique_ptr<ScoreTrackWriter> make_bigwig(const ScoreWriterOptions& options) {
  return std::make_unique<BigWig>(options);
}

}  // namespace genomamba::io
