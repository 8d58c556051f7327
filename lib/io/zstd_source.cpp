// SPDX-License-Identifier: MIT
#include <zstd.h>

#include <cerrno>
#include <new>
#include <system_error>
#include <vector>

#include "byte_source.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

struct StreamFreer {
  void operator()(ZSTD_DStream* stream) const noexcept { ZSTD_freeDStream(stream); }
};

class ZstdSource final : public ByteSource {
 public:
  ZstdSource(OpenedInput input, LogSink* log)
      : input_(std::move(input)),
        log_(log),
        stream_(ZSTD_createDStream()),
        compressed_(ZSTD_DStreamInSize()) {
    if (!stream_) throw std::bad_alloc();
  }

  std::size_t read(char* buffer, std::size_t size) override {
    ZSTD_outBuffer out{buffer, size, 0};
    while (out.pos < size) {
      if (in_.pos == in_.size && !has_pending_output_ && !refill()) break;
      const std::size_t result = ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (ZSTD_isError(result)) {
        throw InputError(input_.name, "",
                         std::string("corrupt zstd data: ") + ZSTD_getErrorName(result));
      }
      is_frame_open_ = result != 0;
      // A full output buffer means that more may be waiting inside the stream.
      has_pending_output_ = out.pos == out.size && is_frame_open_;
    }
    return out.pos;
  }

 private:
  /// False at the end of the file.
  bool refill() {
    const ssize_t n = hread(input_.file.get(), compressed_.data(), compressed_.size());
    if (n < 0) {
      throw InputError(input_.name, "", "cannot read: " + std::generic_category().message(errno));
    }
    if (n > 0) {
      in_ = {compressed_.data(), static_cast<std::size_t>(n), 0};
      return true;
    }
    check_unchanged(input_.fd, input_.at_open, input_.name, log_);
    if (is_frame_open_) {
      throw InputError(input_.name, "", "truncated zstd data (unexpected end of file)");
    }
    return false;
  }

  OpenedInput input_;
  LogSink* log_;
  std::unique_ptr<ZSTD_DStream, StreamFreer> stream_;
  std::vector<char> compressed_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool is_frame_open_ = true;  // a file of no frame at all is no zstd file
  bool has_pending_output_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> make_zstd_source(OpenedInput input, LogSink* log) {
  return std::make_unique<ZstdSource>(std::move(input), log);
}

}  // namespace genomamba::io
