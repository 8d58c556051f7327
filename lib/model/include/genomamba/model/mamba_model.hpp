// SPDX-License-Identifier: MIT
// MambaModel: a loaded model, const after load; forward from tokens to hidden states and logits.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "genomamba/checkpoint/model_directory.hpp"
#include "genomamba/core/executor.hpp"
#include "genomamba/core/span2d.hpp"
#include "genomamba/model/batch.hpp"
#include "genomamba/model/mamba_config.hpp"
#include "genomamba/model/mamba_state.hpp"
#include "genomamba/model/workspace.hpp"

namespace genomamba::model {

/// Layer index that means: after the last block and the final norm.
inline constexpr std::size_t kLastLayer = static_cast<std::size_t>(-1);

/// Thread-safe: forward may run in many threads at once, each with its own Workspace and states.
/// Bound to the ISA that was active when it was loaded.
class MambaModel {
 public:
  /// Reads config and weights, packs them for the active ISA. Throws CheckpointError: a tensor
  /// missing or misshapen (name, shape expected and found), a value not finite, a family not
  /// supported.
  static MambaModel load(const checkpoint::ModelDirectory& directory);

  ~MambaModel();
  MambaModel(MambaModel&&) noexcept;
  MambaModel& operator=(MambaModel&&) noexcept;

  const MambaConfig& config() const noexcept;
  /// Tensors of the checkpoint that this family does not use, by name.
  const std::vector<std::string>& unused_tensors() const noexcept;
  /// Bytes of packed weights held in memory.
  std::size_t weights_bytes() const noexcept;

  MambaState make_state() const;
  /// Bytes that a workspace takes for a batch of `n_tokens` and an executor of that concurrency, at
  /// most. Causal models work in tiles, so it stops growing; bidirectional ones keep whole
  /// sequences.
  std::size_t workspace_bytes(std::size_t n_tokens, std::size_t concurrency = 1) const noexcept;

  /// hidden [tokens, hidden_width]: `layer` kLastLayer: after norm_f; 0..n_layer-1: output of that
  /// block with the residual added, before the next norm. RC-equivariant models: both halves at
  /// their forward positions; kLastLayer as the authors' code returns it, inner layers in strand
  /// order (first half: the sequence as given; second half: its reverse complement, channels
  /// reversed), without the swap that their code leaves after an odd number of blocks.
  /// Deterministic: a row depends on its own segment alone, never on the batch, the chunking or the
  /// executor, to the bit. Throws UsageError for a token id or layer out of range.
  void forward(const Batch& batch, std::size_t layer, Workspace& workspace, Span2d<float> hidden,
               Executor& executor = serial_executor()) const;

  /// logits [rows, vocab_size] of hidden rows as forward(kLastLayer) gives them. Padding columns
  /// included.
  void logits(Span2d<const float> hidden, Span2d<float> logits,
              Executor& executor = serial_executor()) const;

 private:
  struct Impl;
  explicit MambaModel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace genomamba::model
