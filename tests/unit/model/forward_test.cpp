// SPDX-License-Identifier: MIT
// A row depends on its own segment alone, to the bit: not on the batch, the chunks, the tiles or
// the threads.
#include "random_model.hpp"

using namespace genomamba;
using namespace genomamba::test;

namespace {

std::vector<float> slice(const std::vector<float>& rows, std::size_t width, std::size_t begin,
                         std::size_t count) {
  const auto first = rows.begin() + static_cast<std::ptrdiff_t>(begin * width);
  return {first, first + static_cast<std::ptrdiff_t>(count * width)};
}

void check_batches(const model::MambaModel& model) {
  const std::vector<std::size_t> lengths = {1, 0, 700, 3, 150, 150, 2, 900, 1};
  std::vector<TokenId> tokens;
  std::vector<float> alone;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::vector<TokenId> part = some_tokens(lengths[i], static_cast<std::uint32_t>(i + 1));
    tokens.insert(tokens.end(), part.begin(), part.end());
    const std::vector<float> rows = run(model, part);
    alone.insert(alone.end(), rows.begin(), rows.end());
  }
  CHECK(same_bits(run_batch(model, tokens, lengths), alone));
  for (const std::size_t n_threads : {2U, 3U, 7U}) {
    ThreadExecutor executor(n_threads);
    CHECK(same_bits(run_batch(model, tokens, lengths, model::kLastLayer, executor), alone));
  }
  const std::vector<float> inner = run_batch(model, tokens, lengths, 0);
  ThreadExecutor executor(3);
  CHECK(same_bits(run_batch(model, tokens, lengths, 0, executor), inner));
}

/// The rows of one sequence computed in chunks of `step` tokens with a carried state.
std::vector<float> run_chunks(const model::MambaModel& model, const std::vector<TokenId>& tokens,
                              std::size_t step, Executor& executor = serial_executor()) {
  model::MambaState state = model.make_state();
  model::Workspace workspace;
  const std::size_t width = model.config().hidden_width();
  std::vector<float> hidden(tokens.size() * width);
  for (std::size_t begin = 0; begin < tokens.size(); begin += step) {
    const std::size_t count = std::min(step, tokens.size() - begin);
    const std::vector<model::Segment> segments = {{0, count, &state}};
    model.forward({{tokens.data() + begin, count}, segments}, model::kLastLayer, workspace,
                  Span2d<float>(hidden.data() + begin * width, count, width), executor);
  }
  return hidden;
}

void check_chunks(const model::MambaModel& model) {
  const std::vector<TokenId> tokens = some_tokens(1500);
  const std::vector<float> whole = run(model, tokens);
  for (const std::size_t step : {1U, 2U, 3U, 7U, 64U, 1000U, 1499U, 1500U}) {
    INFO("step " << step);
    CHECK(same_bits(run_chunks(model, tokens, step), whole));
  }
  ThreadExecutor executor(4);
  CHECK(same_bits(run_chunks(model, tokens, 900, executor), whole));
}

}  // namespace

TEST_CASE("bit for bit: the batch, the tiles and the threads do not matter") {
  check_batches(make_model("mamba1", kMamba1));
  check_batches(make_model("mamba2", kMamba2));
  check_batches(make_model("caduceus", kCaduceusPh));
  check_batches(make_model("caduceus", kCaduceusPs));
  check_batches(make_model("caduceus", R"({"d_model": 24, "n_layer": 2, "vocab_size": 16,
      "ssm_cfg": {"d_state": 6, "d_conv": 3}, "bidirectional_weight_tie": false,
      "bidirectional_strategy": "ew_multiply", "rms_norm": false, "fused_add_norm": false})"));
  check_batches(make_model("caduceus-mamba2", R"({"d_model": 24, "n_layer": 2, "vocab_size": 16,
      "ssm_cfg": {"d_state": 8, "headdim": 12}, "rcps": true, )" +
                                                  kComplementMap + "}"));
}

