// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"
#include "tmp_dir.hpp"

using genomamba::test::read_file;
using genomamba::test::run_app;
using genomamba::test::TmpDir;

namespace {

const std::string kGolden = std::string(GENOMAMBA_SOURCE_DIR) + "/tests/golden/data/mamba1-native";

}  // namespace

TEST_CASE("info tells family, sizes, tensors and hash, as text and as JSON") {
  const auto text = run_app({"genomamba", "model", "info", "tiny-random"});
  CHECK(text.exit_code == 0);
  for (const char* part : {"family", "d_model             8", "n_layer             2", "tokenizer",
                           "sha256", "backbone.layers.1.mixer.A_log"}) {
    INFO(part);
    CHECK(text.out.find(part) != std::string::npos);
  }
  const auto json = run_app({"genomamba", "model", "info", "--json", "tiny-random"});
  CHECK(json.exit_code == 0);
  CHECK(json.out.front() == '{');
  CHECK(json.out.find("\"d_model\": 8") != std::string::npos);
}

TEST_CASE("verify prints a line a tensor and judges by the tolerance") {
  const std::string expected = kGolden + "/expected.safetensors";
  for (const std::string isa : {"ref", "baseline", "auto"}) {
    const auto good =
        run_app({"genomamba", "model", "verify", kGolden, "--expected", expected, "--isa", isa});
    INFO(good.out + good.err);
    CHECK(good.exit_code == 0);
    CHECK(good.out.find("5.logits\t") != std::string::npos);
    CHECK(good.out.find("DIFFERS") == std::string::npos);
  }
  const auto strict =
      run_app({"genomamba", "model", "verify", kGolden, "--expected", expected, "--atol", "0"});
  CHECK(strict.exit_code == 1);
  CHECK(strict.out.find("DIFFERS") != std::string::npos);
  const TmpDir tmp;
  std::string orphaned = read_file(expected);
  orphaned.replace(orphaned.find("\"5.input_ids\""), 13, "\"5.input_idx\"");
  const auto unseen = run_app({"genomamba", "model", "verify", kGolden, "--expected",
                               tmp.write("orphaned.safetensors", orphaned)});
  CHECK(unseen.exit_code == 1);
  CHECK(unseen.err.find("has no 5.input_ids") != std::string::npos);
  const auto other =
      run_app({"genomamba", "model", "verify", "tiny-random", "--expected", expected});
  CHECK(other.exit_code == 1);
  CHECK(other.err.find("error: ") != std::string::npos);
}

TEST_CASE("init writes the same bytes for the same seed, and a model that runs") {
  const TmpDir tmp;
  const std::string config =
      tmp.write("config.json",
                R"({"d_model": 16, "n_layer": 2, "vocab_size": 12, "ssm_cfg": {},
                                           "rms_norm": true, "pad_vocab_size_multiple": 8})");
  for (const std::string dir : {"a", "b"}) {
    const auto made = run_app({"genomamba", "model", "init", "--family", "mamba1", "--config",
                               config, "--seed", "7", "-o", tmp.file(dir)});
    INFO(made.err);
    CHECK(made.exit_code == 0);
  }
  CHECK(read_file(tmp.file("a/model.safetensors")) == read_file(tmp.file("b/model.safetensors")));
  const std::string fasta = tmp.write("x.fa", ">x\nACGT\n");
  CHECK(run_app({"genomamba", "embed", "-q", "-m", tmp.file("a"), fasta}).exit_code == 0);
  CHECK(run_app({"genomamba", "model", "init", "--family", "no-such", "--config", config, "-o",
                 tmp.file("c")})
            .exit_code == 2);
}

TEST_CASE("init leaves nothing behind when the model cannot be made or written") {
  const TmpDir tmp;
  const std::string impossible = tmp.write(
      "bad.json", R"({"d_model": 16, "n_layer": 1, "vocab_size": 12, "ssm_cfg": {"headdim": 5}})");
  const auto refused = run_app({"genomamba", "model", "init", "--family", "mamba2", "--config",
                                impossible, "-o", tmp.file("new")});
  CHECK(refused.exit_code == 1);
  CHECK(refused.err.find("headdim") != std::string::npos);
  const std::string config =
      tmp.write("good.json", R"({"d_model": 16, "n_layer": 1, "vocab_size": 12})");
  const auto unwritable = run_app({"genomamba", "model", "init", "--family", "mamba1", "--config",
                                   config, "-o", "/proc/genomamba"});
  CHECK(unwritable.exit_code == 1);
  CHECK(tmp.entries() == std::vector<std::string>{"bad.json", "good.json"});
}

TEST_CASE("A subcommand is needed, and a model that is not there is said") {
  CHECK(run_app({"genomamba", "model"}).exit_code == 2);
  CHECK(run_app({"genomamba", "model", "info", "no-such-model"}).exit_code == 2);
}
