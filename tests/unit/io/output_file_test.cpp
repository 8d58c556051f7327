// SPDX-License-Identifier: MIT
// OutputFile: whole or not at all, and each way in which a disk, a pipe or a name can fail.
#include "genomamba/io/output_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "catch.hpp"
#include "error_text.hpp"
#include "make_files.hpp"
#include "tmp_dir.hpp"

namespace genomamba::io {
namespace {

using test::contains;
using test::error_text;
using test::read_file;
using test::TmpDir;
using Names = std::vector<std::string>;

void write_whole(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

/// Runs `body` in a child process; its return value is the status. Tests of limits and of
/// descriptors 0 to 2.
int run_in_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// In a child: 0 if `call` throws an error whose text holds `part`.
template <typename Call>
int status_of_error(Call&& call, const char* part) {
  return contains(error_text(call), part) ? 0 : 1;
}

TEST_CASE("a file appears by commit, under its name only") {
  const TmpDir dir;
  const std::string path = dir.file("out.tsv");
  {
    OutputFile file(path);
    file.write(std::string("some text\n"));
    REQUIRE(dir.entries().size() == 1);
    CHECK(dir.entries()[0].starts_with(".genomamba-"));
    CHECK(file.path() == path);
    CHECK(file.is_seekable());
    file.finish_writing();
    CHECK_FALSE(dir.entries() == Names{"out.tsv"});
    file.commit();
    CHECK(dir.entries() == Names{"out.tsv"});
  }
  CHECK(read_file(path) == "some text\n");
}

TEST_CASE("without commit nothing is left and an older file stays") {
  const TmpDir dir;
  const std::string path = dir.write("out.tsv", "old");
  { OutputFile file(path); }
  {
    OutputFile file(path);
    file.write(std::string(1000000, 'x'));
    file.finish_writing();
  }
  CHECK(dir.entries() == Names{"out.tsv"});
  CHECK(read_file(path) == "old");
  write_whole(path, "new");
  CHECK(read_file(path) == "new");
}

TEST_CASE("permissions: the umask for a new file, those of the file that is replaced") {
  const TmpDir dir;
  const mode_t old_mask = umask(027);
  write_whole(dir.file("new"), "x");
  dir.write("old", "x");
  chmod(dir.file("old").c_str(), 0604);
  write_whole(dir.file("old"), "y");
  umask(old_mask);
  struct stat status {};
  REQUIRE(stat(dir.file("new").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
  REQUIRE(stat(dir.file("old").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0604);
}

TEST_CASE("bytes at the start can be written last") {
  const TmpDir dir;
  OutputFile file(dir.file("x"));
  const std::string big(600000, 'b');
  file.write(std::string("????"));
  file.write(big);
  file.write_at_start(std::as_bytes(std::span(std::string_view("head"))));
  file.write(std::string("end"));
  file.commit();
  CHECK(read_file(dir.file("x")) == "head" + big + "end");
}

TEST_CASE("names ending in .gz are BGZF, the same bytes every time") {
  const TmpDir dir;
  std::string text;
  for (int i = 0; i < 50000; ++i)
    text += std::to_string(i * 7919) + "\n";
  write_whole(dir.file("a.gz"), text);
  write_whole(dir.file("b.gz"), text);
  const std::string bytes = read_file(dir.file("a.gz"));
  CHECK(bytes == read_file(dir.file("b.gz")));
  CHECK(test::from_gzip(bytes) == text);
  CHECK(bytes.substr(12, 2) == "BC");
  CHECK(bytes.substr(bytes.size() - 28) == test::to_bgzf(""));
  CHECK_FALSE(OutputFile(dir.file("c.gz")).is_seekable());
  // Bytes that cannot be compressed still fit their blocks.
  std::string noise(300000, '\0');
  unsigned state = 1;
  for (char& c : noise)
    c = static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
  write_whole(dir.file("n.gz"), noise);
  CHECK(test::from_gzip(read_file(dir.file("n.gz"))) == noise);
  write_whole(dir.file("e.gz"), "");
  CHECK(read_file(dir.file("e.gz")) == test::to_bgzf(""));
}

TEST_CASE("names that cannot be written are refused at once") {
  const TmpDir dir;
  CHECK(error_text([&] { OutputFile(dir.file("no/x")); }) ==
        dir.file("no/x") + ": cannot open: No such file or directory");
  CHECK(error_text([&] { OutputFile file(dir.path()); }) ==
        dir.path() + ": cannot open: Is a directory");
  CHECK(contains(error_text([&] { OutputFile(dir.file("no/")); }), "cannot open"));
  CHECK(contains(error_text([] { OutputFile(""); }), "no name"));
  CHECK(contains(error_text([&] { OutputFile(dir.write("f", "") + "/x"); }), "Not a directory"));
  CHECK(contains(error_text([&] { OutputFile(dir.file(std::string(5000, 'x'))); }), "cannot open"));
  // A long but legal name has a temporary name that is legal too.
  write_whole(dir.file(std::string(255, 'y')), "x");
  CHECK(dir.entries().size() == 2);
  REQUIRE(symlink("loop", dir.file("loop").c_str()) == 0);
  CHECK(contains(error_text([&] { OutputFile(dir.file("loop")); }), "symbolic links"));
}

TEST_CASE("no permission, as another user than root") {
  const TmpDir dir;
  const std::string kept = dir.write("kept", "old");
  chmod(kept.c_str(), 0444);
  chmod(dir.path().c_str(), 0555);
  const int status = run_in_child([&] {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && setuid(kNobody) != 0) return 3;
    const int new_file = status_of_error([&] { OutputFile(dir.file("new")); }, "Permission denied");
    return new_file + status_of_error([&] { OutputFile file(kept); }, "Permission denied");
  });
  chmod(dir.path().c_str(), 0755);
  CHECK(status == 0);
  CHECK(dir.entries() == Names{"kept"});
  CHECK(read_file(kept) == "old");
}

TEST_CASE("a symbolic link stays, what it leads to is replaced") {
  const TmpDir dir;
  REQUIRE(mkdir(dir.file("sub").c_str(), 0755) == 0);
  dir.write("sub/real", "old");
  REQUIRE(symlink("sub/real", dir.file("link").c_str()) == 0);
  REQUIRE(symlink("sub/later", dir.file("dangling").c_str()) == 0);
  write_whole(dir.file("link"), "new");
  write_whole(dir.file("dangling"), "made");
  CHECK(read_file(dir.file("sub/real")) == "new");
  CHECK(read_file(dir.file("sub/later")) == "made");
  struct stat status {};
  REQUIRE(lstat(dir.file("link").c_str(), &status) == 0);
  CHECK(S_ISLNK(status.st_mode));
}

TEST_CASE("devices are written directly and stay devices") {
  write_whole("/dev/null", "x");
  struct stat status {};
  REQUIRE(stat("/dev/null", &status) == 0);
  CHECK(S_ISCHR(status.st_mode));
  CHECK_FALSE(OutputFile("/dev/null").is_seekable());
  // Smaller than any buffer: the error comes with commit, not before and not never.
  CHECK(error_text([] { write_whole("/dev/full", "x"); }) ==
        "/dev/full: cannot write: No space left on device");
  CHECK(contains(error_text([] { write_whole("/dev/full", std::string(5000000, 'x')); }),
                 "No space left on device"));
  const TmpDir dir;
  REQUIRE(symlink("/dev/full", dir.file("full.gz").c_str()) == 0);
  CHECK(contains(error_text([&] { write_whole(dir.file("full.gz"), "x"); }),
                 "No space left on device"));
}

TEST_CASE("a FIFO is written directly, a reader that goes away is an error, no signal") {
  const TmpDir dir;
  const std::string path = dir.file("fifo");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::string got;
  std::thread reader([&] { got = read_file(path); });
  write_whole(path, "through a pipe");
  reader.join();
  CHECK(got == "through a pipe");
  const int status = run_in_child([&] {
    std::signal(SIGPIPE, SIG_IGN);
    std::thread leaver([&] { close(open(path.c_str(), O_RDONLY)); });
    const int result =
        status_of_error([&] { write_whole(path, std::string(8000000, 'x')); }, "Broken pipe");
    leaver.join();
    return result;
  });
  CHECK(status == 0);
}

TEST_CASE("stdout: by every name, appended to what is there, broken or closed") {
  const TmpDir dir;
  for (const char* name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    const std::string path = dir.write("out", "before\n");
    const int status = run_in_child([&] {
      const int fd = open(path.c_str(), O_WRONLY | O_APPEND);
      dup2(fd, STDOUT_FILENO);
      write_whole(name, "after\n");
      // Committing closed a copy: stdout itself is open still.
      return fcntl(STDOUT_FILENO, F_GETFD) < 0 ? 1 : 0;
    });
    CHECK(status == 0);
    CHECK(read_file(path) == "before\nafter\n");
    CHECK(dir.entries() == Names{"out"});
  }
  CHECK(run_in_child([] {
          close(STDOUT_FILENO);
          return status_of_error([] { write_whole("-", "x"); },
                                 "stdout: cannot open: Bad file descriptor");
        }) == 0);
  CHECK(run_in_child([] {
          std::signal(SIGPIPE, SIG_IGN);
          int ends[2];
          if (pipe(ends) != 0) return 3;
          dup2(ends[1], STDOUT_FILENO);
          close(ends[0]);
          try {
            write_whole("-", "x");
          } catch (const BrokenPipe& error) {
            return error.exit_code();
          }
          return 4;
        }) == 141);
}

TEST_CASE("with a closed stdout an output file is not stdout") {
  const TmpDir dir;
  CHECK(run_in_child([&] {
          close(STDIN_FILENO);
          close(STDOUT_FILENO);
          close(STDERR_FILENO);
          OutputFile file(dir.file("x"));
          file.write(std::string("data\n"));
          // What a stray print would do.
          const bool is_closed = write(STDOUT_FILENO, "noise", 5) < 0;
          file.commit();
          return is_closed ? 0 : 1;
        }) == 0);
  CHECK(read_file(dir.file("x")) == "data\n");
}

TEST_CASE("a file size limit and a full disk leave nothing behind") {
  const TmpDir dir;
  for (const char* name : {"x", "x.gz"}) {
    CHECK(run_in_child([&] {
            std::signal(SIGXFSZ, SIG_IGN);
            constexpr rlim_t kLimit = 4096;
            const rlimit limit{kLimit, kLimit};
            setrlimit(RLIMIT_FSIZE, &limit);
            std::string noise(1000000, '\0');
            unsigned state = 1;
            for (char& c : noise)
              c = static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
            return status_of_error([&] { write_whole(dir.file(name), noise); }, "File too large");
          }) == 0);
    CHECK(dir.entries().empty());
  }
}

void ignore_alarm(int) {}

TEST_CASE("signals that interrupt a write cost no byte") {
  const TmpDir dir;
  const std::string path = dir.file("fifo");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::string text;
  for (int i = 0; i < 300000; ++i)
    text += std::to_string(i);
  const pid_t child = fork();
  if (child == 0) {
    struct sigaction action {};
    action.sa_handler = ignore_alarm;  // no SA_RESTART: write() gives EINTR or a short count
    sigaction(SIGALRM, &action, nullptr);
    const itimerval timer{{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &timer, nullptr);
    _exit(error_text([&] { write_whole(path, text); }) == "no error" ? 0 : 1);
  }
  std::string got;
  std::ifstream in(path, std::ios::binary);
  char buffer[4096];
  while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
    got.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (got.size() % (1 << 18) < sizeof buffer) usleep(2000);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(got == text);
}

void clean_up_and_leave(int) {
  remove_temporary_files();
  _exit(143);
}

TEST_CASE("a signal handler can remove what is unfinished, a kill leaves no final name") {
  const TmpDir dir;
  dir.write("kept", "old");
  const auto killed_by = [&](int signal) {
    return run_in_child([&] {
      std::signal(SIGTERM, clean_up_and_leave);
      OutputFile a(dir.file("a"));
      OutputFile b(dir.file("b.gz"));
      OutputFile kept(dir.file("kept"));
      a.write(std::string(1000000, 'x'));
      b.finish_writing();
      raise(signal);
      return 0;
    });
  };
  CHECK(killed_by(SIGTERM) == 143);
  CHECK(dir.entries() == Names{"kept"});
  CHECK(killed_by(SIGKILL) == 128 + SIGKILL);
  for (const std::string& name : dir.entries()) {
    CHECK((name == "kept" || name.starts_with(".genomamba-")));
  }
  CHECK(read_file(dir.file("kept")) == "old");
}

TEST_CASE("two processes writing the same output leave one complete file") {
  const TmpDir dir;
  const std::string path = dir.file("same");
  std::vector<pid_t> children;
  for (char letter = 'a'; letter < 'e'; ++letter) {
    const pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < 20; ++i)
        write_whole(path, std::string(300000, letter));
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children)
    waitpid(child, nullptr, 0);
  const std::string text = read_file(path);
  CHECK(text.size() == 300000);
  CHECK(text == std::string(300000, text.at(0)));
  CHECK(dir.entries() == Names{"same"});
}

TEST_CASE("many files at once, up to the limit of the table") {
  const TmpDir dir;
  std::vector<std::unique_ptr<OutputFile>> files;
  for (int i = 0; i < 64; ++i)
    files.push_back(std::make_unique<OutputFile>(dir.file(std::to_string(i))));
  CHECK(contains(error_text([&] { OutputFile(dir.file("one more")); }), "too many output files"));
  for (const auto& file : files)
    file->commit();
  CHECK(dir.entries().size() == 64);
  write_whole(dir.file("one more"), "x");
}

TEST_CASE("an output that is also an input is recognised under any name") {
  const TmpDir dir;
  const std::string path = dir.write("a", "x");
  dir.write("b", "x");
  REQUIRE(symlink("a", dir.file("soft").c_str()) == 0);
  REQUIRE(link(path.c_str(), dir.file("hard").c_str()) == 0);
  CHECK(is_same_file(path, path));
  CHECK(is_same_file(path, dir.path() + "/./a"));
  CHECK(is_same_file(path, dir.file("soft")));
  CHECK(is_same_file(dir.file("hard"), dir.file("soft")));
  CHECK_FALSE(is_same_file(path, dir.file("b")));
  CHECK_FALSE(is_same_file(path, dir.file("nope")));
  CHECK_FALSE(is_same_file(dir.file("nope"), dir.file("nope")));
  CHECK_FALSE(is_same_file("-", "-"));
  CHECK_FALSE(is_same_file("/dev/null", "/dev/null"));
}

}  // namespace
}  // namespace genomamba::io
