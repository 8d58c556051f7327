// SPDX-License-Identifier: MIT
#include "genomamba/io/resume_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "genomamba/core/error.hpp"
#include "genomamba/core/sha256.hpp"

namespace genomamba::io {
namespace {

constexpr std::string_view kMagic = "genomamba-resume 1\n";
constexpr std::string_view kHeaderEnd = "\n\n";
constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{1} << 24;
constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kDigestBytes = 64;

std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') escaped += "\\\\";
    if (c == '\t') escaped += "\\t";
    if (c == '\n') escaped += "\\n";
    if (c != '\\' && c != '\t' && c != '\n') escaped += c;
  }
  return escaped;
}

std::string to_line(const ResumeFact& fact) {
  return fmt::format("{}\t{}\t{}\n", fact.is_input ? "input" : "option", escape(fact.name),
                     escape(fact.value));
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::string encode_length(std::uint64_t length) {
  std::string bytes;
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    bytes += static_cast<char>(length >> (8 * i) & 0xFF);
  return bytes;
}

std::uint64_t decode_length(std::string_view bytes) {
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(bytes[i]);
  return length;
}

std::string digest(std::string_view length, std::string_view block) {
  Sha256 hash;
  hash.update(as_bytes(length));
  hash.update(as_bytes(block));
  return hash.hex_digest();
}

/// A file that is read here and there.
class RegularFile {
 public:
  explicit RegularFile(const std::string& path)
      : path_(path), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (fd_ < 0 || ::fstat(fd_, &info_) != 0) fail(errno);
  }
  ~RegularFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  bool is_regular() const { return S_ISREG(info_.st_mode); }
  std::uint64_t size() const { return static_cast<std::uint64_t>(info_.st_size); }
  std::int64_t changed_ns() const {
    constexpr std::int64_t kSecond = 1'000'000'000;
    return static_cast<std::int64_t>(info_.st_mtim.tv_sec) * kSecond + info_.st_mtim.tv_nsec;
  }
  void update(Sha256& hash, std::uint64_t at, std::uint64_t n) const {
    std::vector<std::byte> piece(std::size_t{1} << 16);
    while (n > 0) {
      const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(n, piece.size()));
      const ssize_t got = ::pread(fd_, piece.data(), want, static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(errno);
      if (got == 0) throw InputError(path_, "", "became shorter while it was read");
      hash.update(std::span(piece).first(static_cast<std::size_t>(got)));
      at += static_cast<std::uint64_t>(got);
      n -= static_cast<std::uint64_t>(got);
    }
  }

 private:
  [[noreturn]] void fail(int error_number) const {
    throw InputError(path_, "", std::generic_category().message(error_number));
  }

  std::string path_;
  int fd_;
  struct stat info_ {};
};

}  // namespace

struct ResumeFile::Impl {
  std::string path;
  int fd = -1;
  std::uint64_t size = 0;    ///< when it was opened
  std::uint64_t offset = 0;  ///< behind the last block that counts

  ~Impl() {
    if (fd >= 0) ::close(fd);
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw OutputError(path, reason, errno);
  }

