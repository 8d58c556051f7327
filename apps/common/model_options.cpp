// SPDX-License-Identifier: MIT
#include "common/model_options.hpp"

#include <cstdlib>

namespace genomamba::apps {

void ModelOptions::add_to(CLI::App& app) {
  const std::string group = "Model";
  app.add_option(
         "-m,--model", model,
         "A model directory, a weight file in one, a bundled model's name, or hf:ORG/NAME[@REV] "
         "in the local Hugging Face cache (default: GENOMAMBA_MODEL, else the bundled model)")
      ->group(group);
  app.add_option("--tokenizer", tokenizer,
                 "caduceus, hyenadna, plantcad or a tokenizer file (default: the model's own)")
      ->group(group);
  app.add_option(
         "--letters", letters,
         "standard: upper case, U as T, other IUPAC letters as N; exact: the model's own table")
      ->check(CLI::IsMember({"standard", "exact"}))
      ->capture_default_str()
      ->group(group);
}

std::string ModelOptions::model_or(const std::string& default_model) const {
  if (!model.empty()) return model;
  const char* variable = std::getenv("GENOMAMBA_MODEL");
  return variable != nullptr && *variable != '\0' ? std::string(variable) : default_model;
}

}  // namespace genomamba::apps
