// SPDX-License-Identifier: MIT
// Identities that need no reference output (models.md section 7).
#include <algorithm>
#include <cmath>

#include "genomamba/kernels/selective_scan.hpp"
#include "random_model.hpp"
#include "safetensors_file.hpp"

using namespace genomamba;
using namespace genomamba::test;

namespace {

using checkpoint::NamedArray;

constexpr float kTolerance = 2e-5F;

std::vector<NamedArray> read_tensors(const std::string& directory) {
  std::vector<NamedArray> tensors;
  const auto source = checkpoint::open_safetensors(directory + "/model.safetensors");
  for (const checkpoint::Tensor& tensor : source->tensors()) {
    const AlignedBuffer<float> values = checkpoint::to_float(tensor);
    tensors.push_back({tensor.name, tensor.shape, {values.data(), values.data() + values.size()}});
  }
  return tensors;
}

/// Exchanges mamba_fwd and mamba_rev in every name; tied projections stay where they are.
void swap_directions(const std::string& directory) {
  std::vector<NamedArray> tensors = read_tensors(directory);
  for (NamedArray& tensor : tensors) {
    if (contains(tensor.name, "in_proj") || contains(tensor.name, "out_proj")) continue;
    for (const auto& [from, to] :
         {std::pair{"mamba_fwd", "mamba_rev"}, {"mamba_rev", "mamba_fwd"}}) {
      const std::size_t at = tensor.name.find(from);
      if (at == std::string::npos) continue;
      tensor.name.replace(at, 9, to);
      break;
    }
  }
  write_safetensors_file(directory + "/model.safetensors", tensors);
}

/// Makes every weight irregular, so that no parameter hides behind a 0 or 1.
void perturb(const std::string& directory) {
  std::vector<NamedArray> tensors = read_tensors(directory);
  std::uint32_t x = 7;
  for (NamedArray& tensor : tensors) {
    for (float& value : tensor.values) {
      x = x * 1664525U + 1013904223U;
      value += 0.2F * (static_cast<float>(x >> 8) / 8388608.0F - 1.0F);
    }
  }
  write_safetensors_file(directory + "/model.safetensors", tensors);
}

std::vector<float> reverse_rows(const std::vector<float>& rows, std::size_t width) {
  std::vector<float> result(rows.size());
  const std::size_t n = rows.size() / width;
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(rows.data() + i * width, width, result.data() + (n - 1 - i) * width);
  }
  return result;
}

/// flip_LC: reversed positions and reversed channels is the reversed array.
std::vector<float> flip_LC(std::vector<float> rows) {
  std::reverse(rows.begin(), rows.end());
  return rows;
}

std::vector<TokenId> reverse_complement(const model::MambaConfig& config,
                                        std::vector<TokenId> tokens) {
  std::reverse(tokens.begin(), tokens.end());
  for (TokenId& token : tokens)
    token = config.complement_map[static_cast<std::size_t>(token)];
  return tokens;
}

std::vector<float> logits_of(const model::MambaModel& model, const std::vector<TokenId>& tokens) {
  const std::vector<float> hidden = run(model, tokens);
  std::vector<float> logits(tokens.size() * model.config().vocab_size);
  model.logits(Span2d<const float>(hidden.data(), tokens.size(), model.config().hidden_width()),
               Span2d<float>(logits.data(), tokens.size(), model.config().vocab_size));
  return logits;
}

/// Softmax over A, C, G, T alone of the masked position, in the table of PlantCaduceus.
std::vector<double> masked_base_probabilities(const model::MambaModel& model,
                                              std::vector<TokenId> tokens, std::size_t index) {
  constexpr TokenId kMask = 1;
  constexpr std::size_t kFirstBase = 3;
  tokens[index] = kMask;
  const std::vector<float> logits = logits_of(model, tokens);
  const float* row = logits.data() + index * model.config().vocab_size + kFirstBase;
  std::vector<double> p(4);
  double sum = 0;
  for (std::size_t base = 0; base < 4; ++base)
    sum += p[base] = std::exp(static_cast<double>(row[base]));
  for (double& value : p)
    value /= sum;
  return p;
}

const std::string kHfMamba =
    R"({"hidden_size": 24, "num_hidden_layers": 2, "vocab_size": 12, "state_size": 6,
        "model_type": "mamba"})";