TEST_CASE("bit for bit: chunks with a carried state are the whole") {
  check_chunks(make_model("mamba1", kMamba1));
  check_chunks(make_model("mamba1", R"({"d_model": 20, "n_layer": 2, "vocab_size": 16,
      "ssm_cfg": {"d_state": 3, "d_conv": 1, "expand": 3}, "rms_norm": false})"));
  check_chunks(make_model("mamba2", kMamba2));
}

TEST_CASE("bit for bit: rows that are wanted alone are those of all") {
  for (const auto& [family, config] :
       std::vector<std::pair<std::string, std::string>>{{"mamba1", kMamba1},
                                                        {"mamba2", kMamba2},
                                                        {"caduceus", kCaduceusPh},
                                                        {"caduceus", kCaduceusPs}}) {
    const model::MambaModel model = make_model(family, config);
    const std::vector<std::size_t> lengths = {700, 0, 20, 450, 300};
    const std::vector<TokenId> tokens = some_tokens(1470);
    const std::vector<float> all = run_batch(model, tokens, lengths);
    const std::size_t width = model.config().hidden_width();
    std::vector<model::Segment> segments;
    for (std::size_t i = 0, begin = 0; i < lengths.size(); begin += lengths[i++])
      segments.push_back({begin, lengths[i], nullptr});
    ThreadExecutor threads(3);
    for (Executor* executor : {&serial_executor(), static_cast<Executor*>(&threads)}) {
      // Of the last but one segment none is wanted.
      const std::vector<std::size_t> rows = {0, 255, 256, 699, 711, 1200, 1469};
      std::vector<float> hidden(tokens.size() * width);
      model::Workspace workspace;
      model.forward({.tokens = tokens, .segments = segments, .rows = rows}, model::kLastLayer,
                    workspace, Span2d<float>(hidden.data(), tokens.size(), width), *executor);
      for (const std::size_t row : rows) {
        INFO(family << " row " << row);
        CHECK(same_bits(slice(hidden, width, row, 1), slice(all, width, row, 1)));
      }
    }
  }
}

TEST_CASE("bit for bit: a state is carried whatever rows are wanted") {
  const model::MambaModel model = make_model("mamba1", kMamba1);
  const std::vector<TokenId> tokens = some_tokens(600);
  const std::vector<float> all = run(model, tokens);
  const std::size_t width = model.config().hidden_width();
  model::MambaState state = model.make_state();
  std::vector<float> hidden(300 * width);
  for (const std::size_t begin : {0U, 300U}) {
    const std::vector<model::Segment> segments = {{0, 300, &state}};
    const std::vector<std::size_t> rows = {7};
    model::Workspace workspace;
    model.forward(
        {.tokens = std::span(tokens).subspan(begin, 300), .segments = segments, .rows = rows},
        model::kLastLayer, workspace, Span2d<float>(hidden.data(), 300, width));
    CHECK(same_bits(slice(hidden, width, 7, 1), slice(all, width, begin + 7, 1)));
  }
  model::MambaState copy;
  copy.assign(state);
  CHECK(copy.agrees_with(state, 0.0F));
  copy.ssm_state(1)[3] += 1.0F;
  CHECK_FALSE(copy.agrees_with(state, 1e-3F));
}

