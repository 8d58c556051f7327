// SPDX-License-Identifier: MIT
// Small random models and the calls that the tests make on them.
#pragma once

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "genomamba/checkpoint/model_directory.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/core/executor.hpp"
#include "genomamba/model/init_model.hpp"
#include "genomamba/model/mamba_model.hpp"
#include "safetensors_file.hpp"
#include "tmp_dir.hpp"

namespace genomamba::test {

/// A directory with this config text and the weights that init_model makes for it.
class ModelFiles {
 public:
  ModelFiles(const std::string& family, const std::string& config, std::uint64_t seed = 1) {
    const std::string config_path = dir_.write("config.json", config);
    write_safetensors_file(dir_.file("model.safetensors"),
                           model::init_model({family, config_path, seed}));
  }
  const TmpDir& dir() const { return dir_; }
  std::string path() const { return dir_.path(); }

 private:
  TmpDir dir_;
};

inline model::MambaModel load_model(const std::string& path) {
  return model::MambaModel::load(checkpoint::open_model_directory(path));
}

inline model::MambaModel make_model(const std::string& family, const std::string& config) {
  return load_model(ModelFiles(family, config).path());
}

/// The message with which `action` stops; the test fails when it does not throw genomamba::Error.
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  FAIL("no error was thrown");
  return {};
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// A, C, G, T of the Caduceus table in a fixed irregular order.
inline std::vector<TokenId> some_tokens(std::size_t n, std::uint32_t seed = 1) {
  std::vector<TokenId> tokens(n);
  std::uint32_t x = seed;
  for (TokenId& token : tokens) {
    x = x * 1664525U + 1013904223U;
    token = static_cast<TokenId>(7 + (x >> 16) % 5);
  }
  return tokens;
}

/// Several threads that take the pieces from the last to the first.
class ThreadExecutor final : public Executor {
 public:
  explicit ThreadExecutor(std::size_t n_threads) : n_threads_(n_threads) {}
  std::size_t concurrency() const noexcept override { return n_threads_; }
  void parallel_for(std::size_t n, const std::function<void(std::size_t)>& body) override {
    std::atomic<std::size_t> next{n};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < n_threads_; ++i) {
      threads.emplace_back([&] {
        for (std::size_t left = next.load(); left > 0;) {
          if (next.compare_exchange_weak(left, left - 1)) body(left - 1);
        }
      });
    }
    for (std::thread& thread : threads)
      thread.join();
  }

 private:
  std::size_t n_threads_;
};

/// Rows of `lengths` sequences laid end to end, computed in one call.
inline std::vector<float> run_batch(const model::MambaModel& model,
                                    const std::vector<TokenId>& tokens,
                                    const std::vector<std::size_t>& lengths,
                                    std::size_t layer = model::kLastLayer,
                                    Executor& executor = serial_executor()) {
  std::vector<model::Segment> segments;
  std::size_t begin = 0;
  for (const std::size_t length : lengths) {
    segments.push_back({begin, length, nullptr});
    begin += length;
  }
  const std::size_t width = model.config().hidden_width();
  std::vector<float> hidden(tokens.size() * width);
  model::Workspace workspace;
  model.forward({tokens, segments}, layer, workspace,
                Span2d<float>(hidden.data(), tokens.size(), width), executor);
  return hidden;
}

inline std::vector<float> run(const model::MambaModel& model, const std::vector<TokenId>& tokens,
                              std::size_t layer = model::kLastLayer) {
  return run_batch(model, tokens, {tokens.size()}, layer);
}

inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

inline float max_difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  float result = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    result = std::max(result, std::abs(a[i] - b[i]));
  return result;
}

inline const std::string kMamba1 =
    R"({"d_model": 24, "n_layer": 2, "vocab_size": 12, "pad_vocab_size_multiple": 8,
        "ssm_cfg": {"d_state": 6, "d_conv": 4}})";
inline const std::string kMamba2 =
    R"({"d_model": 24, "n_layer": 2, "vocab_size": 16, "d_intermediate": 40,
        "ssm_cfg": {"layer": "Mamba2", "d_state": 8, "headdim": 12, "ngroups": 2}})";
inline const std::string kOrthrus = R"({"ssm_model_dim": 24, "ssm_n_layers": 2, "n_tracks": 4})";
inline const std::string kCaduceusPh =
    R"({"d_model": 24, "n_layer": 2, "vocab_size": 16, "ssm_cfg": {"d_state": 6},
        "bidirectional": true, "bidirectional_weight_tie": true, "rcps": false})";
inline const std::string kComplementMap =
    R"("complement_map": {"7": 10, "8": 9, "9": 8, "10": 7, "11": 11})";
inline const std::string kCaduceusPs =
    R"({"d_model": 24, "n_layer": 3, "vocab_size": 16, "ssm_cfg": {"d_state": 6},
        "bidirectional": true, "rcps": true, )" +
    kComplementMap + "}";

}  // namespace genomamba::test