const std::string kPlantCaduceus =
    R"({"d_model": 24, "n_layer": 2, "vocab_size": 8, "ssm_cfg": {"d_state": 6}, "rcps": true,
        "complement_map": {"0": 0, "1": 1, "2": 2, "3": 6, "4": 5, "5": 4, "6": 3, "7": 7}})";

const std::string kPsUnfused =
    R"({"d_model": 24, "n_layer": 3, "vocab_size": 16, "ssm_cfg": {"d_state": 6},
        "rcps": true, "fused_add_norm": false, )" +
    kComplementMap + "}";
const std::string kPsEven =
    R"({"d_model": 24, "n_layer": 2, "vocab_size": 16, "ssm_cfg": {"d_state": 6},
        "rcps": true, )" +
    kComplementMap + "}";
const std::string kPlantCad2 =
    R"({"d_model": 24, "n_layer": 2, "vocab_size": 8, "ssm_cfg": {"d_state": 8, "headdim": 12},
        "rcps": true, "complement_map": {"3": 6, "4": 5, "5": 4, "6": 3}})";

}  // namespace

TEST_CASE("reverse symmetry: swapped directions on the flipped input give the flipped output") {
  for (const char* family : {"caduceus", "caduceus-mamba2"}) {
    const bool mamba2 = std::string(family) == "caduceus-mamba2";
    const ModelFiles files(family, mamba2 ? R"({"d_model": 24, "n_layer": 2, "vocab_size": 16,
        "ssm_cfg": {"d_state": 8, "headdim": 12}})"
                                          : kCaduceusPh);
    perturb(files.path());
    std::vector<TokenId> tokens = some_tokens(300);
    const std::vector<float> before = run(load_model(files.path()), tokens);
    swap_directions(files.path());
    std::reverse(tokens.begin(), tokens.end());
    const std::vector<float> after = run(load_model(files.path()), tokens);
    CHECK(max_difference(reverse_rows(after, 24), before) < kTolerance);
  }
}

TEST_CASE("RC identities: hidden states and logits of the reverse complement") {
  for (const auto& [family, config] : {std::pair<std::string, std::string>{"caduceus", kCaduceusPs},
                                       {"caduceus", kPsEven},
                                       {"caduceus", kPsUnfused},
                                       {"caduceus-mamba2", kPlantCad2}}) {
    INFO(config);
    const ModelFiles files(family, config);
    perturb(files.path());
    const model::MambaModel model = load_model(files.path());
    const model::MambaConfig& sizes = model.config();
    std::vector<TokenId> tokens = some_tokens(200);
    if (sizes.vocab_size == 8) {
      for (TokenId& token : tokens)
        token -= 5;
    }
    const std::vector<TokenId> rc = reverse_complement(sizes, tokens);
    CHECK(max_difference(run(model, rc), flip_LC(run(model, tokens))) < kTolerance);
    CHECK(max_difference(run(model, rc, 0), flip_LC(run(model, tokens, 0))) < kTolerance);

    const std::vector<float> a = logits_of(model, tokens);
    const std::vector<float> b = logits_of(model, rc);
    const std::size_t V = sizes.vocab_size;
    float difference = 0;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      for (std::size_t v = 0; v < V; ++v) {
        const auto complement = static_cast<std::size_t>(sizes.complement_map[v]);
        difference = std::max(difference,
                              std::abs(b[t * V + v] - a[(tokens.size() - 1 - t) * V + complement]));
      }
    }
    CHECK(difference < 10 * kTolerance);
  }
}

TEST_CASE("the swapping and the plain form of the same weights differ") {
  const ModelFiles fused("caduceus", kPsEven);
  const ModelFiles unfused("caduceus", R"({"d_model": 24, "n_layer": 2, "vocab_size": 16,
      "ssm_cfg": {"d_state": 6}, "rcps": true, "fused_add_norm": false, )" +
                                           kComplementMap + "}");
  perturb(fused.path());
  perturb(unfused.path());
  const std::vector<TokenId> tokens = some_tokens(50);
  CHECK(max_difference(run(load_model(fused.path()), tokens),
                       run(load_model(unfused.path()), tokens)) > 0.01F);
}

