// SPDX-License-Identifier: MIT
// The library in ten lines: embed one sequence with the model in a directory.
#include <cstdio>
#include <string>
#include <vector>

#include "genomamba/pipeline/loaded_model.hpp"

int main(int, char** argv) {
  const auto loaded = genomamba::pipeline::load_model(argv[1], "");
  const std::string sequence = argv[2];
  std::vector<genomamba::TokenId> tokens(sequence.size());
  loaded.tokenizer.encode(sequence, tokens);
  const genomamba::model::Segment whole{0, tokens.size(), nullptr};
  const std::size_t width = loaded.model.config().hidden_width();
  std::vector<float> hidden(tokens.size() * width);
  genomamba::model::Workspace workspace;
  loaded.model.forward({tokens, {&whole, 1}}, genomamba::model::kLastLayer, workspace,
                       {hidden.data(), tokens.size(), width});
  std::printf("%zu numbers, first %g\n", width, static_cast<double>(hidden[0]));
}
