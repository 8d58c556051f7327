// SPDX-License-Identifier: MIT
#include "genomamba/pipeline/loaded_model.hpp"

#include <sys/stat.h>

#include <charconv>
#include <limits>
#include <optional>

#include "genomamba/core/error.hpp"

namespace genomamba::pipeline {
namespace {

/// Larger values of model_max_length are a library's "not set".
constexpr std::int64_t kLargestTrainedLength = 10'000'000;

struct TrainedLength {
  std::size_t n_tokens = 0;
  std::string source;
};

tokenizer::Alphabet alphabet_from_vocab(
    const std::vector<std::pair<std::string, std::int64_t>>& vocab, const std::string& path) {
  tokenizer::Alphabet alphabet;
  bool has_upper = false;
  for (const auto& [text, id] : vocab) {
    if (id < 0 || id > std::numeric_limits<TokenId>::max()) {
      throw CheckpointError(path, text, "token id " + std::to_string(id) + " is out of range");
    }
    if (text.size() == 1) {
      alphabet.letters.emplace_back(text[0], static_cast<TokenId>(id));
      has_upper = has_upper || text[0] == 'A';
    } else {
      alphabet.specials.emplace_back(text, static_cast<TokenId>(id));
    }
  }
  alphabet.case_folding =
      has_upper ? tokenizer::CaseFolding::kNone : tokenizer::CaseFolding::kLower;
  return alphabet;
}

/// From a file that has a vocabulary of single letters, or names a tokenizer class that the project
/// knows.
std::optional<tokenizer::Alphabet> alphabet_from_file(const checkpoint::ConfigFile& file) {
  const std::string tokenizer_class = file.find_string("tokenizer_class").value_or("");
  std::optional<tokenizer::Alphabet> alphabet;
  if (tokenizer_class == "CaduceusTokenizer") alphabet = tokenizer::find_alphabet("caduceus");
  if (tokenizer_class == "CharacterTokenizer") alphabet = tokenizer::find_alphabet("hyenadna");
  for (const char* key : {"vocab", "model.vocab"}) {
    const auto vocab = file.find_int_map(key);
    if (!vocab) continue;
    tokenizer::Alphabet read = alphabet_from_vocab(*vocab, file.path());
    if (alphabet) {
      read.prefix = alphabet->prefix;
      read.suffix = alphabet->suffix;
      if (read.case_folding == tokenizer::CaseFolding::kNone) {
        read.case_folding = alphabet->case_folding;
      }
    }
    alphabet = std::move(read);
    break;
  }
  if (!alphabet) return std::nullopt;
  alphabet->name = file.path().substr(file.path().rfind('/') + 1);
  if (file.find_bool("add_bos_token").value_or(false)) alphabet->prefix = "[BOS]";
  return alphabet;
}

std::string known_alphabets() {
  std::string names;
  for (const std::string& name : tokenizer::alphabet_names())
    names.append(" ").append(name);
  return names;
}

tokenizer::Alphabet choose_alphabet(const checkpoint::ModelDirectory& directory,
                                    std::size_t vocab_size, std::string_view tokenizer_name) {
  if (auto named = tokenizer::find_alphabet(tokenizer_name)) return *named;
  if (!tokenizer_name.empty()) {
    struct stat info {};
    if (::stat(std::string(tokenizer_name).c_str(), &info) != 0) {
      throw UsageError("--tokenizer " + std::string(tokenizer_name) +
                       ": no such file, and not one of" + known_alphabets());
    }
    const auto file = checkpoint::ConfigFile::load(std::string(tokenizer_name));
    if (auto read = alphabet_from_file(file)) return *read;
    throw CheckpointError(file.path(), "", "no character-level vocabulary in this tokenizer file");
  }
  for (const auto* file : {&directory.tokenizer_config, &directory.tokenizer}) {
    if (!file->has_value()) continue;
    if (auto read = alphabet_from_file(**file)) return *read;
  }
  if (auto by_size = tokenizer::alphabet_for_vocab_size(vocab_size)) return *by_size;
  std::string names;
  for (const std::string& name : tokenizer::alphabet_names())
    names += " " + name;
  throw CheckpointError(directory.path, "tokenizer",
                        "no tokenizer file and no rule for a vocabulary of " +
                            std::to_string(vocab_size) +
                            "; choose with --tokenizer:" + known_alphabets() + " or a file");
}

/// A vocabulary that does not fit is a fault of the model's files unless the user chose it.
tokenizer::CharTokenizer make_tokenizer(const checkpoint::ModelDirectory& directory,
                                        std::size_t vocab_size, std::string_view tokenizer_name) {
  const tokenizer::Alphabet alphabet = choose_alphabet(directory, vocab_size, tokenizer_name);
  try {
    return {alphabet, vocab_size};
  } catch (const UsageError& error) {
    if (!tokenizer_name.empty()) throw;
    throw CheckpointError(directory.path, "tokenizer", error.what());
  }
}

/// The number behind "seqlen-" in a published name: "seqlen-131k" -> 131072, "seqlen-1k" -> 1024.
std::size_t length_in_name(std::string_view name) {
  constexpr std::string_view kMark = "seqlen-";
  const auto at = name.find(kMark);
  if (at == std::string_view::npos) return 0;
  std::size_t value = 0;
  const std::string_view rest = name.substr(at + kMark.size());
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc()) return 0;
  const bool is_kilo = end != rest.data() + rest.size() && *end == 'k';
  return is_kilo ? value * 1024 : value;
}

TrainedLength trained_length(const checkpoint::ModelDirectory& directory,
                             const model::MambaConfig& config) {
  if (config.is_causal()) return {};
  if (directory.tokenizer_config) {
    const auto length = directory.tokenizer_config->find_int("model_max_length");
    if (length && *length > 0 && *length < kLargestTrainedLength) {
      return {static_cast<std::size_t>(*length), "model_max_length"};
    }
  }
  for (const std::string& name :
       {directory.name, directory.config.find_string("_name_or_path").value_or("")}) {
    if (const std::size_t length = length_in_name(name)) return {length, "the model's name"};
  }
  const bool plant_vocabulary = config.strands != model::Strands::kSingle && config.vocab_size == 8;
  if (plant_vocabulary && config.mixer == model::Mixer::kMamba1) return {512, "PlantCaduceus"};
  if (plant_vocabulary) return {8192, "PlantCAD2"};
  return {1024, "the default"};
}

}  // namespace

std::string tokenizer_name(const checkpoint::ModelDirectory& directory, std::size_t vocab_size) {
  try {
    return choose_alphabet(directory, vocab_size, "").name;
  } catch (const CheckpointError&) {
    return "none";
  }
}

LoadedModel load_model(const std::string& path, std::string_view tokenizer_name) {
  const checkpoint::ModelDirectory directory = checkpoint::open_model_directory(path);
  model::MambaModel model = model::MambaModel::load(directory);
  const std::size_t vocab_size = model.config().vocab_size;
  tokenizer::CharTokenizer tokenizer = make_tokenizer(directory, vocab_size, tokenizer_name);
  TrainedLength length = trained_length(directory, model.config());
  std::string sha256 = weights_sha256(directory, model.unused_tensors());
  return {std::move(model),  std::move(tokenizer),     directory.path,  directory.name,
          std::move(sha256), config_sha256(directory), length.n_tokens, std::move(length.source)};
}

}  // namespace genomamba::pipeline
