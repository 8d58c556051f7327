// SPDX-License-Identifier: MIT
// Shapes decide, config.json must agree.
#include "genomamba/model/mamba_config.hpp"

#include <functional>

#include "random_model.hpp"
#include "safetensors_file.hpp"

using namespace genomamba;
using namespace genomamba::test;
using checkpoint::NamedArray;

namespace {

const std::string kHf = R"({"model_type": "mamba", "hidden_size": 8, "num_hidden_layers": 2,
    "vocab_size": 16, "state_size": 4, "conv_kernel": 4, "expand": 2, "intermediate_size": 16,
    "time_step_rank": 1, "use_bias": false, "use_conv_bias": true, "layer_norm_epsilon": 1e-06,
    "tie_word_embeddings": true})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The files of a Hugging Face model under another config.
model::MambaConfig config_of(const std::string& config) {
  const ModelFiles files("hf-mamba", kHf);
  files.dir().write("config.json", config);
  return model::load_config(checkpoint::open_model_directory(files.path()));
}

std::string error_of_config(const std::string& config) {
  const std::string message = error_of([&] { config_of(config); });
  CHECK(contains(message, "config.json"));
  return message;
}

}  // namespace

TEST_CASE("sizes come from the shapes where config.json is silent") {
  const model::MambaConfig config = config_of(R"({"model_type": "mamba"})");
  CHECK(config.family == "Hugging Face Mamba-1");
  CHECK(config.d_model == 8);
  CHECK(config.n_layer == 2);
  CHECK(config.vocab_size == 16);
  CHECK(config.true_vocab_size == 16);
  CHECK(config.d_inner == 16);
  CHECK(config.d_state == 4);
  CHECK(config.d_conv == 4);
  CHECK(config.dt_rank == 1);
  CHECK(config.norm_epsilon == 1e-5F);
  CHECK(config.tie_embeddings);
  CHECK(config_of(kHf).norm_epsilon == 1e-6F);
}

TEST_CASE("dt_rank may be auto, and the vocabulary padded") {
  CHECK(config_of(replaced(kHf, R"("time_step_rank": 1)", R"("time_step_rank": "auto")")).dt_rank ==
        1);
  const model::MambaConfig padded =
      config_of(replaced(kHf, "\"vocab_size\": 16", "\"vocab_size\": 12"));
  CHECK(padded.vocab_size == 16);
  CHECK(padded.true_vocab_size == 12);
}

TEST_CASE("a contradiction names both sides") {
  const auto changed = [](const char* from, const char* to) {
    return error_of_config(replaced(kHf, from, to));
  };
  const std::string width = changed("\"hidden_size\": 8", "\"hidden_size\": 12");
  CHECK(contains(width, "hidden_size"));
  CHECK(contains(changed("\"hidden_size\": 8", "\"hidden_size\": 8, \"hidden_act\": \"gelu\""),
                 "gelu is not supported"));
  CHECK(contains(width, "[16, 8]"));
  CHECK(contains(width, "[16, 12]"));
  const std::string inner = changed("\"intermediate_size\": 16", "\"intermediate_size\": 20");
  CHECK(contains(inner, "intermediate_size"));
  CHECK(contains(inner, "expand is 2"));
  CHECK(contains(changed("\"expand\": 2", "\"expand\": 3"), "expand"));
  CHECK(contains(changed("\"state_size\": 4", "\"state_size\": 5"), "A_log"));
  CHECK(contains(changed("\"conv_kernel\": 4", "\"conv_kernel\": 3"), "conv1d.weight"));
  CHECK(contains(changed("\"time_step_rank\": 1", "\"time_step_rank\": 2"), "dt_proj.weight"));
  CHECK(contains(changed("\"time_step_rank\": 1", "\"time_step_rank\": \"full\""), "auto"));
  CHECK(contains(changed("\"vocab_size\": 16", "\"vocab_size\": 17"), "vocab_size"));
  CHECK(contains(changed("\"vocab_size\": 16", "\"vocab_size\": 7"), "vocab_size"));
  CHECK(contains(changed("\"use_bias\": false", "\"use_bias\": true"), "in_proj.bias"));
  CHECK(contains(changed("\"use_conv_bias\": true", "\"use_conv_bias\": false"), "conv1d.bias"));
  CHECK(contains(changed("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3"), "layers.2"));
  CHECK(contains(changed("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 1"), "layers.1"));
  CHECK(contains(changed("\"hidden_size\": 8", "\"hidden_size\": -8"), "possible size"));
  CHECK(contains(changed("\"hidden_size\": 8", "\"hidden_size\": \"8\""), "integer"));
  CHECK(contains(changed("1e-06", "-1"), "layer_norm_epsilon"));
  CHECK(contains(changed("\"mamba\"", "\"mamba2\""), "model_type: is mamba2"));
  CHECK(contains(changed("\"model_type\": \"mamba\"", "\"ssm_cfg\": {\"layer\": \"Mamba2\"}"),
                 "tensors of Mamba-1"));
}

TEST_CASE("Caduceus' flags must fit the tensors") {
  const auto error_with = [](const std::string& config, const std::string& from,
                             const std::string& to) {
    const ModelFiles files("caduceus", config);
    files.dir().write("config.json", replaced(config, from, to));
    return error_of([&] { load_model(files.path()); });
  };
  CHECK(contains(error_with(kCaduceusPh, "\"bidirectional\": true", "\"bidirectional\": false"),
                 "bidirectional"));
  CHECK(contains(error_with(kCaduceusPh, "\"bidirectional_weight_tie\": true",
                            "\"bidirectional_weight_tie\": false"),
                 "mamba_rev.in_proj.weight: is missing"));
  CHECK(contains(error_with(kCaduceusPh, "\"rcps\": false", "\"rcps\": true"), "rcps"));
  CHECK(contains(
      error_with(kCaduceusPs, "\"rcps\": true", "\"rcps\": true, \"fused_add_norm\": false"),
      "fused_add_norm"));
  CHECK(contains(error_with(kCaduceusPs, "\"7\": 10", "\"7\": 9"), "complement_map"));
  CHECK(contains(error_with(kCaduceusPs, "\"7\": 10", "\"7\": 99"), "vocabulary of 16"));
  CHECK(contains(error_with(kCaduceusPs, "complement_map", "other"), "complement_map"));
}

TEST_CASE("families without support are named") {
  const auto error_with_tensor = [](const std::string& name) {
    const TmpDir dir;
    dir.write("config.json", R"({"d_model": 8})");
    const std::vector<NamedArray> tensors = {{name, {1}, {0}}};
    write_safetensors_file(dir.file("model.safetensors"), tensors);
    return error_of([&] { load_model(dir.path()); });
  };
  CHECK(contains(error_with_tensor("mamba_forward.backbone.embedding.weight"), "eccDNAMamba"));
  CHECK(contains(error_with_tensor("model.layers.0.mamba_module.mamba_fwd.A_log"), "JanusDNA"));
  CHECK(contains(error_with_tensor("encoder.layers.0.mixer.fc_D.weight"), "Hydra"));
  CHECK(contains(error_with_tensor("layers.0.feed_forward.gate_proj.weight"), "Helix-mRNA"));
  CHECK(contains(error_with_tensor("backbone.layers.0.norm1.weight"), "BarcodeMamba"));
  CHECK(contains(error_with_tensor("bert.encoder.weight"), "bert.encoder.weight"));
}
