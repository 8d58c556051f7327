// SPDX-License-Identifier: MIT
#include "genomamba/model/init_model.hpp"

#include "random_model.hpp"

using namespace genomamba;
using namespace genomamba::test;

TEST_CASE("the same seed gives the same bytes, another seed others") {
  const ModelFiles a("mamba1", kMamba1, 5);
  const ModelFiles b("mamba1", kMamba1, 5);
  const ModelFiles c("mamba1", kMamba1, 6);
  const auto sha = [](const ModelFiles& files) {
    return checkpoint::weights_sha256(checkpoint::open_model_directory(files.path()));
  };
  CHECK(sha(a) == sha(b));
  CHECK(sha(a) != sha(c));
}

TEST_CASE("every family can be made and run") {
  const std::string hf = R"({"hidden_size": 16, "num_hidden_layers": 2, "vocab_size": 16,
      "state_size": 8, "head_dim": 8, "num_heads": 4, "n_groups": 2, "model_type": ")";
  for (const auto& [family, config] :
       {std::pair<std::string, std::string>{"mamba1", kMamba1},
        {"mamba2", kMamba2},
        {"hf-mamba", hf + "mamba\"}"},
        {"hf-mamba2", hf + "mamba2\", \"tie_word_embeddings\": false}"},
        {"falcon-mamba", hf + "falcon_mamba\"}"},
        {"caduceus", kCaduceusPs},
        {"caduceus-mamba2", R"({"d_model": 16, "n_layer": 1, "vocab_size": 16,
                               "ssm_cfg": {"d_state": 8, "headdim": 8}})"},
        {"orthrus", kOrthrus}}) {
    INFO(family);
    const model::MambaModel model = make_model(family, config);
    CHECK(model.unused_tensors().empty());
    const std::vector<float> hidden = run(model, some_tokens(10));
    CHECK(std::all_of(hidden.begin(), hidden.end(), [](float x) { return std::isfinite(x); }));
  }
}

TEST_CASE("a six-track model can be made") {
  const model::MambaModel model =
      make_model("orthrus", R"({"ssm_model_dim": 16, "ssm_n_layers": 1, "n_tracks": 6})");
  CHECK(model.config().n_tracks == 6);
  CHECK(model.unused_tensors().empty());
}

TEST_CASE("what cannot be made is said") {
  const TmpDir dir;
  const auto error_with = [&](const std::string& family, const std::string& config) {
    const std::string path = dir.write("config.json", config);
    return error_of([&] { model::init_model({family, path, 0}); });
  };
  const std::string sizes = R"("d_model": 24, "n_layer": 1, "vocab_size": 12)";
  CHECK(contains(error_with("mamba9", R"({"d_model": 8})"), "mamba1"));
  CHECK(contains(error_with("mamba1", R"({"d_model": 8})"), "n_layer"));
  CHECK(contains(error_with("mamba1", "{" + sizes + R"(, "expand": -2})"), "expand"));
  CHECK(contains(error_with("mamba1", "{" + sizes + R"(, "expand": 1e30})"), "expand"));
  CHECK(contains(error_with("mamba1", "{" + sizes + R"(, "ssm_cfg": {"d_state": 0}})"), "d_state"));
  CHECK(contains(error_with("mamba1", "{" + sizes + R"(, "ssm_cfg": {"dt_rank": 0}})"), "dt_rank"));
  CHECK(contains(error_with("mamba2", "{" + sizes + R"(, "ssm_cfg": {"headdim": 0}})"), "headdim"));
  CHECK(contains(error_with("mamba2", "{" + sizes + R"(, "ssm_cfg": {"headdim": 7}})"), "headdim"));
  CHECK(
      contains(error_with("mamba2", "{" + sizes + R"(, "ssm_cfg": {"headdim": 12, "ngroups": 3}})"),
               "ngroups"));
  CHECK(contains(error_with("orthrus", R"({"d_model": 24, "n_layer": 1})"), "n_tracks"));
  CHECK(contains(error_with("orthrus", R"({"d_model": 24, "n_layer": 1, "n_tracks": 5})"),
                 "neither 4 nor 6"));
  CHECK(contains(error_with("mamba1", R"({"d_model": 2000000, "n_layer": 1, "vocab_size": 12})"),
                 "larger than a model"));
}
