// SPDX-License-Identifier: MIT
// A model as C functions in a shared library, for scripts that load it with ctypes.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

#include "genomamba/kernels/flush_denormals.hpp"
#include "genomamba/pipeline/core_executor.hpp"
#include "genomamba/pipeline/loaded_model.hpp"

namespace {

struct Handle {
  genomamba::pipeline::LoadedModel loaded;
  genomamba::model::Workspace workspace;
};

}  // namespace

extern "C" {

/// The model in directory `path`; null, and a line on stderr, if it cannot be read.
__attribute__((visibility("default"))) void* genomamba_load(const char* path) {
  try {
    return new Handle{genomamba::pipeline::load_model(path, ""), {}};
  } catch (const std::exception& error) {
    std::fprintf(stderr, "genomamba_load: %s\n", error.what());
    return nullptr;
  }
}

/// hidden [n, hidden_width]: states after the final norm of one sequence of n tokens. 0, or 1 and a
/// line on stderr.
__attribute__((visibility("default"))) int genomamba_forward(void* handle,
                                                             const std::int32_t* tokens,
                                                             std::size_t n, std::size_t n_threads,
                                                             float* hidden) {
  try {
    auto& [loaded, workspace] = *static_cast<Handle*>(handle);
    const std::vector<genomamba::TokenId> ids(tokens, tokens + n);
    const genomamba::model::Segment whole{0, n, nullptr};
    genomamba::pipeline::CoreExecutor executor(n_threads);
    const genomamba::kernels::FlushDenormals flush;
    loaded.model.forward({ids, {&whole, 1}}, genomamba::model::kLastLayer, workspace,
                         {hidden, n, loaded.model.config().hidden_width()}, executor);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "genomamba_forward: %s\n", error.what());
    return 1;
  }
}

__attribute__((visibility("default"))) void genomamba_free(void* handle) {
  delete static_cast<Handle*>(handle);
}

}  // extern "C"
