// SPDX-License-Identifier: MIT
#include "model/run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>

#include "common/isa_option.hpp"
#include "common/print.hpp"
#include "genomamba/checkpoint/model_directory.hpp"
#include "genomamba/checkpoint/safetensors_writer.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/output_file.hpp"
#include "genomamba/model/describe.hpp"
#include "genomamba/model/init_model.hpp"
#include "genomamba/model/verify.hpp"
#include "genomamba/pipeline/loaded_model.hpp"
#include "genomamba/pipeline/model_location.hpp"

namespace genomamba::apps::model_app {
namespace {

/// One fact about a model; the value is what --json shows.
struct Fact {
  const char* key;
  const char* label;
  nlohmann::ordered_json value;
};

std::string direction_text(model::Direction direction) {
  switch (direction) {
    case model::Direction::kForward:
      return "causal";
    case model::Direction::kBidirectionalAdd:
      return "bidirectional (add)";
    case model::Direction::kBidirectionalMultiply:
      return "bidirectional (ew_multiply)";
  }
  return "";
}

std::string dtype_text(const model::ModelDescription& description) {
  std::string text;
  for (const auto& [name, n] : description.dtypes) {
    text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", n, name);
  }
  return text;
}

std::vector<Fact> facts_of(const checkpoint::ModelDirectory& directory,
                           const model::ModelDescription& description) {
  const model::MambaConfig& config = description.config;
  return {
      {"name", "name", directory.name},
      {"path", "path", directory.path},
      {"family", "family", config.family},
      {"direction", "direction", direction_text(config.direction)},
      {"rc_equivariant", "RC-equivariant", config.strands != model::Strands::kSingle},
      {"d_model", "d_model", config.d_model},
      {"n_layer", "n_layer", config.n_layer},
      {"vocab_size", "vocab_size", config.vocab_size},
      {"true_vocab_size", "  without padding", config.true_vocab_size},
      {"d_inner", "d_inner", config.d_inner},
      {"d_state", "d_state", config.d_state},
      {"d_conv", "d_conv", config.d_conv},
      {"dt_rank", "dt_rank", config.dt_rank},
      {"hidden_width", "embedding width", config.hidden_width()},
      {"tokenizer", "tokenizer", pipeline::tokenizer_name(directory, config.vocab_size)},
      {"n_tensors", "tensors", description.n_tensors},
      {"n_parameters", "parameters", description.n_parameters},
      {"dtypes", "types", dtype_text(description)},
      {"stored_bytes", "bytes on disk", description.stored_bytes},
      {"weights_bytes", "memory, weights", description.weights_bytes},
      {"workspace_bytes", "memory, 1024 tokens", description.workspace_bytes},
      {"weights_sha256", "sha256", checkpoint::weights_sha256(directory)},
  };
}

int info(const Options& options) {
  const std::string path = pipeline::locate_model(options.model, pipeline::bundled_model_dirs());
  const auto directory = checkpoint::open_model_directory(path);
  const auto description = model::describe_model(directory);
  const auto facts = facts_of(directory, description);
  if (options.json) {
    nlohmann::ordered_json json;
    for (const Fact& fact : facts)
      json[fact.key] = fact.value;
    auto& tensors = json["tensors"] = nlohmann::ordered_json::array();
    for (const auto& tensor : directory.weights->tensors()) {
      tensors.push_back({{"name", tensor.name},
                         {"dtype", checkpoint::to_string(tensor.dtype)},
                         {"shape", tensor.shape}});
    }
    return print(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  }
  std::string text;
  for (const Fact& fact : facts) {
    text += fmt::format("{:<20}{}\n", fact.label,
                        fact.value.is_string() ? fact.value.get<std::string>() : fact.value.dump());
  }
  for (const auto& tensor : directory.weights->tensors()) {
    text += fmt::format("  {:<60} {:<5} {}\n", tensor.name, checkpoint::to_string(tensor.dtype),
                        checkpoint::shape_to_string(tensor.shape));
  }
  return print(text);
}

int verify(const Options& options) {
  select_isa(options.isa);
  const std::string path = pipeline::locate_model(options.model, pipeline::bundled_model_dirs());
  const auto model = model::MambaModel::load(checkpoint::open_model_directory(path));
  const auto expected = checkpoint::open_safetensors(options.expected_path);
  bool all_close = true;
  std::string text =
      fmt::format("#tensor\tn_values\tmax_abs_difference\tmax_abs_expected\tverdict\n");
  for (const auto& comparison : model::verify_model(model, *expected)) {
    // Written so that a NaN fails.
    const bool is_close = static_cast<double>(comparison.max_abs_difference) <= options.atol;
    all_close = all_close && is_close;
    text += fmt::format("{}\t{}\t{:.3g}\t{:.3g}\t{}\n", comparison.tensor, comparison.n_values,
                        comparison.max_abs_difference, comparison.max_abs_expected,
                        is_close ? "ok" : "DIFFERS");
  }
  print(text);
  return all_close ? 0 : 1;
}

std::string read_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw CheckpointError(path, "", "cannot be read");
  return text;
}

/// Both files are whole before either takes its name; a directory made here goes when they fail.
int init(const Options& options) {
  namespace fs = std::filesystem;
  const auto tensors = model::init_model(
      {.family = options.family, .config_path = options.config_path, .seed = options.seed});
  const std::string config = read_text(options.config_path);
  const fs::path directory = options.output_dir;
  std::error_code error;
  const bool is_new = fs::create_directories(directory, error);
  if (error) throw OutputError(directory.string(), "cannot be made", error.value());
  try {
    io::OutputFile weights_file((directory / "model.safetensors").string());
    checkpoint::write_safetensors(
        tensors, [&](std::span<const std::byte> bytes) { weights_file.write(bytes); });
    weights_file.finish_writing();
    const fs::path config_path = directory / "config.json";
    if (!io::is_same_file(options.config_path, config_path.string())) {
      io::OutputFile config_file(config_path.string());
      config_file.write(config);
      config_file.commit();
    }
    weights_file.commit();
  } catch (...) {
    if (is_new) fs::remove(directory, error);  // only if empty
    throw;
  }
  return 0;
}

}  // namespace

int run(const Options& options) {
  switch (options.command) {
    case Options::Command::kInfo:
      return info(options);
    case Options::Command::kVerify:
      return verify(options);
    case Options::Command::kInit:
      return init(options);
  }
  return 1;
}

}  // namespace genomamba::apps::model_app
