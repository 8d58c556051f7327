// SPDX-License-Identifier: MIT
#include "genomamba/core/log.hpp"

namespace genomamba {
namespace {

class SilentLog final : public LogSink {
 public:
  void write(LogLevel, std::string_view) override {}
};

}  // namespace

LogSink& silent_log() noexcept {
  static SilentLog sink;
  return sink;
}

}  // namespace genomamba