  void open() {
    constexpr int kMode = 0666;
    fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, kMode);
    if (fd < 0) fail("cannot be opened for --resume");
    struct stat info {};
    if (::fstat(fd, &info) != 0) fail("cannot be looked at");
    if (!S_ISREG(info.st_mode)) throw UsageError(path + ": --resume needs a regular file");
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0)
      throw OutputError(path, "is in use by another run (--resume)");
    size = static_cast<std::uint64_t>(info.st_size);
  }

  /// `n` bytes at `at`, or nothing when the file ends before that.
  std::optional<std::string> read_at(std::uint64_t at, std::uint64_t n) const {
    if (at > size || n > size - at) return std::nullopt;
    std::string bytes(static_cast<std::size_t>(n), '\0');
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t got =
          ::pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(at + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("cannot be read");
      if (got == 0) return std::nullopt;
      done += static_cast<std::size_t>(got);
    }
    return bytes;
  }

  void write_at_end(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail("cannot be written");
      offset += static_cast<std::uint64_t>(n);
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  /// The header of the run that began the file; nothing: it has none yet.
  std::optional<std::string> read_header() const {
    const std::string head = *read_at(0, std::min<std::uint64_t>(size, kMaxHeaderBytes));
    if (!kMagic.starts_with(std::string_view(head).substr(0, kMagic.size())))
      throw UsageError(path + ": is not a file of --resume; it was not touched");
    const std::size_t end = head.find(kHeaderEnd);
    if (end == std::string::npos) return std::nullopt;
    return head.substr(0, end + kHeaderEnd.size());
  }

  void compare(const std::string& found, const std::string& wanted) const {
    if (found == wanted) return;
    const auto before = split_lines(found);
    const auto now = split_lines(wanted);
    std::size_t i = 0;
    while (i < before.size() && i < now.size() && before[i] == now[i])
      ++i;
    const std::string& line = i < now.size() && now[i] != "\n" ? now[i] : before[i];
    const std::size_t tab = line.find('\t');
    const std::string name = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
    const std::string advice = "; remove " + path + " to begin anew";
    if (line.starts_with("input"))
      throw InputError(name, "", "is not what it was when " + path + " was begun" + advice);
    throw UsageError(name + " is not what it was when " + path + " was begun" + advice);
  }
};

ResumeFile::ResumeFile(const std::string& path, const std::vector<ResumeFact>& facts)
    : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  std::string header(kMagic);
  for (const ResumeFact& fact : facts)
    header += to_line(fact);
  header += '\n';
  impl_->open();
  if (const auto found = impl_->read_header()) {
    impl_->compare(*found, header);
    impl_->offset = header.size();
    return;
  }
  if (::ftruncate(impl_->fd, 0) != 0) impl_->fail("cannot be emptied");
  impl_->write_at_end(header);
  impl_->size = 0;  // no block is stored
}

ResumeFile::~ResumeFile() = default;

bool ResumeFile::read(std::string& block) {
  const auto length = impl_->read_at(impl_->offset, kLengthBytes);
  if (!length) return false;
  const std::uint64_t begin = impl_->offset + kLengthBytes;
  const std::uint64_t n = decode_length(*length);
  if (n > impl_->size) return false;
  auto found = impl_->read_at(begin, n);
  const auto sum = impl_->read_at(begin + n, kDigestBytes);
  if (!found || !sum || digest(*length, *found) != *sum) return false;
  block = std::move(*found);
  impl_->offset = begin + n + kDigestBytes;
  return true;
}

void ResumeFile::append(std::string_view block) {
  if (impl_->size > 0) {
    // What follows the last whole block is of no use.
    if (::ftruncate(impl_->fd, static_cast<off_t>(impl_->offset)) != 0)
      impl_->fail("cannot be cut to its last whole block");
    impl_->size = 0;
  }
  const std::string length = encode_length(block.size());
  impl_->write_at_end(length);
  impl_->write_at_end(block);
  impl_->write_at_end(digest(length, block));
}

void ResumeFile::remove() {
  if (::unlink(impl_->path.c_str()) != 0) impl_->fail("cannot be removed");
}

ResumeFact input_fact(const std::string& path) {
  constexpr std::uint64_t kEndBytes = std::uint64_t{16} << 20;
  constexpr std::string_view kReason = ": --resume needs inputs that can be read again";
  if (path == "-") throw UsageError("stdin" + std::string(kReason));
  RegularFile file(path);
  if (!file.is_regular()) throw UsageError(path + std::string(kReason));
  Sha256 hash;
  file.update(hash, 0, std::min(file.size(), kEndBytes));
  const std::uint64_t tail =
      std::max(std::min(file.size(), kEndBytes), file.size() - std::min(file.size(), kEndBytes));
  file.update(hash, tail, file.size() - tail);
  return {
      path,
      fmt::format("{} bytes, {} ns, sha256 {}", file.size(), file.changed_ns(), hash.hex_digest()),
      true};
}

}  // namespace genomamba::io
