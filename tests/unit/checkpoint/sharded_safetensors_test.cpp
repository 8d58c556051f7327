// SPDX-License-Identifier: MIT
#include <filesystem>
#include <vector>

#include "catch.hpp"
#include "genomamba/checkpoint/tensor_source.hpp"
#include "safetensors_file.hpp"
#include "safetensors_text.hpp"
#include "tmp_dir.hpp"

using namespace genomamba;
using namespace genomamba::checkpoint;
using test::contains;
namespace fs = std::filesystem;

namespace {

constexpr const char* kIndex = "model.safetensors.index.json";

void write_shard(const std::string& path, const std::string& name, float value) {
  const std::vector<NamedArray> tensors = {{name, {1}, {value}}};
  test::write_safetensors_file(path, tensors);
}

std::string error_of_index(const test::TmpDir& dir, const std::string& weight_map) {
  const std::string path = dir.write(kIndex, R"({"weight_map": )" + weight_map + "}");
  return test::error_of([&] { open_sharded_safetensors(path); });
}

}  // namespace

TEST_CASE("shards are joined") {
  const test::TmpDir dir;
  write_shard(dir.file("one.safetensors"), "a", 1);
  write_shard(dir.file("two.safetensors"), "b", 2);
  const std::string path = dir.write(kIndex, R"({"metadata": {"total_size": 8},
                  "weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
  const auto source = open_sharded_safetensors(path);
  CHECK(source->tensors().size() == 2);
  CHECK(source->files().size() == 2);
  CHECK(to_float(*source->find("b"))[0] == 2.0F);
}

TEST_CASE("a missing shard or tensor is named") {
  const test::TmpDir dir;
  write_shard(dir.file("one.safetensors"), "a", 1);
  CHECK(contains(error_of_index(dir, R"({"a": "one.safetensors", "b": "two.safetensors"})"),
                 "two.safetensors"));
  CHECK(contains(error_of_index(dir, R"({"a": "one.safetensors", "b": "one.safetensors"})"), "b"));
  CHECK(contains(error_of_index(dir, "{}"), "weight_map"));
  CHECK(contains(error_of_index(dir, R"({"a": 5})"), "not a string"));
  write_shard(dir.file("two.safetensors"), "a", 1);
  CHECK(contains(error_of_index(dir, R"({"a": "one.safetensors", "c": "two.safetensors"})"),
                 "another shard"));
}

TEST_CASE("a shard outside the folder is refused") {
  const test::TmpDir outside;
  write_shard(outside.file("one.safetensors"), "a", 1);
  const test::TmpDir dir;
  const std::string absolute = R"({"a": ")" + outside.file("one.safetensors") + "\"}";
  CHECK(contains(error_of_index(dir, absolute), "plain file name"));
  CHECK(contains(error_of_index(dir, R"({"a": "../one.safetensors"})"), "plain file name"));
  CHECK(contains(error_of_index(dir, R"({"a": ".."})"), "plain file name"));
  fs::create_directory(dir.file("folder.safetensors"));
  CHECK(contains(error_of_index(dir, R"({"a": "folder.safetensors"})"), "not a file"));
  fs::create_symlink(outside.file("one.safetensors"), dir.file("link.safetensors"));
  CHECK(contains(error_of_index(dir, R"({"a": "link.safetensors"})"), "outside"));
}

TEST_CASE("the links of a Hugging Face cache are followed") {
  const test::TmpDir dir;
  fs::create_directories(dir.file("models--lab--dna/blobs"));
  fs::create_directories(dir.file("models--lab--dna/snapshots/0abc"));
  write_shard(dir.file("models--lab--dna/blobs/f00"), "a", 3);
  fs::create_symlink("../../blobs/f00",
                     dir.file("models--lab--dna/snapshots/0abc/one.safetensors"));
  const std::string path = dir.write(std::string("models--lab--dna/snapshots/0abc/") + kIndex,
                                     R"({"weight_map": {"a": "one.safetensors"}})");
  CHECK(to_float(*open_sharded_safetensors(path)->find("a"))[0] == 3.0F);
}
