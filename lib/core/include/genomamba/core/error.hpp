// SPDX-License-Identifier: MIT
// The exceptions that stop a run. Each knows the exit status that an app gives for it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace genomamba {

/// Base of every error that the library throws on purpose. `what()` is one line, ready for the
/// user.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}

  /// Exit status of an app that stops with this error: 1, or 2 for a usage error.
  virtual int exit_code() const noexcept { return 1; }
};

/// The command line asks for something that does not exist or does not fit together (exit status
/// 2).
class UsageError : public Error {
 public:
  using Error::Error;
  int exit_code() const noexcept override { return 2; }
};

/// An input cannot be used: missing, truncated, malformed. Message: `path: where: reason`.
class InputError : public Error {
 public:
  /// `where` names the place inside the file ("record 12 (read7)", "line 3"); it may be empty.
  InputError(std::string_view path, std::string_view where, std::string_view reason);
};

/// A model directory cannot be used. Message: `path: tensor or key: reason`.
class CheckpointError : public Error {
 public:
  CheckpointError(std::string_view path, std::string_view where, std::string_view reason);
};

/// An output cannot be written. Message: `path: reason: text of errno`.
class OutputError : public Error {
 public:
  /// `error_number` is an errno value, 0 if there is none to tell.
  OutputError(std::string_view path, std::string_view reason, int error_number = 0);
};

/// stdout's reader went away (EPIPE): an app ends quietly with status 141.
class BrokenPipe : public Error {
 public:
  BrokenPipe() : Error("broken pipe") {}
  int exit_code() const noexcept override { return 141; }
};

}  // namespace genomamba
