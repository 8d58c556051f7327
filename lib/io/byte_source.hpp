// SPDX-License-Identifier: MIT
// ByteSource: the decompressed bytes of one input. Private to io.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "genomamba/core/log.hpp"
#include "htslib_handles.hpp"

namespace genomamba::io {

/// An input opened by us, so that htslib never sees a name it could take for a URL.
/// Invariant: `file` owns the descriptor `fd`; `name` is what messages call the input.
struct OpenedInput {
  HFilePtr file;
  int fd = -1;
  std::string name;
  struct stat at_open {};
};

/// Opens `path`; "-" and /dev/stdin are a duplicate of descriptor 0. Throws InputError.
OpenedInput open_input(const std::string& path);

/// What the bytes at an input's start say about it.
enum class Compression { kPlain, kGzip, kZstd };

/// Looks at the first bytes without consuming them. Throws InputError for a compression that is not
/// supported.
Compression detect_compression(const OpenedInput& input);

/// True if the (uncompressed) input is a CRAM.
bool is_cram(const OpenedInput& input);

/// Throws InputError if the regular file became shorter than it was when opened: then the end that
/// was just seen is no true end. Any other change is a remark to `log`.
void check_unchanged(int fd, const struct stat& at_open, const std::string& name, LogSink* log);

/// Not thread-safe. The end is told apart from an error: read() returns 0 only at a verified end.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads up to `size` (> 0) bytes; 0 at the end. Throws InputError: truncated, corrupt, read
  /// error.
  virtual std::size_t read(char* buffer, std::size_t size) = 0;
};

/// What it means when BGZF data lack their end-of-file block.
enum class EndBlock {
  kRequired,  ///< an error: a cut between two blocks can be seen in no other way
  kExpected,  ///< a remark
};

/// Plain, gzip (any number of members) and BGZF, through htslib.
class BgzfSource final : public ByteSource {
 public:
  /// `threads`: extra threads for BGZF. Throws InputError.
  BgzfSource(OpenedInput input, int threads, LogSink* log);

  std::size_t read(char* buffer, std::size_t size) override;
  /// The first decompressed bytes, as many as one block holds; only before the first read().
  std::string_view first_block() const;
  /// Required unless said otherwise.
  void set_end_block(EndBlock end_block) { end_block_ = end_block; }
  /// For htslib's BAM functions, which read from the handle themselves.
  BGZF* handle() const noexcept { return bgzf_.get(); }
  /// The reason of a failed read, in words.
  std::string error_text() const;
  /// Call at the end of the data when they are read through handle(): throws InputError when the
  /// end-of-file block is missing and required.
  void check_end() const;
  const std::string& name() const noexcept { return name_; }

 private:
  BgzfPtr bgzf_;
  int fd_;
  std::string name_;
  struct stat at_open_;
  LogSink* log_;
  EndBlock end_block_ = EndBlock::kRequired;
};

/// Zstandard, any number of frames, through libzstd.
std::unique_ptr<ByteSource> make_zstd_source(OpenedInput input, LogSink* log);

}  // namespace genomamba::io
