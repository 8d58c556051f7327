// SPDX-License-Identifier: MIT
// The models against what the authors' PyTorch code computes with the same weights
// (data/README.md), for every instruction set that this machine can run.
#include <filesystem>
#include <string>
#include <vector>

#include "catch.hpp"
#include "genomamba/checkpoint/model_directory.hpp"
#include "genomamba/kernels/isa.hpp"
#include "genomamba/model/verify.hpp"

using namespace genomamba;

namespace {

constexpr float kTolerance = 1e-4F;

void check_model(const std::string& name, const std::string& weights_path,
                 const std::string& expected_path) {
  const auto expected = checkpoint::open_safetensors(expected_path);
  for (const kernels::Isa isa : kernels::built_isas()) {
    if (!kernels::is_supported(isa)) continue;
    kernels::select_isa(isa);
    const auto model = model::MambaModel::load(checkpoint::open_model_directory(weights_path));
    for (const model::Comparison& result : model::verify_model(model, *expected)) {
      INFO(name << " " << result.tensor << " " << kernels::to_string(isa) << ": "
                << result.max_abs_difference << " at scale " << result.max_abs_expected);
      CHECK(result.max_abs_difference <= kTolerance);
    }
  }
  kernels::select_isa(std::nullopt);
}

void check_folder(const std::string& name) {
  const std::string folder = std::string(GENOMAMBA_SOURCE_DIR) + "/tests/golden/data/" + name;
  check_model(name, folder + "/model.safetensors", folder + "/expected.safetensors");
}

}  // namespace

TEST_CASE("mamba1-native") {
  check_folder("mamba1-native");
}
TEST_CASE("mamba1-native-fp16") {
  check_folder("mamba1-native-fp16");
}
TEST_CASE("mamba1-native-dstate8-dconv3-untied") {
  check_folder("mamba1-native-dstate8-dconv3-untied");
}
TEST_CASE("mamba2-native") {
  check_folder("mamba2-native");
}
TEST_CASE("mamba2-native-groups") {
  check_folder("mamba2-native-groups");
}
TEST_CASE("caduceus-ph-tied-add") {
  check_folder("caduceus-ph-tied-add");
}
TEST_CASE("caduceus-ph-untied-mul-layernorm") {
  check_folder("caduceus-ph-untied-mul-layernorm");
}
TEST_CASE("caduceus-ps-fused") {
  check_folder("caduceus-ps-fused");
}
TEST_CASE("caduceus-ps-fused-even") {
  check_folder("caduceus-ps-fused-even");
}
TEST_CASE("caduceus-ps-unfused") {
  check_folder("caduceus-ps-unfused");
}
TEST_CASE("caduceus-ps-bf16") {
  check_folder("caduceus-ps-bf16");
}
TEST_CASE("caduceus-unidirectional") {
  check_folder("caduceus-unidirectional");
}
TEST_CASE("plantcaduceus-tiny") {
  check_folder("plantcaduceus-tiny");
}
// By scripts/export_reference.py.
TEST_CASE("hf-mamba") {
  check_folder("hf-mamba");
}
TEST_CASE("hf-mamba-untied-bias") {
  check_folder("hf-mamba-untied-bias");
}
TEST_CASE("hf-mamba2") {
  check_folder("hf-mamba2");
}
TEST_CASE("hf-mamba2-groups") {
  check_folder("hf-mamba2-groups");
}
TEST_CASE("hf-falcon-mamba") {
  check_folder("hf-falcon-mamba");
}
TEST_CASE("mamba1-native-mlp") {
  check_folder("mamba1-native-mlp");
}
TEST_CASE("mamba2-native-mlp") {
  check_folder("mamba2-native-mlp");
}
TEST_CASE("plantcad2-flat") {
  check_folder("plantcad2-flat");
}
TEST_CASE("plantcad2-nested") {
  check_folder("plantcad2-nested");
}
TEST_CASE("orthrus-4-track") {
  check_folder("orthrus-4-track");
}
TEST_CASE("orthrus-6-track") {
  check_folder("orthrus-6-track");
}
// The trained bundled models, by scripts/train/expected.py.
TEST_CASE("bundled models") {
  const std::string source = GENOMAMBA_SOURCE_DIR;
  std::size_t n_models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source + "/tests/golden/bundled")) {
    const std::string name = entry.path().stem().string();
    check_model(name, source + "/data/models/" + name, entry.path().string());
    ++n_models;
  }
  CHECK(n_models > 0);
}
