// SPDX-License-Identifier: MIT
#include "common/print.hpp"

#include <unistd.h>

#include <cerrno>
#include <exception>
#include <new>
#include <string_view>

#include "genomamba/core/error.hpp"

namespace genomamba::apps {
namespace {

/// One line to stderr whatever the state of the C++ streams; a failure has nowhere to go.
void print_error(const std::string& name, std::string_view message) {
  std::string line = name + ": error: " + std::string(message);
  for (char& c : line) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  line += '\n';
  const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
  static_cast<void>(ignored);
}

}  // namespace

int print(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      if (errno == EPIPE) throw BrokenPipe();
      throw OutputError("stdout", "cannot write", errno);
    }
    done += static_cast<std::size_t>(n);
  }
  return 0;
}

int guarded(const std::string& name, const std::function<int()>& body) {
  try {
    return body();
  } catch (const BrokenPipe& error) {
    return error.exit_code();
  } catch (const Error& error) {
    print_error(name, error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    print_error(name, "out of memory");
    return 1;
  } catch (const std::exception& error) {
    print_error(name, error.what());
    return 1;
  }
}

}  // namespace genomamba::apps