TEST_CASE("several chunked sequences can share a batch") {
  const model::MambaModel model = make_model("mamba1", kMamba1);
  const std::vector<TokenId> tokens = some_tokens(40);
  model::MambaState first = model.make_state();
  model::MambaState second = model.make_state();
  const std::size_t width = model.config().d_model;
  std::vector<float> hidden(tokens.size() * width);
  model::Workspace workspace;
  const std::vector<TokenId> order = [&] {  // first[0..10), second[0..10), then both go on
    std::vector<TokenId> mixed(tokens.begin(), tokens.begin() + 10);
    mixed.insert(mixed.end(), tokens.begin() + 20, tokens.begin() + 30);
    return mixed;
  }();
  std::vector<model::Segment> segments = {{0, 10, &first}, {10, 10, &second}};
  model.forward({order, segments}, model::kLastLayer, workspace,
                Span2d<float>(hidden.data(), 20, width));
  const std::vector<TokenId> rest_first(tokens.begin() + 10, tokens.begin() + 20);
  segments = {{0, 10, &first}};
  model.forward({rest_first, segments}, model::kLastLayer, workspace,
                Span2d<float>(hidden.data() + 20 * width, 10, width));
  const std::vector<float> whole =
      run(model, std::vector<TokenId>(tokens.begin(), tokens.begin() + 20));
  CHECK(same_bits(slice(hidden, width, 0, 10), slice(whole, width, 0, 10)));
  CHECK(same_bits(slice(hidden, width, 20, 10), slice(whole, width, 10, 10)));
  first.reset();
  segments = {{0, 20, &first}};
  model.forward({{tokens.data(), 20}, segments}, model::kLastLayer, workspace,
                Span2d<float>(hidden.data(), 20, width));
  CHECK(same_bits(slice(hidden, width, 0, 20), whole));
}

TEST_CASE("a causal model's scratch does not grow with the batch") {
  const model::MambaModel causal = make_model("mamba1", kMamba1);
  CHECK(causal.workspace_bytes(1 << 20) == causal.workspace_bytes(1 << 14));
  model::Workspace workspace;
  const std::vector<TokenId> tokens = some_tokens(5000);
  const std::vector<model::Segment> segments = {{0, 5000, nullptr}};
  std::vector<float> hidden(5000 * causal.config().d_model);
  const Span2d<float> rows(hidden.data(), 5000, causal.config().d_model);
  causal.forward({tokens, segments}, model::kLastLayer, workspace, rows);
  CHECK(workspace.bytes() <= causal.workspace_bytes(5000) + 64 * 1024);
  ThreadExecutor executor(4);
  causal.forward({tokens, segments}, model::kLastLayer, workspace, rows, executor);
  CHECK(workspace.bytes() <= causal.workspace_bytes(5000, 4) + 64 * 1024);
}

TEST_CASE("misuse is an error, an empty batch is not") {
  const model::MambaModel model = make_model("caduceus", kCaduceusPh);
  CHECK(run(model, {}).empty());
  CHECK(contains(error_of([&] { run(model, {7, 16}); }), "token id 16"));
  CHECK(contains(error_of([&] { run(model, {-1}); }), "token id -1"));
  CHECK(contains(error_of([&] { run(model, {7}, 2); }), "layers 0 to 1"));
  CHECK(contains(error_of([&] { model.make_state(); }), "causal"));
  CHECK(contains(error_of([&] { run_batch(model, {7, 8}, {1}); }), "fit together"));
  CHECK(contains(error_of([&] { run_batch(model, {7, 8}, {3}); }), "in order"));
}

TEST_CASE("six-track models need their tracks, others refuse them") {
  const std::string folder =
      std::string(GENOMAMBA_SOURCE_DIR) + "/tests/golden/data/orthrus-6-track";
  const model::MambaModel six = load_model(folder + "/model.safetensors");
  CHECK(six.config().n_tracks == 6);
  CHECK(contains(error_of([&] { run(six, {7, 8}); }), "needs codon and exon tracks"));
  const model::MambaModel plain = make_model("mamba1", kMamba1);
  const std::vector<TokenId> tokens = {7, 8};
  const std::vector<std::uint8_t> tracks = {0, 1};
  const std::vector<model::Segment> segments = {{0, 2, nullptr}};
  std::vector<float> hidden(2 * 24);
  model::Workspace workspace;
  CHECK(contains(error_of([&] {
                   plain.forward({tokens, segments, tracks}, model::kLastLayer, workspace,
                                 Span2d<float>(hidden.data(), 2, 24));
                 }),
                 "takes no tracks"));
}
