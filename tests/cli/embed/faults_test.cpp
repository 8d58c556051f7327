// SPDX-License-Identifier: MIT
// Trouble from outside: signals at any moment, files that vanish or shrink, no permission, two runs
// at once. Afterwards there is a complete output or none, and no temporary file.
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"
#include "table.hpp"
#include "tmp_dir.hpp"

using genomamba::test::parse_table;
using genomamba::test::read_file;
using genomamba::test::run_shell;
using genomamba::test::TmpDir;

namespace {

using Names = std::vector<std::string>;
const std::string kEmbed = "genomamba-embed -q -m tiny-random -@ 1 ";

std::string reads(int n) {
  std::string text;
  for (int i = 0; i < n; ++i)
    text += ">r" + std::to_string(i) + "\nACGTTGCAACGTACCGATTGACGTTGCA\n";
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Signals at a hundred moments leave whole outputs or none, and nothing temporary") {
  const TmpDir tmp;
  tmp.write("r.fa", reads(20000));
  REQUIRE(run_shell(kEmbed + "r.fa -o whole.npy", tmp.path()).exit_code == 0);
  const std::string whole = read_file(tmp.file("whole.npy"));
  const std::string rows = read_file(tmp.file("whole.rows.tsv.gz"));
  run_shell("rm whole.*", tmp.path());
  int n_killed = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string signal = Names{"INT", "TERM", "KILL"}[static_cast<std::size_t>(i % 3)];
    // From 0 to 0.3 s in an irregular order: before, while and after it works.
    const std::string delay = "0." + std::to_string(1000 + i * 37 % 100 * 3).substr(1);
    const auto result = run_shell("set -m; " + kEmbed + "r.fa -o x.npy & p=$!; sleep " + delay +
                                      "; kill -" + signal + " $p; wait $p",
                                  tmp.path());
    INFO(signal + " after " + delay + ": " + std::to_string(result.exit_code));
    const bool is_killed = result.exit_code > 128;
    n_killed += is_killed ? 1 : 0;
    CHECK((is_killed || result.exit_code == 0));
    if (signal == "KILL") run_shell("rm -f .genomamba-*", tmp.path());
    const Names names = tmp.entries();
    for (const std::string& name : names) {
      CHECK((name == "r.fa" || name == "x.npy" || name == "x.rows.tsv.gz"));
      if (name == "x.npy") CHECK(read_file(tmp.file(name)) == whole);
      if (name == "x.rows.tsv.gz") CHECK(read_file(tmp.file(name)) == rows);
    }
    if (result.exit_code == 0) CHECK(names.size() == 3);
    run_shell("rm -f x.*", tmp.path());
  }
  CHECK(n_killed > 0);
}

TEST_CASE("A signal leaves the report of how far the run came") {
  const TmpDir tmp;
  tmp.write("r.fa", reads(400000));
  for (const auto& [signal, status] :
       std::vector<std::pair<std::string, std::string>>{{"INT", "130"}, {"TERM", "143"}}) {
    // The input stays open until the signal, so that the run cannot end before.
    const auto result = run_shell("set -m; mkfifo in; (cat r.fa; sleep 20) > in & w=$!; " + kEmbed +
                                      "in -o x.npy --report r.json & p=$!; sleep 3; kill -" +
                                      signal + " $p; wait $p; s=$?; kill $w; rm in; exit $s",
                                  tmp.path());
    CHECK(std::to_string(result.exit_code) == status);
    CHECK(tmp.entries() == Names{"r.fa", "r.json"});
    const std::string report = read_file(tmp.file("r.json"));
    CHECK(report.find("{\n  \"schema_version\":") == 0);
    CHECK(contains(report, "\"exit_status\": " + status + ","));
    CHECK(contains(report, "\"error\": \"interrupted by a signal\"\n}\n"));
    CHECK(contains(report, "\"rows_out\": "));
    run_shell("rm r.json", tmp.path());
  }
}

TEST_CASE("A command line that cannot be parsed leaves a report, and harms no file") {
  const TmpDir tmp;
  tmp.write("a.fa", ">a\nACGT\n");
  for (const std::string& words :
       Names{"a.fa --no-such-option --report r.json", "--report=r.json a.fa --pool median",
             "a.fa --window many --report r.json"}) {
    const auto result = run_shell(kEmbed + words, tmp.path());
    CHECK(result.exit_code == 2);
    const std::string report = read_file(tmp.file("r.json"));
    CHECK(contains(report, "\"exit_status\": 2,"));
    CHECK(contains(report, "\"app\": \"genomamba-embed\""));
    CHECK(contains(report, "--help"));
    CHECK(tmp.entries() == Names{"a.fa", "r.json"});
  }
  CHECK(run_shell(kEmbed + "--no-such-option --report a.fa", tmp.path()).exit_code == 2);
  CHECK(read_file(tmp.file("a.fa")) == ">a\nACGT\n");
  const auto to_stdout = run_shell(kEmbed + "--no-such-option --report -", tmp.path());
  CHECK(contains(to_stdout.out, "\"exit_status\": 2,"));
}

