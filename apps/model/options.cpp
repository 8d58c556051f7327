// SPDX-License-Identifier: MIT
#include "model/options.hpp"

#include "common/whole_number.hpp"
#include "genomamba/model/init_model.hpp"

namespace genomamba::apps::model_app {
namespace {

constexpr const char* kModelHelp =
    "A model directory, a weight file in one, a bundled model's name, or hf:ORG/NAME[@REV]";

std::string family_help() {
  std::string text = "Published layout:";
  for (const std::string_view family : model::init_families())
    text.append(" ").append(family);
  return text;
}

}  // namespace

void Options::add_to(CLI::App& app) {
  app.require_subcommand(1);

  auto* info =
      app.add_subcommand("info", "Family, sizes, tokenizer, tensors, types, memory needed");
  info->add_option("MODEL", model, kModelHelp)->required();
  info->add_flag("--json", json, "As JSON");
  info->footer("Example:\n  genomamba model info small-random");
  info->callback([this] { command = Command::kInfo; });

  auto* verify =
      app.add_subcommand("verify", "Compare with expected outputs; exit 1 above the tolerance");
  verify->add_option("MODEL", model, kModelHelp)->required();
  verify
      ->add_option("--expected", expected_path,
                   "Safetensors with <case>.input_ids, <case>.last_hidden_state, <case>.logits")
      ->required();
  verify->add_option("--atol", atol, "Largest absolute difference allowed")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  verify->add_option("--isa", isa, "Kernels: auto, baseline, avx2, avx512, neon, ref")
      ->capture_default_str();
  verify->footer(
      "Example:\n"
      "  genomamba model verify MODEL_DIR --expected expected.safetensors --atol 1e-4");
  verify->callback([this] { command = Command::kVerify; });

  auto* init = app.add_subcommand("init", "Random weights in a family's published layout");
  init->add_option("--family", family, family_help())->required();
  init->add_option("--config", config_path, "A config.json that states the sizes")->required();
  init->add_option("--seed", seed, "The same seed gives the same bytes")
      ->check(whole_number())
      ->capture_default_str();
  init->add_option("-o,--output", output_dir, "The directory to make")->required();
  init->footer(
      "Example:\n"
      "  genomamba model init --family mamba1 --config config.json --seed 1 -o DIR");
  init->callback([this] { command = Command::kInit; });

  app.footer(
      "Examples:\n"
      "  genomamba model info small-random\n"
      "  genomamba model verify MODEL_DIR --expected expected.safetensors\n"
      "  genomamba model init --family mamba1 --config config.json --seed 1 -o DIR");
}

}  // namespace genomamba::apps::model_app