TEST_CASE("causality: a changed token leaves what is before it as it was, bit for bit") {
  for (const auto& [family, config] : {std::pair<std::string, std::string>{"mamba1", kMamba1},
                                       {"mamba2", kMamba2},
                                       {"hf-mamba", kHfMamba},
                                       {"orthrus", kOrthrus}}) {
    const model::MambaModel model = make_model(family, config);
    std::vector<TokenId> tokens = some_tokens(300);
    const std::vector<float> before = run(model, tokens);
    tokens[200] = tokens[200] == 7 ? 8 : 7;
    const std::vector<float> after = run(model, tokens);
    const std::size_t n = 200 * model.config().d_model;
    CHECK(std::memcmp(before.data(), after.data(), n * sizeof(float)) == 0);
    CHECK(before[n] != after[n]);
  }
}

TEST_CASE(
    "PlantCAD's score: the other strand's window has index 256, exchanged alleles negate it") {
  constexpr std::size_t kWindow = 512;
  constexpr std::size_t kIndex = kWindow / 2 - 1;
  const ModelFiles files("caduceus", kPlantCaduceus);
  perturb(files.path());
  const model::MambaModel model = load_model(files.path());
  std::vector<TokenId> tokens = some_tokens(kWindow);
  for (TokenId& token : tokens)
    token = 3 + token % 4;
  const std::vector<double> p = masked_base_probabilities(model, tokens, kIndex);
  const std::vector<double> p_rc = masked_base_probabilities(
      model, reverse_complement(model.config(), tokens), kWindow - 1 - kIndex);
  for (std::size_t base = 0; base < 4; ++base)
    CHECK(p[base] == Approx(p_rc[3 - base]).epsilon(1e-4));
  CHECK(std::abs(p[0] - p[3]) > 1e-3);  // else the check above would not see the complement
  const auto score = [&](std::size_t ref, std::size_t alt) {
    std::vector<TokenId> haplotype = tokens;
    haplotype[kIndex] = static_cast<TokenId>(3 + ref);
    const auto probabilities = masked_base_probabilities(model, haplotype, kIndex);
    return std::log(probabilities[alt]) - std::log(probabilities[ref]);
  };
  CHECK(score(1, 2) == -score(2, 1));
}

TEST_CASE("the state decays by exp(dt A): an impulse through A_log = log(1..16)") {
  // Channel n has the decay n + 1; each sees one impulse, with a constant step.
  constexpr std::size_t kStates = 16;
  constexpr std::size_t kSteps = 40;
  constexpr float kStep = 0.05F;
  std::vector<float> A(kStates);
  for (std::size_t n = 0; n < kStates; ++n)
    A[n] = -std::exp(std::log(static_cast<float>(n + 1)));
  std::vector<float> u(kSteps * kStates, 0.0F);
  std::fill_n(u.begin(), kStates, 1.0F);
  const std::vector<float> delta(kSteps * kStates, kStep);
  const std::vector<float> ones(kSteps, 1.0F);
  std::vector<float> out(kSteps * kStates);
  kernels::selective_scan({.seqlen = kSteps,
                           .d_inner = kStates,
                           .d_state = 1,
                           .channel_begin = 0,
                           .channel_end = kStates,
                           .u = u.data(),
                           .u_stride = kStates,
                           .delta = delta.data(),
                           .delta_stride = kStates,
                           .A = A.data(),
                           .B = ones.data(),
                           .B_stride = 1,
                           .C = ones.data(),
                           .C_stride = 1,
                           .out = out.data(),
                           .out_stride = kStates});
  for (std::size_t t = 0; t < kSteps; ++t) {
    for (std::size_t n = 0; n < kStates; ++n) {
      const double exact = kStep * std::exp(-kStep * static_cast<double>((n + 1) * t));
      CHECK(out[t * kStates + n] == Approx(exact).epsilon(2e-5));
    }
  }
}

TEST_CASE("the last layer is the final norm of the last block's output") {
  const model::MambaModel model = make_model("mamba1", kMamba1);
  const std::vector<TokenId> tokens = some_tokens(20);
  const std::vector<float> residual = run(model, tokens, 1);
  const std::vector<float> hidden = run(model, tokens);
  const std::size_t D = model.config().d_model;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    double sum = 0;
    for (std::size_t c = 0; c < D; ++c)
      sum += std::pow(residual[t * D + c], 2);
    const double scale = 1.0 / std::sqrt(sum / static_cast<double>(D) + 1e-5);
    CHECK(hidden[t * D] == Approx(residual[t * D] * scale).epsilon(1e-5));
  }
}
