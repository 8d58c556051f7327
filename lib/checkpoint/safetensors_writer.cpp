// SPDX-License-Identifier: MIT
#include "genomamba/checkpoint/safetensors_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "genomamba/core/error.hpp"

namespace genomamba::checkpoint {
namespace {

/// A file under a temporary name, which is removed unless `finish` is reached.
class PartialFile {
 public:
  explicit PartialFile(const std::string& path)
      : path_(path), partial_(path + ".partial." + std::to_string(::getpid())) {
    fd_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd_ < 0) throw OutputError(path_, "cannot be created", errno);
  }
  ~PartialFile() {
    if (fd_ >= 0) ::close(fd_);
    if (!finished_) ::unlink(partial_.c_str());
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  void write(const void* data, std::size_t n_bytes) {
    const char* p = static_cast<const char*>(data);
    while (n_bytes > 0) {
      const ssize_t done = ::write(fd_, p, n_bytes);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) throw OutputError(path_, "cannot be written", errno);
      p += done;
      n_bytes -= static_cast<std::size_t>(done);
    }
  }

  void finish() {
    if (::fsync(fd_) != 0 && errno != EINVAL) throw OutputError(path_, "cannot be synced", errno);
    if (::close(std::exchange(fd_, -1)) != 0) throw OutputError(path_, "cannot be closed", errno);
    if (std::rename(partial_.c_str(), path_.c_str()) != 0) {
      throw OutputError(path_, "cannot be renamed into place", errno);
    }
    finished_ = true;
  }

 private:
  std::string path_;
  std::string partial_;
  int fd_ = -1;
  bool finished_ = false;
};

}  // namespace

void write_safetensors(const std::string& path, std::span<const NamedArray> tensors) {
  nlohmann::ordered_json header;
  header["__metadata__"] = {{"format", "pt"}};
  std::uint64_t offset = 0;
  for (const NamedArray& tensor : tensors) {
    std::size_t size = 1;
    for (const std::size_t dim : tensor.shape)
      size *= dim;
    if (size != tensor.values.size()) {
      throw OutputError(path, tensor.name + ": " + std::to_string(tensor.values.size()) +
                                  " values do not fill its shape");
    }
    const std::uint64_t end = offset + size * sizeof(float);
    header[tensor.name] = {
        {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // the data begin at a multiple of 8

  PartialFile file(path);
  std::uint64_t length = text.size();
  std::string prefix;
  for (int i = 0; i < 8; ++i, length >>= 8)
    prefix += static_cast<char>(length & 0xFF);
  file.write(prefix.data(), prefix.size());
  file.write(text.data(), text.size());
  for (const NamedArray& tensor : tensors) {
    file.write(tensor.values.data(), tensor.values.size() * sizeof(float));
  }
  file.finish();
}

}  // namespace genomamba::checkpoint
