// SPDX-License-Identifier: MIT
#include "genomamba/io/resume_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "catch.hpp"
#include "error_text.hpp"
#include "genomamba/core/error.hpp"
#include "tmp_dir.hpp"

using namespace genomamba::io;  // NOLINT(google-build-using-namespace)
using genomamba::test::contains;
using genomamba::test::error_text;
using genomamba::test::read_file;
using genomamba::test::TmpDir;

namespace {

using Facts = std::vector<ResumeFact>;
const Facts kFacts = {{"pool", "mean", false}, {"a\tb.fa", "5 bytes", true}};

std::vector<std::string> read_all(ResumeFile& file) {
  std::vector<std::string> blocks;
  for (std::string block; file.read(block);)
    blocks.push_back(block);
  return blocks;
}

/// A file with these blocks.
void write_blocks(const std::string& path, const std::vector<std::string>& blocks) {
  ResumeFile file(path, kFacts);
  read_all(file);
  for (const std::string& block : blocks)
    file.append(block);
}

}  // namespace

TEST_CASE("Blocks come back in their order, and more can follow") {
  const TmpDir tmp;
  const std::string path = tmp.file("r");
  const std::string binary("\0\n\xff", 3);
  write_blocks(path, {"one", "", binary});
  write_blocks(path, {"four"});
  ResumeFile file(path, kFacts);
  CHECK(read_all(file) == std::vector<std::string>{"one", "", binary, "four"});
  file.remove();
  CHECK(tmp.entries().empty());
}

TEST_CASE("A file cut anywhere gives the whole blocks before the cut, then takes the rest again") {
  const TmpDir tmp;
  const std::string path = tmp.file("r");
  const std::vector<std::string> blocks = {"first", std::string(300, 'x'), "third"};
  write_blocks(path, blocks);
  const std::string whole = read_file(path);
  for (std::size_t n = 0; n <= whole.size(); n += 7) {
    tmp.write("r", whole.substr(0, n));
    {
      ResumeFile file(path, kFacts);
      const std::vector<std::string> found = read_all(file);
      REQUIRE(found.size() <= blocks.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(found[i] == blocks[i]);
      for (std::size_t i = found.size(); i < blocks.size(); ++i)
        file.append(blocks[i]);
    }
    CHECK(read_file(path) == whole);
  }
}

TEST_CASE("A changed byte ends the stored blocks") {
  const TmpDir tmp;
  const std::string path = tmp.file("r");
  write_blocks(path, {"first", "second"});
  std::string bytes = read_file(path);
  const std::size_t header = bytes.find("\n\n") + 2;
  for (std::size_t i = header; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(bytes[i] ^ 1);
    tmp.write("r", bytes);
    ResumeFile file(path, kFacts);
    const std::vector<std::string> found = read_all(file);
    CHECK(found.size() < 2);
    if (!found.empty()) CHECK(found[0] == "first");
    bytes[i] = static_cast<char>(bytes[i] ^ 1);
  }
}

TEST_CASE("What differs from the run that began the file is named") {
  const TmpDir tmp;
  const std::string path = tmp.file("r");
  write_blocks(path, {"one"});
  const auto with = [&](const Facts& facts) {
    return error_text([&] { const ResumeFile file(path, facts); });
  };
  CHECK(contains(with({{"pool", "max", false}, kFacts[1]}), "pool is not what it was"));
  CHECK(contains(with({kFacts[0], {"a\tb.fa", "6 bytes", true}}), "b.fa: is not what it was"));
  CHECK(contains(with({kFacts[0]}), "b.fa: is not what it was"));
  CHECK(contains(with({kFacts[0], kFacts[1], {"new", "1", false}}), "new is not what it was"));
  CHECK_THROWS_AS(ResumeFile(path, {{"pool", "max", false}, kFacts[1]}), genomamba::UsageError);
  CHECK_THROWS_AS(ResumeFile(path, {kFacts[0]}), genomamba::InputError);
  ResumeFile same(path, kFacts);
  CHECK(read_all(same).size() == 1);
  CHECK(contains(with(kFacts), "in use by another run"));
}

TEST_CASE("Another kind of file is left alone") {
  const TmpDir tmp;
  for (const std::string bytes : {"@read\nACGT\n", "g", "genomamba-resume 2\n"}) {
    const bool is_begun = std::string("genomamba-resume 1\n").find(bytes) == 0;
    const std::string path = tmp.write("r", bytes);
    const std::string message = error_text([&] { const ResumeFile file(path, kFacts); });
    CHECK((is_begun || contains(message, "is not a file of --resume")));
    CHECK((is_begun || read_file(path) == bytes));
  }
  CHECK(contains(error_text([&] { const ResumeFile file(tmp.path(), kFacts); }), "--resume"));
}

TEST_CASE("A file is known by size, time, first and last 16 MiB") {
  const TmpDir tmp;
  constexpr std::size_t kLarge = (std::size_t{36} << 20) + 5;
  std::string bytes(kLarge, 'a');
  const std::string path = tmp.write("f", bytes);
  struct stat info {};
  REQUIRE(::stat(path.c_str(), &info) == 0);
  const auto fact_of = [&](const std::string& text) {
    tmp.write("f", text);
    const timespec times[2] = {info.st_mtim, info.st_mtim};
    REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
    return input_fact(path).value;
  };
  const std::string first = fact_of(bytes);
  CHECK(first == fact_of(bytes));
  CHECK(input_fact(path).is_input);
  for (const std::size_t at : {std::size_t{0}, (std::size_t{16} << 20) - 1, kLarge - 1}) {
    bytes[at] = 'b';
    CHECK(fact_of(bytes) != first);
    bytes[at] = 'a';
  }
  CHECK(fact_of(bytes + "a") != first);
  CHECK(fact_of("a") != fact_of("b"));
  const timespec later[2] = {{info.st_mtim.tv_sec + 1, 0}, {info.st_mtim.tv_sec + 1, 0}};
  fact_of(bytes);
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), later, 0) == 0);
  CHECK(input_fact(path).value != first);
  CHECK_THROWS_AS(input_fact("-"), genomamba::UsageError);
  CHECK_THROWS_AS(input_fact("/dev/null"), genomamba::UsageError);
  CHECK_THROWS_AS(input_fact(tmp.file("missing")), genomamba::InputError);
}
