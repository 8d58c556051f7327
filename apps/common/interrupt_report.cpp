// SPDX-License-Identifier: MIT
#include "common/interrupt_report.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string_view>

namespace genomamba::apps {
namespace {

struct Target {
  std::string path;
  std::string temporary;  ///< empty: written directly (stdout, a device, a FIFO)
};

struct Text {
  std::string before, after;
};

std::atomic<const Target*> target{nullptr};
std::atomic<const Text*> published{nullptr};
/// Set before the handler reads `published`: from then on no text is freed.
std::atomic<bool> is_ending{false};

Target make_target(const std::string& path) {
  struct stat info {};
  const bool is_special = ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  if (path == "-" || is_special) return {path, ""};
  return {path, path + ".interrupted." + std::to_string(::getpid())};
}

bool put(int fd, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

/// Async-signal-safe.
void write_pieces(const Target& to, const std::array<std::string_view, 3>& pieces) noexcept {
  constexpr int kMode = 0666;
  const bool is_direct = to.temporary.empty();
  const bool is_stdout = to.path == "-";
  // A FIFO without a reader must not hold the process.
  const int fd = is_stdout ? STDOUT_FILENO
                 : is_direct
                     ? ::open(to.path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK)
                     : ::open(to.temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  if (fd < 0) return;
  bool is_written = true;
  for (const std::string_view piece : pieces)
    is_written = is_written && put(fd, piece);
  if (is_direct) return;
  is_written = is_written && ::fsync(fd) == 0;
  is_written = ::close(fd) == 0 && is_written;
  if (!is_written || ::rename(to.temporary.c_str(), to.path.c_str()) != 0)
    ::unlink(to.temporary.c_str());
}

/// What begins as every report does.
bool is_report(const std::string& path) noexcept {
  constexpr std::string_view kBegin = "{\n  \"schema_version\":";
  std::array<char, kBegin.size()> head{};
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  const ssize_t n = ::read(fd, head.data(), head.size());
  ::close(fd);
  return n == static_cast<ssize_t>(head.size()) &&
         std::string_view(head.data(), head.size()) == kBegin;
}

}  // namespace

void set_interrupt_report(const std::string& path) {
  target.store(new Target(make_target(path)));  // lives as long as the process
}

bool has_interrupt_report() noexcept {
  return target.load() != nullptr;
}

void publish_interrupt_report(std::string before, std::string after) {
  const Text* old = published.exchange(new Text{std::move(before), std::move(after)});
  // A handler that read `old` has set the flag before, in the one order of these atomics.
  if (!is_ending.load()) delete old;
}

void write_interrupt_report(int exit_status) noexcept {
  is_ending.store(true);
  const Target* to = target.load();
  const Text* text = published.load();
  if (to == nullptr || text == nullptr) return;
  std::array<char, 4> digits{};
  std::size_t begin = digits.size();
  for (int rest = exit_status; rest > 0 && begin > 0; rest /= 10)
    digits[--begin] = static_cast<char>('0' + rest % 10);
  write_pieces(*to, {text->before, {digits.data() + begin, digits.size() - begin}, text->after});
}

void write_early_report(const std::string& path, const std::string& text) noexcept {
  const Target to = make_target(path);
  struct stat info {};
  const bool is_there = !to.temporary.empty() && ::lstat(path.c_str(), &info) == 0;
  if (is_there && !is_report(path)) return;
  write_pieces(to, {text, "", ""});
}

}  // namespace genomamba::apps
