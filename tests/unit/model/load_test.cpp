// SPDX-License-Identifier: MIT
// Which tensors are used, and what is wrong with them.
#include <algorithm>
#include <functional>
#include <limits>

#include "random_model.hpp"
#include "safetensors_file.hpp"

using namespace genomamba;
using namespace genomamba::test;
using checkpoint::NamedArray;

namespace {

/// The directory's tensors, changed and written back.
void change(const ModelFiles& files, const std::function<void(std::vector<NamedArray>&)>& edit) {
  std::vector<NamedArray> tensors;
  {
    const auto source = checkpoint::open_safetensors(files.path() + "/model.safetensors");
    for (const checkpoint::Tensor& tensor : source->tensors()) {
      const AlignedBuffer<float> values = checkpoint::to_float(tensor);
      tensors.push_back(
          {tensor.name, tensor.shape, {values.data(), values.data() + values.size()}});
    }
  }
  edit(tensors);
  write_safetensors_file(files.path() + "/model.safetensors", tensors);
}

NamedArray& find(std::vector<NamedArray>& tensors, const std::string& name) {
  const auto at = std::find_if(tensors.begin(), tensors.end(),
                               [&](const NamedArray& tensor) { return tensor.name == name; });
  REQUIRE(at != tensors.end());
  return *at;
}

std::string error_after(const std::function<void(std::vector<NamedArray>&)>& edit) {
  const ModelFiles files("mamba1", kMamba1);
  change(files, edit);
  const std::string message = error_of([&] { load_model(files.path()); });
  CHECK(contains(message, "model.safetensors"));
  return message;
}

std::vector<float> output_after(const std::string& config,
                                const std::function<void(std::vector<NamedArray>&)>& edit) {
  const ModelFiles files("mamba1", config);
  change(files, edit);
  return run(load_model(files.path()), some_tokens(30));
}

const std::string kUntied = R"({"d_model": 24, "n_layer": 2, "vocab_size": 16,
                                "ssm_cfg": {"d_state": 6}, "tie_embeddings": false})";

}  // namespace

TEST_CASE("prefixes before the names do not matter, extra tensors are listed") {
  const auto nothing = [](std::vector<NamedArray>&) {};
  const std::vector<float> expected = output_after(kMamba1, nothing);
  for (const std::string prefix : {"module.", "model.", "module.model."}) {
    CHECK(same_bits(output_after(kMamba1,
                                 [&](std::vector<NamedArray>& tensors) {
                                   for (NamedArray& tensor : tensors)
                                     tensor.name = prefix + tensor.name;
                                 }),
                    expected));
  }
  const ModelFiles files("mamba1", kMamba1);
  change(files, [](std::vector<NamedArray>& tensors) { tensors.push_back({"step", {1}, {5}}); });
  const model::MambaModel model = load_model(files.path());
  CHECK(model.unused_tensors() == std::vector<std::string>{"step"});
  CHECK(same_bits(run(model, some_tokens(30)), expected));
}

TEST_CASE("a missing or misshapen tensor is named with both shapes") {
  const std::string dt_proj = "backbone.layers.1.mixer.dt_proj.weight";
  CHECK(contains(error_after([&](auto& tensors) {
                   std::erase_if(tensors, [&](const NamedArray& t) { return t.name == dt_proj; });
                 }),
                 dt_proj + ": is missing"));
  const std::string message = error_after([&](auto& tensors) {
    NamedArray& tensor = find(tensors, dt_proj);
    tensor.shape = {47, 2};
    tensor.values.resize(94);
  });
  CHECK(contains(message, dt_proj));
  CHECK(contains(message, "[47, 2]"));
  CHECK(contains(message, "[48, 2]"));
  CHECK(contains(error_after([](auto& tensors) {
                   NamedArray& tensor = find(tensors, "backbone.norm_f.weight");
                   tensor.shape = {0};
                   tensor.values.clear();
                 }),
                 "norm_f"));
  CHECK(contains(error_after([](auto& tensors) {
                   std::erase_if(tensors, [](const NamedArray& t) {
                     return t.name.find("layers.0.") != std::string::npos;
                   });
                 }),
                 "layers.0."));
}

TEST_CASE("values must be finite, and A must not overflow") {
  CHECK(contains(error_after([](auto& tensors) {
                   find(tensors, "backbone.layers.1.mixer.in_proj.weight").values[5] =
                       std::numeric_limits<float>::quiet_NaN();
                 }),
                 "backbone.layers.1.mixer.in_proj.weight: NaN at index 5"));
  CHECK(contains(error_after([](auto& tensors) {
                   find(tensors, "backbone.layers.0.mixer.A_log").values[0] = 100.0F;
                 }),
                 "A_log"));
}

TEST_CASE("tied heads may be stored under either name, and must agree when both are there") {
  const ModelFiles files("mamba1", kMamba1);
  const std::vector<float> expected = run(load_model(files.path()), some_tokens(30));
  change(files,
         [](auto& tensors) { find(tensors, "backbone.embedding.weight").name = "lm_head.weight"; });
  CHECK(same_bits(run(load_model(files.path()), some_tokens(30)), expected));
  change(files, [](auto& tensors) {
    NamedArray copy = find(tensors, "lm_head.weight");
    copy.name = "backbone.embedding.weight";
    tensors.push_back(copy);
  });
  CHECK(same_bits(run(load_model(files.path()), some_tokens(30)), expected));
  const std::string tied = R"({"d_model": 24, "tie_embeddings": true})";
  files.dir().write("config.json", tied);
  CHECK(same_bits(run(load_model(files.path()), some_tokens(30)), expected));
  change(files, [](auto& tensors) { find(tensors, "lm_head.weight").values[3] += 1; });
  CHECK(contains(error_of([&] { load_model(files.path()); }), "differs from"));
}

TEST_CASE("a model without lm_head gives hidden states only") {
  const ModelFiles files("mamba1", kUntied);
  change(files, [](auto& tensors) {
    std::erase_if(tensors, [](const NamedArray& t) { return t.name == "lm_head.weight"; });
  });
  const model::MambaModel model = load_model(files.path());
  std::vector<float> hidden = run(model, {7});
  std::vector<float> logits(16);
  CHECK(contains(error_of([&] {
                   model.logits(Span2d<const float>(hidden.data(), 1, 24),
                                Span2d<float>(logits.data(), 1, 16));
                 }),
                 "lm_head"));
}

TEST_CASE("tied projections may be stored under either direction, or both if equal") {
  const ModelFiles files("caduceus", kCaduceusPh);
  const std::vector<float> expected = run(load_model(files.path()), some_tokens(30));
  const std::string fwd = "caduceus.backbone.layers.0.mixer.mamba_fwd.in_proj.weight";
  const std::string rev = "caduceus.backbone.layers.0.mixer.mamba_rev.in_proj.weight";
  change(files, [&](auto& tensors) { find(tensors, fwd).name = rev; });
  CHECK(same_bits(run(load_model(files.path()), some_tokens(30)), expected));
  change(files, [&](auto& tensors) {
    NamedArray copy = find(tensors, rev);
    copy.name = fwd;
    tensors.push_back(copy);
  });
  CHECK(same_bits(run(load_model(files.path()), some_tokens(30)), expected));
  change(files, [&](auto& tensors) { find(tensors, rev).values[0] += 1; });
  CHECK(contains(error_of([&] { load_model(files.path()); }), rev + ": differs from"));
}
