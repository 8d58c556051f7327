// SPDX-License-Identifier: MIT
#include "genomamba/checkpoint/model_directory.hpp"

#include <filesystem>
#include <vector>

#include "catch.hpp"
#include "safetensors_file.hpp"
#include "safetensors_text.hpp"
#include "tmp_dir.hpp"

using namespace genomamba;
using namespace genomamba::checkpoint;
using test::contains;
namespace fs = std::filesystem;

namespace {

void write_weights(const std::string& path) {
  const std::vector<NamedArray> tensors = {{"w", {2}, {1, 2}}};
  test::write_safetensors_file(path, tensors);
}

std::string error_of_open(const std::string& path) {
  return test::error_of([&] { open_model_directory(path); });
}

}  // namespace

TEST_CASE("a directory and a weight file inside it give the same model") {
  const test::TmpDir dir;
  dir.write("config.json", R"({"d_model": 8})");
  dir.write("tokenizer_config.json", R"({"vocab": {"A": 7}})");
  write_weights(dir.file("model.safetensors"));
  const ModelDirectory by_folder = open_model_directory(dir.path() + "/");
  const ModelDirectory by_file = open_model_directory(dir.file("model.safetensors"));
  CHECK(by_folder.name == fs::path(dir.path()).filename());
  CHECK(by_file.name == by_folder.name);
  CHECK(by_folder.config.find_int("d_model") == 8);
  CHECK(by_folder.tokenizer_config.has_value());
  CHECK_FALSE(by_folder.tokenizer.has_value());
  CHECK(by_folder.weights->find("w") != nullptr);
  CHECK(weights_sha256(by_folder).size() == 64);
  CHECK(weights_sha256(by_folder) == weights_sha256(by_file));
}

TEST_CASE("safetensors come before PyTorch's file, and a lone file of another name serves") {
  const test::TmpDir dir;
  dir.write("config.json", R"({"d_model": 8})");
  dir.write("pytorch_model.bin", "not a pickle");
  write_weights(dir.file("other.safetensors"));
  CHECK(contains(error_of_open(dir.path()), "pytorch_model.bin"));
  fs::remove(dir.file("pytorch_model.bin"));
  CHECK(open_model_directory(dir.path()).weights->tensors().size() == 1);
  dir.write("pytorch_model.bin", "not a pickle");
  write_weights(dir.file("model.safetensors"));
  CHECK(open_model_directory(dir.path()).weights->tensors().size() == 1);
}

TEST_CASE("what is missing is said") {
  const test::TmpDir dir;
  CHECK(contains(error_of_open(dir.file("none")), "no such directory"));
  CHECK(contains(error_of_open(dir.path()), "config.json"));
  dir.write("config.json", "{}");
  CHECK(contains(error_of_open(dir.path()), "empty"));
  dir.write("config.json", R"({"d_model": 8})");
  CHECK(contains(error_of_open(dir.path()), "no weights"));
  dir.write("pytorch_model.bin", "version https://git-lfs.github.com/spec/v1\n");
  CHECK(contains(error_of_open(dir.path()), "Git LFS"));
}

TEST_CASE("a snapshot of the Hugging Face cache is named by its repository") {
  const test::TmpDir dir;
  fs::create_directories(dir.file("models--lab--tiny-dna/blobs"));
  fs::create_directories(dir.file("models--lab--tiny-dna/snapshots/0abc"));
  write_weights(dir.file("models--lab--tiny-dna/blobs/f00"));
  dir.write("models--lab--tiny-dna/snapshots/0abc/config.json", R"({"d_model": 8})");
  fs::create_symlink("../../blobs/f00",
                     dir.file("models--lab--tiny-dna/snapshots/0abc/model.safetensors"));
  fs::create_directory_symlink("models--lab--tiny-dna/snapshots/0abc", dir.file("latest"));
  const ModelDirectory model = open_model_directory(dir.file("latest"));
  CHECK(model.name == "lab/tiny-dna");
  CHECK(model.weights->find("w") != nullptr);
}