TEST_CASE("An input that shrinks or vanishes while it is read is never a silent loss") {
  const TmpDir tmp;
  // Removed: what was opened is read to its end. Cut short: an error that names it.
  tmp.write("r.fa", reads(60000));
  const auto removed =
      run_shell(kEmbed + "r.fa -o x.tsv & p=$!; sleep 0.05; rm r.fa; wait $p", tmp.path());
  if (removed.exit_code == 0) {
    CHECK(parse_table(read_file(tmp.file("x.tsv"))).rows.size() == 60000);
  } else {
    CHECK(contains(removed.err, "r.fa"));
    CHECK(tmp.entries().empty());
  }
  run_shell("rm -f x.tsv", tmp.path());
  tmp.write("r.fa", reads(200000));
  // Cut when the first rows have been written: before that a shorter file would be a whole one.
  const auto cut = run_shell(
      kEmbed +
          "r.fa -o y.tsv & p=$!; until [ -n \"$(find . -name '.genomamba-*' -size +0)\" ]; do "
          "kill -0 $p || exit 1; sleep 0.01; done; truncate -s 1000000 r.fa; wait $p",
      tmp.path());
  CHECK(cut.exit_code == 1);
  CHECK(contains(cut.err, "r.fa"));
  CHECK(tmp.entries() == Names{"r.fa"});
}

TEST_CASE("A full file system and a folder without permission are errors that name the output") {
  const TmpDir tmp;
  tmp.write("r.fa", reads(3000));
  // RLIMIT_FSIZE stops the matrix half-way.
  const auto limited = run_shell("ulimit -f 16; " + kEmbed + "r.fa -o x.npy", tmp.path());
  CHECK(limited.exit_code == 1);
  CHECK(contains(limited.err, "x.npy"));
  CHECK(tmp.entries() == Names{"r.fa"});
  // Root ignores modes, so another user runs it; where that is not possible, this one does.
  const auto denied = run_shell(
      "chmod 755 .; mkdir closed; chmod 555 closed; "
      "run=$(command -v genomamba-embed); "
      "if [ \"$(id -u)\" = 0 ]; then set -- setpriv --reuid 65534 --regid 65534 --clear-groups; "
      "else set --; fi; \"$@\" \"$run\" -q -m tiny-random r.fa -o closed/x.npy; s=$?; "
      "rmdir closed; exit $s",
      tmp.path());
  INFO(denied.err);
  CHECK(denied.exit_code == 1);
  CHECK(contains(denied.err, "closed/x.npy"));
  CHECK(contains(denied.err, "ermission denied"));
}

TEST_CASE("Closed standard streams: an error or a whole output, never a file written by mistake") {
  const TmpDir tmp;
  tmp.write("r.fa", reads(10));
  const auto no_stdout = run_shell(kEmbed + "r.fa >&-", tmp.path());
  CHECK(no_stdout.exit_code == 1);
  CHECK(run_shell(kEmbed + "- <&-", tmp.path()).exit_code == 1);
  const auto all_closed = run_shell(kEmbed + "r.fa -o x.tsv <&- >&- 2>&-", tmp.path());
  CHECK(all_closed.exit_code == 0);
  CHECK(parse_table(read_file(tmp.file("x.tsv"))).rows.size() == 10);
  CHECK(read_file(tmp.file("r.fa")) == reads(10));
}

TEST_CASE("Two runs that write one output leave one complete file") {
  const TmpDir tmp;
  tmp.write("a.fa", reads(5000));
  tmp.write("b.fa", reads(3000));
  for (const std::string name : {"a", "b"})
    REQUIRE(run_shell(kEmbed + name + ".fa -o " + name + ".tsv", tmp.path()).exit_code == 0);
  const auto both = run_shell(
      kEmbed + "a.fa -o x.tsv & p=$!; " + kEmbed + "b.fa -o x.tsv; s=$?; wait $p || s=$?; exit $s",
      tmp.path());
  CHECK(both.exit_code == 0);
  const std::string found = read_file(tmp.file("x.tsv"));
  CHECK((found == read_file(tmp.file("a.tsv")) || found == read_file(tmp.file("b.tsv"))));
  CHECK(tmp.entries() == Names{"a.fa", "a.tsv", "b.fa", "b.tsv", "x.tsv"});
}

TEST_CASE("Fifty runs at once on one reference agree") {
  const TmpDir tmp;
  tmp.write("ref.fa", ">c\n" + std::string(3000, 'A') + "CGTTGCA\n");
  const auto result = run_shell(
      "for i in $(seq 50); do " + kEmbed +
          "-f ref.fa -r c:2900-3007 -o $i.tsv & done; s=0; for p in $(jobs -p); do wait $p || s=1; "
          "done; [ $(cat *.tsv | grep -v '^#' | sort -u | wc -l) = 1 ] || s=2; ls *.fai && s=3; "
          "ls *.tsv | wc -l; exit $s",
      tmp.path());
  CHECK(result.exit_code == 0);
  CHECK(result.out == "50\n");
}

TEST_CASE("FASTQ without a BGZF end block is remarked on at once, in the summary and the report") {
  const TmpDir tmp;
  tmp.write("make.py",
            "import struct, zlib\n"
            "text = b'@a\\nACGT\\n+\\nIIII\\n'\n"
            "pack = zlib.compressobj(wbits=-15)\n"
            "body = pack.compress(text) + pack.flush()\n"
            "head = bytes.fromhex('1f8b08040000000000ff0600424302 00')\n"
            "size = struct.pack('<H', len(head) + 2 + len(body) + 8 - 1)\n"
            "tail = struct.pack('<II', zlib.crc32(text), len(text))\n"
            "open('n.fq.gz', 'wb').write(head + size + body + tail)\n");
  const auto result = run_shell(
      "python3 make.py && genomamba-embed -m tiny-random n.fq.gz -o x.tsv --report r.json",
      tmp.path());
  CHECK(result.exit_code == 0);
  const std::string remark = "n.fq.gz: no BGZF end-of-file block";
  CHECK(contains(result.err, "warning: " + remark));
  const std::string last_line =
      result.err.substr(result.err.rfind('\n', result.err.size() - 2) + 1);
  CHECK(contains(last_line, "1 records"));
  CHECK(contains(last_line, "warning: " + remark));
  CHECK(contains(read_file(tmp.file("r.json")), remark));
}
