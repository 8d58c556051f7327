// SPDX-License-Identifier: MIT
#include "genomamba/checkpoint/model_directory.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "genomamba/core/error.hpp"
#include "torch_file.hpp"

namespace genomamba::checkpoint {
namespace fs = std::filesystem;
namespace {

constexpr std::array<const char*, 4> kWeightNames = {
    "model.safetensors", "model.safetensors.index.json", "pytorch_model.bin",
    "pytorch_model.bin.index.json"};
constexpr std::array<const char*, 4> kWeightEndings = {".safetensors", ".bin", ".pt", ".ckpt"};

bool ends_with(const std::string& text, std::string_view ending) {
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// A file of another name serves when it is the only one of its ending.
fs::path find_lone_weights(const fs::path& folder) {
  for (const char* ending : kWeightEndings) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (ends_with(entry.path().filename().string(), ending)) found.push_back(entry.path());
    }
    if (found.size() == 1) return found[0];
    if (found.size() > 1) {
      throw CheckpointError(folder.string(), "",
                            "holds several " + std::string(ending) +
                                " files and none of the usual names; name the one that is meant");
    }
  }
  throw CheckpointError(folder.string(), "",
                        "holds no weights (model.safetensors or pytorch_model.bin)");
}

fs::path find_weights(const fs::path& folder) {
  for (const char* name : kWeightNames) {
    if (is_there(folder / name)) return folder / name;
    std::error_code error;
    if (fs::is_symlink(fs::symlink_status(folder / name, error))) {
      throw CheckpointError((folder / name).string(), "", "is a link to a file that is missing");
    }
  }
  return find_lone_weights(folder);
}

/// A file of a Hugging Face cache is a link into ../../blobs. Where a copy of the cache has turned
/// links into small text files that hold their target, the target is the file that is meant.
fs::path follow_text_link(const fs::path& path) {
  constexpr std::string_view kTarget = "../../blobs/";
  constexpr std::uintmax_t kMaxBytes = 256;
  std::error_code error;
  const std::uintmax_t n_bytes = fs::file_size(path, error);
  if (error || n_bytes <= kTarget.size() || n_bytes > kMaxBytes) return path;
  std::ifstream in(path, std::ios::binary);
  std::string text;
  std::getline(in, text);
  const bool is_link =
      text.rfind(kTarget, 0) == 0 &&
      text.find_first_not_of("0123456789abcdef", kTarget.size()) == std::string::npos;
  return is_link ? path.parent_path() / text : path;
}

std::unique_ptr<TensorSource> open_weights(const std::string& path) {
  if (ends_with(path, ".bin.index.json")) return open_sharded_torch_files(path);
  if (ends_with(path, ".index.json")) return open_sharded_safetensors(path);
  if (ends_with(path, ".safetensors")) return open_safetensors(follow_text_link(path).string());
  return open_torch_file(path);
}

/// The folder's own name, or ORG/NAME for .../models--ORG--NAME/snapshots/REVISION.
std::string name_of(const fs::path& folder) {
  std::error_code error;
  fs::path real = fs::canonical(folder, error);
  if (error) real = fs::absolute(folder, error);
  if (real.parent_path().filename() == "snapshots") {
    std::string repository = real.parent_path().parent_path().filename().string();
    const std::string prefix = "models--";
    if (repository.rfind(prefix, 0) == 0) {
      repository.erase(0, prefix.size());
      const std::size_t dashes = repository.find("--");
      if (dashes != std::string::npos) repository.replace(dashes, 2, "/");
      return repository;
    }
  }
  return real.filename().string();
}

std::optional<ConfigFile> load_if_there(const fs::path& path) {
  if (!is_there(path)) return std::nullopt;
  return ConfigFile::load(follow_text_link(path).string());
}

}  // namespace

ModelDirectory open_model_directory(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw CheckpointError(path, "", "no such directory or file");
  }
  const bool is_directory = fs::is_directory(status);
  fs::path folder = is_directory ? fs::path(path) : fs::path(path).parent_path();
  if (folder.empty()) folder = ".";

  fs::path config_path = folder / "config.json";
  // Orthrus' Lightning checkpoints come with this file in its place.
  if (!is_there(config_path) && is_there(folder / "model_config.json")) {
    config_path = folder / "model_config.json";
  }
  if (!is_there(config_path)) {
    throw CheckpointError(folder.string(), "config.json", "is missing: it describes the model");
  }
  ConfigFile config = ConfigFile::load(follow_text_link(config_path).string());
  if (config.is_empty()) {
    throw CheckpointError(config_path.string(), "", "is empty: it must describe the model");
  }
  const fs::path weights = is_directory ? find_weights(folder) : fs::path(path);
  return ModelDirectory{folder.string(),
                        name_of(folder),
                        std::move(config),
                        open_weights(weights.string()),
                        load_if_there(folder / "tokenizer_config.json"),
                        load_if_there(folder / "tokenizer.json")};
}

}  // namespace genomamba::checkpoint
